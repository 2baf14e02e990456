import { careful, createCarefulClient } from './careful-client.ts';
import { itTellsApart } from './tells-apart.ts';

const plan = 'oauth-bcp';
const ofBound = ['token-without-proof', 'proof-reused', 'dpop-downgrade'];

itTellsApart({
  plan,
  entry: {
    ...careful,
    grant_types: ['authorization_code', 'refresh_token', 'implicit'],
    response_types: ['code', 'code id_token token'],
  },
  create: createCarefulClient,
  absent: ofBound,
  recommended: ['implicit-grant'],
  unseen: ['error-markup'],
  config: { features: { implicit: true } },
});

itTellsApart({
  plan,
  entry: careful,
  create: lapse => createCarefulClient(lapse, { flow: 'dpop' }),
  only: ofBound,
  recommended: ['dpop-downgrade'],
});
