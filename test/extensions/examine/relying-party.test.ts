import { careful, createCarefulClient } from './careful-client.ts';
import { itTellsApart } from './tells-apart.ts';

itTellsApart({
  plan: 'relying-party',
  entry: careful,
  create: createCarefulClient,
  recommended: ['invalid-secondary-aud', 'signing-key-rotation', 'signing-key-rotation-just-before-signing'],
});
