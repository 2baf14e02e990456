import { expect, it } from 'vitest';
import { createSandbox } from '../../../src/index.ts';
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

it('an access token in the body to UserInfo is a warning', async () => {
  await using sandbox = await createSandbox({ clients: [careful] });
  const asked = { plan, modules: ['userinfo-bearer-header'], user: 'alice' };
  const { modules } = await sandbox.examine({ ...asked, login: createCarefulClient('userinfo-in-body') });
  const why = 'The access token was sent in the body to UserInfo.';
  expect(modules[1]).toMatchObject({ verdict: 'warn', why, requests: [{ method: 'POST' }] });
});
