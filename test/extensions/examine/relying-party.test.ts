import { careful, hybrid } from './careful/app.ts';
import { createCarefulClient } from './careful-client.ts';
import { itTellsApart } from './tells-apart.ts';

const plan = 'relying-party';

/** Modules about what the browser brings, about request objects, and about UserInfo as a JWT. */
const ofHybrid = [
  'invalid-chash',
  'missing-chash',
  'missing-athash',
  'userinfo-unsigned',
  'form-post-error',
  'request-object-audience',
];
const ofRegistering = ['dynamic-registration'];

itTellsApart({
  plan,
  entry: careful,
  create: createCarefulClient,
  absent: [...ofHybrid, ...ofRegistering],
  recommended: [
    'invalid-secondary-aud',
    'invalid-athash',
    'client-secret-basic',
    'signing-key-rotation',
    'signing-key-rotation-just-before-signing',
  ],
});

itTellsApart({
  plan,
  entry: hybrid,
  create: lapse => createCarefulClient(lapse, { flow: 'hybrid' }),
  only: [...ofHybrid, 'invalid-athash'],
  recommended: ['request-object-audience'],
  config: { features: { implicit: true } },
});

itTellsApart({
  plan,
  entry: careful,
  create: lapse => createCarefulClient(lapse, { registers: true }),
  only: ofRegistering,
});
