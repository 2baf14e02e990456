import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSandbox, type MintRequest, type Sandbox } from '../../../src/index.ts';

// What this server signs was always in its own form, until it could be asked to sign anything.

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({
    clients: [
      {
        ...{ client_id: 'app', client_name: 'App', client_secret: 'secret', loopback_redirects: true },
        grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:token-exchange'],
        scope: 'openid profile bikes:read',
      },
    ],
  });
});
afterAll(() => sandbox.stop());

const Authorization = `Basic ${Buffer.from('app:secret').toString('base64')}`;
const post = (path: string, form: Readonly<Record<string, string>>) =>
  fetch(`${sandbox.url}${path}`, { method: 'POST', body: new URLSearchParams(form), headers: { Authorization } });
const show = (path: string, token: string) =>
  fetch(`${sandbox.url}${path}`, { headers: { Authorization: `Bearer ${token}` } });
const swap = (subject_token: string, kind: string) => {
  const subject_token_type = `urn:ietf:params:oauth:token-type:${kind}`;
  const grant_type = 'urn:ietf:params:oauth:grant-type:token-exchange';
  return post('/oauth2/token', { grant_type, subject_token, subject_token_type });
};

/** Everybody who reads a token of ours; the one who ends it comes last. */
const readers: Readonly<Record<string, (token: string, tokenId: string) => Promise<Response>>> = {
  userinfo: token => show('/userinfo', token),
  api: token => show('/api/products', token),
  introspection: token => post('/oauth2/introspect', { token }),
  'exchange of an access token': token => swap(token, 'access_token'),
  'exchange of an ID token': token => swap(token, 'id_token'),
  'hint of a logout': token => fetch(`${sandbox.url}/connect/logout?id_token_hint=${token}`, { redirect: 'manual' }),
  'hint of a login': id_token_hint => {
    const query = { client_id: 'app', redirect_uri: 'http://localhost/cb', response_type: 'code', scope: 'openid' };
    const parameters = new URLSearchParams({ ...query, id_token_hint, prompt: 'none' });
    return fetch(`${sandbox.url}/oauth2/authorize?${parameters}`, { redirect: 'manual' });
  },
  dashboard: (_token, tokenId) => fetch(`${sandbox.url}/dashboard/tokens/${tokenId}`),
  revocation: token => post('/oauth2/revoke', { token }),
};

const values = [5, ['x', 5], { x: 1 }, null];
const names = [
  ...['iss', 'sub', 'aud', 'client_id', 'azp', 'iat', 'nbf', 'exp', 'jti', 'scope', 'cnf', 'act', 'auth_time', 'acr'],
  ...['amr', 'sid', 'authorization_details', 'nonce', 'at_hash'],
];
const kinds: readonly Partial<MintRequest>[] = [{ type: 'access' }, { format: 'opaque' }, { type: 'id' }];
const strange = kinds.flatMap(kind =>
  names.flatMap(claim => values.map(value => ({ ...kind, claims: { [claim]: value } }))),
);

it('a token with any claim in any form does no harm to anybody who reads it', async () => {
  const minted = await Promise.all(
    strange.map(async how => ({ how, ...(await sandbox.issueToken({ client: 'app', user: 'alice', ...how })) })),
  );
  const harm: string[] = [];
  for (const [name, read] of Object.entries(readers)) {
    const tried = minted.map(async ({ how, token, tokenId }) => {
      const { status } = await read(token, tokenId);
      if (status >= 500) harm.push(`${name} of ${JSON.stringify(how)}: ${status}`);
    });
    await Promise.all(tried);
  }
  expect(harm).toEqual([]);
});
