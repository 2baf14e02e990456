import { compactDecrypt, decodeProtectedHeader } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeClientKey } from '../support/keys-server.ts';
import { openRelyingParty, type RelyingParty } from '../support/relying-party.ts';
import { get } from '../support/wire.ts';
import { checkDeletion, checkKeys, checkSecret, checkTokenError, checkTokenResponse, type Json } from './checks.ts';
import {
  assertion,
  callback,
  errorPage,
  judge,
  judgeJwt,
  type Op,
  type Party,
  partyOf,
  registerWithKey,
  sendRegistration,
  startOp,
} from './party.ts';

/** A dynamic OP offers all of OpenID Connect's response types (OIDC Core §15.2); the front-channel ones are off by default here. */
let op: Op;
let rp: RelyingParty;
beforeAll(async () => {
  op = await startOp({ features: { implicit: true } });
});
afterAll(() => op[Symbol.asyncDispose]());
beforeEach(async () => {
  rp = await openRelyingParty();
});

/** Each client is deleted again, as the suite does after every module. */
const registered: Awaited<ReturnType<typeof registerWithKey>>[] = [];
async function register(metadata: Json = {}) {
  const party = await registerWithKey(op, metadata);
  registered.push(party);
  return party;
}
afterEach(async () => {
  for (const { registration } of registered.splice(0)) {
    const headers = { authorization: `Bearer ${registration.registration_access_token}` };
    checkDeletion(await fetch(registration.registration_client_uri, { method: 'DELETE', headers }));
    expect((await get(registration.registration_client_uri, headers)).status).toBe(401);
  }
  await rp.close();
});

describe('oidcc-server', () => {
  it.each([
    ['code', ['authorization_code']],
    ['id_token', ['implicit']],
    ['id_token token', ['implicit']],
    ['code id_token', ['authorization_code', 'implicit']],
    ['code token', ['authorization_code', 'implicit']],
    ['code id_token token', ['authorization_code', 'implicit']],
  ])('registers for %s and ends at UserInfo', async (response_type, grant_types) => {
    const party = await register({ response_types: [response_type], grant_types });
    expect(party.registration).toMatchObject({ response_types: [response_type], grant_types });
    expect((await party.logIn()).idToken.sub).toBe('alice');
  });
});

describe('oidcc-server, oidcc-server-client-secret-post', () => {
  it.each(['client_secret_basic', 'client_secret_post'])(
    'registers for %s, is given a secret that lasts, and ends at UserInfo',
    async token_endpoint_auth_method => {
      const party = await register({ token_endpoint_auth_method });
      expect(party.registration).toMatchObject({ token_endpoint_auth_method, client_secret_expires_at: 0 });
      checkSecret(party.registration.client_secret ?? '');
      expect((await party.logIn()).idToken.sub).toBe('alice');
    },
  );
});

describe('an encrypted ID token', () => {
  it.each(['RSA-OAEP-256', 'ECDH-ES'])('with %s names the key of the client, and holds a good one', async alg => {
    const key = await makeClientKey(alg, { kid: 'enc-1', use: 'enc', alg });
    const party = await register({
      token_endpoint_auth_method: 'client_secret_basic',
      jwks: { keys: [key.publicJwk] },
      id_token_encrypted_response_alg: alg,
      id_token_encrypted_response_enc: 'A256GCM',
    });
    const { parameters, sent, nonce } = await party.authorize();
    const grant = { grant_type: 'authorization_code', code: parameters.get('code') ?? '' };
    const tokens = await checkTokenResponse(await party.ask({ ...grant, redirect_uri: sent.redirect_uri }));
    const { plaintext, protectedHeader } = await compactDecrypt(tokens.id_token ?? '', key.privateKey);
    expect(protectedHeader).toMatchObject({ alg, enc: 'A256GCM', kid: 'enc-1' });
    expect((await judge(party, new TextDecoder().decode(plaintext), nonce)).sub).toBe('alice');
  });
});

describe('oidcc-idtoken-rs256', () => {
  it('signs with what was registered', async () => {
    const party = await register({ id_token_signed_response_alg: 'RS256' });
    const { tokens } = await party.logIn();
    expect(decodeProtectedHeader(tokens?.id_token ?? '').alg).toBe('RS256');
  });
});

describe('oidcc-idtoken-unsigned', () => {
  it('cannot be registered for, as it is not offered', async () => {
    const response = await sendRegistration(op, { id_token_signed_response_alg: 'none' });
    expect(await checkTokenError(response)).toBe('invalid_client_metadata');
  });
});

describe('oidcc-userinfo-rs256', () => {
  async function signedUserInfo(token: string): Promise<string> {
    const response = await get(op.metadata.userinfo_endpoint, { authorization: `Bearer ${token}` });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/jwt']);
    return response.text();
  }

  it('is a JWT with the issuer, the client as audience, and no nonce', async () => {
    const party = await register({ userinfo_signed_response_alg: 'RS256' });
    const tokens = await party.redeem(await party.authorize({ scope: 'openid email' }));
    const claims = await judgeJwt(party, await signedUserInfo(tokens.access_token));
    expect(claims).toMatchObject({ iss: op.metadata.issuer, aud: party.client.client_id, email: 'alice@example.com' });
    expect(claims).toMatchObject({ sub: tokens.idToken.sub });
    expect(claims).not.toHaveProperty('nonce');
  });
});

describe('redirect URIs', () => {
  const withQuery = `${callback}?foo=bar`;
  const page = (party: Party, redirect_uri: string) => errorPage(op.agent(), party.request({ redirect_uri }).url);

  describe('oidcc-ensure-redirect-uri-in-authorization-request', () => {
    it('shows an error page where two are registered and none is sent', async () => {
      expect(await page(await register({ redirect_uris: [callback, `${callback}/second`] }), '')).toBe(
        'invalid_request',
      );
    });
  });

  describe('oidcc-redirect-uri-query-OK', () => {
    it('keeps a registered query, and adds to it', async () => {
      const party = await register({ redirect_uris: [withQuery] });
      const { answer } = await party.logIn();
      expect(answer.to).toBe(withQuery);
    });
  });

  describe('oidcc-redirect-uri-query-mismatch', () => {
    it('shows an error page for another query', async () => {
      expect(await page(await register({ redirect_uris: [withQuery] }), `${callback}?bar=foo`)).toBe('invalid_request');
    });
  });

  describe('oidcc-redirect-uri-query-added', () => {
    it('shows an error page for a query where none is registered', async () => {
      expect(await page(await register(), withQuery)).toBe('invalid_request');
    });
  });

  describe('oidcc-redirect-uri-regfrag', () => {
    it('cannot be registered with a fragment', async () => {
      const response = await sendRegistration(op, { redirect_uris: [`${callback}#foobar`] });
      expect(await checkTokenError(response)).toBe('invalid_redirect_uri');
    });
  });
});

describe.each([
  ['oidcc-registration-logo-uri', 'logo_uri', 'https://rp.example/logo.png'],
  ['oidcc-registration-policy-uri', 'policy_uri', 'https://rp.example/policy'],
  ['oidcc-registration-tos-uri', 'tos_uri', 'https://rp.example/terms'],
])('%s', (_module, name, uri) => {
  it('is a link on the login page, and nothing of it is loaded', async () => {
    const party = await register({ [name]: uri });
    const { page } = (await party.logIn()).answer;
    expect(page?.html).toContain(`<a href="${uri}" rel="noreferrer">`);
    expect(page?.html).not.toMatch(/<img[^>]+rp\.example/);
  });
});

describe('oidcc-registration-jwks-uri', () => {
  it('takes assertions signed with a key that is published there', async () => {
    const party = await register({ jwks_uri: rp.publish('/jwks', '{"keys":[]}') });
    rp.publish('/jwks', JSON.stringify({ keys: [party.key?.publicJwk] }));
    expect((await party.logIn()).idToken.aud).toBe(party.client.client_id);
  });
});

describe('oidcc-refresh-token-rp-key-rotation', () => {
  it('finds a new key of the client, by its kid, and refuses the one that is gone', async () => {
    const party = await register({
      jwks_uri: rp.publish('/jwks', '{"keys":[]}'),
      grant_types: ['authorization_code', 'refresh_token'],
    });
    rp.publish('/jwks', JSON.stringify({ keys: [party.key?.publicJwk] }));
    const { tokens } = await party.logIn();
    const fresh = await makeClientKey('RS256', { kid: 'another key', alg: 'RS256', use: 'sig' });
    rp.publish('/jwks', JSON.stringify({ keys: [fresh.publicJwk] }));
    op.pass(60);
    const grant = { grant_type: 'refresh_token', refresh_token: tokens?.refresh_token ?? '' };
    const refreshed = await checkTokenResponse(await partyOf(op, party.client, fresh).ask(grant));
    await judge(party, refreshed.id_token);
    const stale = { ...grant, refresh_token: refreshed.refresh_token ?? '' };
    expect(await checkTokenError(await party.ask(stale))).toBe('invalid_client');
  });
});

describe('oidcc-registration-sector-uri', () => {
  it('has one subject for the hosts of a sector, which is not the user name', async () => {
    const hosts = [callback, 'https://other.example/callback'];
    const sector_identifier_uri = rp.publish('/sector', JSON.stringify(hosts));
    const subjects: unknown[] = [];
    for (const redirect_uri of hosts) {
      const party = await register({ subject_type: 'pairwise', sector_identifier_uri, redirect_uris: [redirect_uri] });
      subjects.push((await party.logIn()).idToken.sub);
    }
    expect(subjects[0]).toBe(subjects[1]);
    expect(subjects[0]).not.toBe('alice');
  });

  it('is needed for several hosts', async () => {
    const redirect_uris = [callback, 'https://other.example/callback'];
    const response = await sendRegistration(op, { subject_type: 'pairwise', redirect_uris });
    expect(await checkTokenError(response)).toBe('invalid_client_metadata');
  });
});

describe('oidcc-registration-sector-bad', () => {
  it('is refused where the document does not have the redirect URI', async () => {
    const sector_identifier_uri = rp.publish('/sector', JSON.stringify(['https://other.example/callback']));
    const response = await sendRegistration(op, { subject_type: 'pairwise', sector_identifier_uri });
    expect(await checkTokenError(response)).toBe('invalid_client_metadata');
  });
});

describe('oidcc-server-rotate-keys', () => {
  it('publishes a new key and keeps the old one, and ID tokens of both are good', async () => {
    const party = await register();
    const before = await party.logIn();
    const old = await checkKeys(await get(op.metadata.jwks_uri));
    await op.sandbox.rotateKeys();
    const after = await checkKeys(await get(op.metadata.jwks_uri));
    const kids = old.keys.map(({ kid }) => kid);
    expect(after.keys.map(({ kid }) => kid)).toEqual(expect.arrayContaining(kids));
    const fresh = await party.logIn();
    expect(kids).not.toContain(decodeProtectedHeader(fresh.tokens?.id_token ?? '').kid);
    await judge(party, before.tokens?.id_token, before.answer.nonce);
  });
});

describe('oidcc-ensure-client-assertion-with-iss-aud-succeeds', () => {
  it('takes the issuer as the audience of an assertion, alone or among others', async () => {
    const party = await register();
    const { client_id } = party.client;
    const { issuer, token_endpoint } = op.metadata;
    for (const aud of [issuer, [issuer, token_endpoint]]) {
      const { parameters, sent } = await party.authorize();
      const form = {
        grant_type: 'authorization_code',
        code: parameters.get('code') ?? '',
        redirect_uri: sent.redirect_uri,
      };
      const body = new URLSearchParams({ ...form, ...(await assertion(op, client_id, party.key, { aud })) });
      await checkTokenResponse(await fetch(token_endpoint, { method: 'POST', body }));
    }
  });
});
