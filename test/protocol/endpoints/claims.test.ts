import { decodeJwt } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ClaimsRequest } from '../../../src/protocol/authorization.ts';
import type { RegisteredClient } from '../../../src/protocol/clients/client.ts';
import { authorize } from '../../../src/protocol/endpoints/authorize.ts';
import { openidConfiguration } from '../../../src/protocol/endpoints/metadata.ts';
import { userinfo } from '../../../src/protocol/endpoints/userinfo.ts';
import { featureNames } from '../../../src/protocol/feature.ts';
import type { TokenResponse } from '../../../src/protocol/tokens/issue-tokens.ts';
import { rememberAsked } from '../../../src/protocol/users/asked-login.ts';
import { type Session, startSession } from '../../../src/protocol/users/session.ts';
import { subjectFor } from '../../../src/protocol/users/user-claims.ts';
import { callback, challenge, createTestServer, frontend, type TestServer } from '../../support/server.ts';

const pairwise: RegisteredClient = {
  ...frontend,
  client_id: 'pairwise',
  subject_type: 'pairwise',
  redirect_uris: [callback],
};

let sandbox: TestServer;
let session: Session;
beforeEach(async () => {
  sandbox = createTestServer({ clients: [pairwise] });
  session = await sandbox.login();
});

const wanting = (claims: ClaimsRequest | string, more: Readonly<Record<string, string>> = {}) => ({
  claims: typeof claims === 'string' ? claims : JSON.stringify(claims),
  ...more,
});
const answer = async (claims: ClaimsRequest | string, more: Readonly<Record<string, string>> = {}, as = session) =>
  Object.fromEntries(await sandbox.answer(wanting(claims, more), as));

async function askUserinfo({ access_token }: TokenResponse): Promise<object> {
  const request = sandbox.request({}, { method: 'GET', authorization: `Bearer ${access_token}` });
  const reply = await userinfo(sandbox.server, request);
  return reply.kind === 'json' ? reply.body : {};
}

describe('claims asked for one by one (OIDC Core §5.5)', () => {
  it('come where they were asked for, and only there, without any scope for them', async () => {
    const tokens = await sandbox.tokens(
      wanting({ userinfo: { email: null }, id_token: { name: { essential: true } } }),
    );
    const idToken = decodeJwt(tokens.id_token ?? '');
    expect(idToken).toMatchObject({ name: 'Alice Archer', sub: 'alice' });
    expect(idToken).not.toHaveProperty('email');
    expect(await askUserinfo(tokens)).toEqual({ sub: 'alice', email: 'alice@example.com' });
  });

  it('come beside those of the scopes', async () => {
    const tokens = await sandbox.tokens(wanting({ userinfo: { roles: null } }, { scope: 'openid email' }));
    expect(await askUserinfo(tokens)).toEqual({
      ...{ sub: 'alice', email: 'alice@example.com', email_verified: true },
      roles: ['admin'],
    });
  });

  it('are left out where the user has none, essential or not, and the login succeeds (§5.5.1)', async () => {
    const tokens = await sandbox.tokens(wanting({ userinfo: { picture: { essential: true }, website: null } }));
    expect(await askUserinfo(tokens)).toEqual({ sub: 'alice' });
  });

  it('survive a refresh', async () => {
    const first = await sandbox.tokens(wanting({ userinfo: { email: null } }));
    const refresh = { grant_type: 'refresh_token', client_id: 'frontend', refresh_token: first.refresh_token ?? '' };
    expect(await askUserinfo(await sandbox.token(refresh))).toHaveProperty('email');
  });

  it('can be any of claims_supported, and returns the values of the user', async () => {
    const { claims_supported } = openidConfiguration(sandbox.server) as { claims_supported: string[] };
    const id_token = Object.fromEntries(claims_supported.map(name => [name, null]));
    const tokens = await sandbox.tokens(wanting({ id_token }, { nonce: 'n' }));
    const has = Object.keys(decodeJwt(tokens.id_token ?? ''));
    const lacking = ['nickname']; // alice has none
    expect(claims_supported.filter(name => !has.includes(name))).toEqual(lacking);
  });

  it('cannot replace claims of the protocol', async () => {
    const tokens = await sandbox.tokens(wanting({ id_token: { iss: { value: 'https://evil.example' }, exp: null } }));
    expect(decodeJwt(tokens.id_token ?? '').iss).toBe('http://localhost:9000');
  });

  it('are ignored without openid: there is nothing to put them in', async () => {
    const tokens = await sandbox.tokens(wanting({ id_token: { email: null } }, { scope: 'email' }));
    expect(tokens).not.toHaveProperty('id_token');
  });

  it('that are malformed cause an error at the redirect URI', async () => {
    expect(await answer('{"userinfo": []}')).toMatchObject({ error: 'invalid_request', state: 'a state' });
  });

  it('are advertised, unless the feature is off: then the parameter means nothing', async () => {
    expect(openidConfiguration(sandbox.server)).toMatchObject({ claims_parameter_supported: true });
    const off = createTestServer({ features: new Set(featureNames.filter(name => name !== 'claims')) });
    expect(openidConfiguration(off.server)).toMatchObject({ claims_parameter_supported: false });
    expect((await off.answer({ claims: '{' }, await off.login())).has('code')).toBe(true);
  });
});

describe('a sub that was asked for (OIDC Core §5.5.1)', () => {
  const sub = (value: string) => ({ id_token: { sub: { value } } });

  it('is answered silently when that user is logged in', async () => {
    expect(await answer(sub('alice'), { prompt: 'none' })).toHaveProperty('code');
  });

  it.each(['bob', 'nobody'])('is never answered silently with another user: %s', async value => {
    expect(await answer(sub(value), { prompt: 'none' })).toMatchObject({ error: 'login_required' });
  });

  it('may be one of several', async () => {
    const several = { id_token: { sub: { values: ['bob', 'alice'] } } };
    expect(await answer(several, { prompt: 'none' })).toHaveProperty('code');
    expect(await answer(several, { prompt: 'none' }, await sandbox.login('carol'))).toMatchObject({
      error: 'login_required',
    });
  });

  it('asks, and offers the user', async () => {
    expect(await sandbox.authorize(wanting(sub('bob')), session)).toMatchObject({
      page: { name: 'login', cause: 'hint', hinted: { sub: 'bob' } },
    });
  });

  it('asks again when somebody else has logged in for it', async () => {
    const parameters = {
      ...{ client_id: 'frontend', redirect_uri: callback, response_type: 'code', scope: 'openid' },
      ...{ code_challenge: challenge, code_challenge_method: 'S256' },
      ...wanting(sub('bob')),
    };
    const request = sandbox.request(parameters, { method: 'GET', sessionId: session.id });
    await rememberAsked(sandbox.server, session, request.parameters);
    expect(await authorize(sandbox.server, request)).toMatchObject({ page: { name: 'login', cause: 'hint' } });
  });

  it('is the pairwise one for a client that knows no other', async () => {
    const known = subjectFor(sandbox.server, pairwise, 'alice');
    const asked = { client_id: 'pairwise', prompt: 'none' };
    expect(await answer(sub(known), asked)).toHaveProperty('code');
    expect(await answer(sub('alice'), asked)).toMatchObject({ error: 'login_required' });
    expect(await answer(sub(subjectFor(sandbox.server, pairwise, 'bob')), asked)).toMatchObject({
      error: 'login_required',
    });
  });
});

describe('an acr that was asked for (OIDC Core §5.5.1.1, RFC 9470 §5)', () => {
  const acr = (values: readonly string[], essential = true) => ({ id_token: { acr: { essential, values } } });

  it('that is essential and not reached asks for a login that does', async () => {
    expect(await sandbox.authorize(wanting(acr(['urn:gold'])), session)).toMatchObject({
      page: { name: 'login', cause: 'acr_values' },
    });
  });

  it('that is essential is never missed silently', async () => {
    expect(await answer(acr(['urn:gold']), { prompt: 'none' })).toMatchObject({ error: 'login_required' });
    expect(await answer(acr(['0', 'urn:gold']), { prompt: 'none' })).toHaveProperty('code');
  });

  it('that is voluntary asks, and is missed silently', async () => {
    expect(await sandbox.authorize(wanting(acr(['urn:gold'], false)), session)).toMatchObject({ kind: 'page' });
    expect(await answer(acr(['urn:gold'], false), { prompt: 'none' })).toHaveProperty('code');
  });

  it('is fulfilled by a session that has it', async () => {
    const user = sandbox.users.get('alice');
    if (user === undefined) throw new Error('no alice');
    const strong = await startSession(sandbox.server, { user, method: 'click', acr: 'urn:gold' });
    const { code = '' } = await answer(acr(['urn:gold']), { prompt: 'none' }, strong);
    expect(code).not.toBe('');
  });

  describe('at a server that reaches some only', () => {
    beforeEach(async () => {
      sandbox = createTestServer({ acrValues: ['urn:bronze', 'urn:silver'] });
      session = await sandbox.login();
    });

    it('is refused at once where it is essential and out of reach', async () => {
      expect(await answer(acr(['urn:gold']))).toMatchObject({ error: 'unmet_authentication_requirements' });
      expect(await answer(acr(['urn:gold']), { prompt: 'none' })).toMatchObject({
        error: 'unmet_authentication_requirements',
      });
    });

    it('asks for a login where one of several is in reach', async () => {
      expect(await sandbox.authorize(wanting(acr(['urn:gold', 'urn:silver'])), session)).toMatchObject({
        kind: 'page',
      });
    });

    it('is not asked for in vain where it is voluntary', async () => {
      expect(await answer(acr(['urn:gold'], false))).toHaveProperty('code');
      expect(Object.fromEntries(await sandbox.answer({ acr_values: 'urn:gold' }, session))).toHaveProperty('code');
    });

    it('is one of acr_values_supported', () => {
      expect(openidConfiguration(sandbox.server)).toMatchObject({ acr_values_supported: ['urn:bronze', 'urn:silver'] });
      expect(openidConfiguration(createTestServer().server)).not.toHaveProperty('acr_values_supported');
    });
  });
});
