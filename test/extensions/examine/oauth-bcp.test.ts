import { careful, createCarefulClient } from './careful-client.ts';
import { itTellsApart } from './tells-apart.ts';

itTellsApart({
  plan: 'oauth-bcp',
  entry: {
    ...careful,
    grant_types: ['authorization_code', 'refresh_token', 'implicit'],
    response_types: ['code', 'code id_token token'],
  },
  create: createCarefulClient,
  recommended: ['implicit-grant'],
  unseen: ['error-markup'],
  config: { features: { implicit: true } },
});
