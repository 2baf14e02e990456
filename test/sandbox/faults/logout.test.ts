import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../../src/index.ts';
import { openRelyingParty, type RelyingParty } from '../../support/relying-party.ts';
import { answer, callback, get, login, redeem, type Tokens } from '../../support/wire.ts';

const bye = 'http://localhost:5173/bye';
let app: RelyingParty;
let sandbox: Sandbox;
let tokens: Tokens;
let cookie: string;
beforeAll(async () => {
  app = await openRelyingParty();
  sandbox = await createSandbox({
    clients: [
      {
        client_id: 'told',
        redirect_uris: [callback],
        post_logout_redirect_uris: [bye],
        backchannel_logout_uri: app.backchannel,
      },
    ],
  });
});
afterAll(async () => {
  await sandbox.stop();
  await app.close();
});
beforeEach(async () => {
  cookie = await login(sandbox.url);
  const code = (await answer(sandbox.url, cookie, { client_id: 'told', scope: 'openid' })).get('code') ?? '';
  tokens = (await (await redeem(sandbox.url, code, { client_id: 'told' })).json()) as Tokens;
  app.received.length = 0;
});
afterEach(() => sandbox.faults.clear());

const change = { events: null, nonce: 'n' };
const sent = () => app.received[0]?.parameters.get('logout_token') ?? '';

async function logOut(): Promise<string | null> {
  const query = new URLSearchParams({ id_token_hint: tokens.id_token, post_logout_redirect_uri: bye, state: 'mine' });
  return (await get(`${sandbox.url}/connect/logout?${query}`, { cookie })).headers.get('location');
}

it('a fault changes the logout token of a logout, and leaves an access token and an ID token alone', async () => {
  await sandbox.faults.arm({ fault: 'changed_claims', token: 'logout', change, header: { typ: 'JWT' } });
  const code = (await answer(sandbox.url, cookie, { client_id: 'told', scope: 'openid' })).get('code') ?? '';
  const { id_token } = (await (await redeem(sandbox.url, code, { client_id: 'told' })).json()) as Tokens;
  expect(decodeJwt(id_token)).not.toHaveProperty('nonce');
  await logOut();
  expect(decodeJwt(sent())).toMatchObject({ aud: 'told', nonce: 'n', sid: expect.any(String) });
  expect(decodeJwt(sent())).not.toHaveProperty('events');
  expect(decodeProtectedHeader(sent()).typ).toBe('JWT');
  expect(sandbox.events.latest('fault.applied', 1)).toMatchObject([{ effect: 'forge', endpoint: 'end_session' }]);
});

it('a fault changes it where the owner of the sandbox ends the session, too', async () => {
  await sandbox.faults.arm({ fault: 'alg_none', token: 'logout' });
  await sandbox.reset('sessions');
  expect(decodeProtectedHeader(sent()).alg).toBe('none');
});

it('a fault of both tokens leaves a logout token alone', async () => {
  await sandbox.faults.arm({ fault: 'changed_claims', token: 'both', change, times: 'always' });
  await logOut();
  expect(decodeJwt(sent())).toHaveProperty('events');
});

it.each([
  ['wrong_state', `${bye}?state=not-the-state-that-was-sent`],
  ['missing_state', `${bye}?`],
])('%s changes the redirect after a logout', async (fault, to) => {
  await sandbox.faults.arm({ fault, endpoint: 'end_session' });
  expect(await logOut()).toBe(to);
});
