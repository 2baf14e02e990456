import { decodeJwt, decodeProtectedHeader } from 'jose';
import { expect, it } from 'vitest';
import { claimMeaning, headerMeaning, unknownClaim } from '../../../src/dashboard/claims/claim-meaning.ts';
import { introspect } from '../../../src/protocol/endpoints/introspect.ts';
import { token } from '../../../src/protocol/endpoints/token.ts';
import { logoutToken } from '../../../src/protocol/tokens/notify-logout.ts';
import { consentItems, putDecision } from '../../../src/protocol/users/consent.ts';
import { standardScopes } from '../../../src/sandbox/config/claims.ts';
import { createDpopKey } from '../../support/dpop.ts';
import {
  basic,
  createTestServer,
  frontend,
  issuer,
  now,
  redemption,
  type TestServer,
  web,
} from '../../support/server.ts';

const token_exchange = 'urn:ietf:params:oauth:grant-type:token-exchange';
const hybrid = {
  ...{ ...frontend, client_id: 'hybrid', response_types: ['code id_token token'] as const },
  grant_types: ['authorization_code', 'implicit'],
};
const gateway = { ...web, client_id: 'gateway', grant_types: [token_exchange] };
const booking = { name: 'booking', description: 'book bikes', fields: {} };

const create = () =>
  createTestServer({ clients: [hybrid, gateway], authorizationDetailsTypes: new Map([[booking.name, booking]]) });

/** Bound to a key, with details, by a user who allowed it. */
async function richAccessToken(sandbox: TestServer): Promise<readonly string[]> {
  const session = await sandbox.login();
  const changes = { authorization_details: '[{"type":"booking"}]', nonce: 'n', scope: 'openid bikes:read' };
  const reply = await sandbox.authorize(changes, session);
  if (reply.kind !== 'page' || reply.page.name !== 'consent') throw new Error(`a ${reply.kind} and no consent page`);
  await putDecision(sandbox.server, session, reply.page.request, consentItems(sandbox.server, reply.page.request));
  const dpop = await (await createDpopKey()).proof({ htu: `${issuer}/oauth2/token`, iat: now });
  const code = await sandbox.code(changes, session);
  const answer = await token(sandbox.server, sandbox.request({ ...redemption, code }, { dpop }));
  if (answer.kind !== 'json') throw new Error(`a ${answer.kind} and no tokens`);
  const { access_token, id_token } = answer.body as { access_token: string; id_token: string };
  return [dpop, access_token, id_token];
}

async function exchanged(sandbox: TestServer): Promise<string> {
  const { access_token } = await sandbox.tokens();
  const type = 'urn:ietf:params:oauth:token-type:access_token';
  const subject = { subject_token: access_token, subject_token_type: type };
  const actor = { actor_token: access_token, actor_token_type: type };
  const form = { grant_type: token_exchange, ...subject, ...actor };
  return (await sandbox.token(form, basic('gateway', 'web-secret'))).access_token;
}

async function introspection(sandbox: TestServer): Promise<string> {
  const { access_token } = await sandbox.tokens();
  const sent = { authorization: basic('sensor', 'sensor-secret'), accept: 'application/token-introspection+jwt' };
  const reply = await introspect(sandbox.server, sandbox.request({ token: access_token }, sent));
  return reply.kind === 'text' ? reply.body : '';
}

/** One of each kind of JWT this server makes, as it makes them. */
async function everyKind(sandbox: TestServer): Promise<readonly string[]> {
  const login = await sandbox.login();
  const answer = (parameters: Readonly<Record<string, string>>) => sandbox.answer(parameters, login);
  const front = await answer({ client_id: 'hybrid', response_type: 'code id_token token', nonce: 'n' });
  const signed = await answer({ response_mode: 'jwt' });
  const refused = await answer({ response_mode: 'jwt', scope: 'openid nothing:here' });
  const session = { sub: 'alice', sid: 'a session' };
  return [
    ...(await richAccessToken(sandbox)),
    await exchanged(sandbox),
    await introspection(sandbox),
    await logoutToken({ server: sandbox.server, client: frontend, emit: () => {} }, session),
    ...[front.get('access_token'), front.get('id_token'), signed.get('response'), refused.get('response')].map(String),
  ];
}

it('knows every claim and every header member of what this server signs', async () => {
  const all = await everyKind(create());
  expect(all).toHaveLength(10);
  const claims = new Set(all.flatMap(jwt => Object.keys(decodeJwt(jwt))));
  const header = new Set(all.flatMap(jwt => Object.keys(decodeProtectedHeader(jwt))));
  const configured = ['roles', 'fleet'];
  expect([...claims]).toEqual(
    expect.arrayContaining(['cnf', 'act', 'c_hash', 'authorization_details', 'events', 'token_introspection', 'code']),
  );
  const unknown = [...claims].filter(name => claimMeaning(name) === unknownClaim && !configured.includes(name));
  expect(unknown).toEqual([]);
  expect([...header].filter(name => headerMeaning(name) === unknownClaim)).toEqual([]);
});

it('knows every claim that a standard scope releases (OIDC Core §5.4)', () => {
  const names = Object.values(standardScopes).flatMap(scope => scope?.claims ?? []);
  expect(names).toContain('phone_number_verified');
  expect(names.filter(name => claimMeaning(name) === unknownClaim)).toEqual([]);
});

it('tells the two kinds of binding apart', () => {
  expect(claimMeaning('cnf', { jkt: 'a' }).reference).toBe('RFC 9449 §6.1');
  expect(claimMeaning('cnf', { 'x5t#S256': 'a' }).reference).toBe('RFC 8705 §3.1');
  expect(claimMeaning('cnf', 'a key').reference).toBe('RFC 7800 §3.1');
});
