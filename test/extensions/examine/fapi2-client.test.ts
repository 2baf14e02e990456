import { carefulFapi, createCarefulFapiClient } from './careful-fapi-client.ts';
import { itTellsApart } from './tells-apart.ts';

itTellsApart({
  plan: 'fapi2-client',
  entry: carefulFapi,
  create: createCarefulFapiClient,
  recommended: ['invalid-secondary-aud', 'client-assertion-lifetime'],
});
