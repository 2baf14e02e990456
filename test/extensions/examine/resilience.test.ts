import { careful, createCarefulClient } from './careful-client.ts';
import { itTellsApart } from './tells-apart.ts';

itTellsApart({ plan: 'resilience', entry: careful, create: createCarefulClient, recommended: ['discovery-later'] });
