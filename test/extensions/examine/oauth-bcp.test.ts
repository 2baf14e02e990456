import { careful, createCarefulClient } from './careful-client.ts';
import { itTellsApart } from './tells-apart.ts';

itTellsApart({ plan: 'oauth-bcp', entry: careful, create: createCarefulClient });
