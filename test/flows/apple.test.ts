import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { decodeJwt, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox, SandboxConfig } from '../../src/index.ts';
import { errors as errorTable } from '../../src/providers/apple/preset.ts';
import { createAgent } from '../support/agent.ts';
import { expectGolden } from '../support/golden.ts';
import { writeKeysFile } from '../support/keys-file.ts';
import { noticingErrors } from '../support/noticed-errors.ts';
import { getJson, type JsonAnswer, postForm } from '../support/preset-login.ts';
import { metadataPromises, notKept } from '../support/promises/metadata-promises.ts';

const { createSandbox, notProvoked } = noticingErrors();

const redirect_uri = 'http://localhost:3000/callback';
const client_id = 'com.example.web';
const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const other = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const keyed = {
  redirect_uris: [redirect_uri],
  token_endpoint_auth_method: 'private_key_jwt',
  jwks: { keys: [{ ...pair.publicKey.export({ format: 'jwk' }), kid: 'KEY0000001', alg: 'ES256' }] },
} as const;

const config: SandboxConfig = {
  preset: { name: 'apple', team: 'TEAM123456' },
  autoLogin: 'alice',
  clients: [
    { client_id, ...keyed },
    { client_id: 'com.example.other', ...keyed },
    { client_id: 'com.example.plain', client_secret: 'plain-secret', redirect_uris: [redirect_uri] },
  ],
  users: [
    {
      sub: '001234.alice.0001',
      username: 'alice',
      claims: { given_name: 'Alice', family_name: 'Archer', email: 'alice@example.com', email_verified: true },
    },
    {
      sub: '001234.bob.0002',
      username: 'bob',
      claims: { email: 'bob@example.com', relay_email: 'x7k2@privaterelay.appleid.com', real_user_status: 2 },
    },
  ],
};

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox(config);
});
afterAll(() => sandbox.stop());

type Form = Readonly<Record<string, string>>;
const now = () => Math.floor(Date.now() / 1000);

interface SecretChanges {
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly key?: KeyObject;
  readonly header?: Readonly<Record<string, unknown>>;
}

/** The client secret that an application makes; `changes` are its mistakes. */
async function secret({ claims, key = pair.privateKey, header }: SecretChanges = {}, sub = client_id): Promise<string> {
  const usual = { iss: 'TEAM123456', sub, aud: 'https://appleid.apple.com', iat: now(), exp: now() + 3600 };
  return new SignJWT({ ...usual, ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: 'KEY0000001', ...header })
    .sign(key);
}

/** The parameters that the browser posts to the application. */
async function ask(more: Form = {}, at = sandbox): Promise<Form> {
  const asked = { response_type: 'code', client_id, redirect_uri, scope: 'name email', response_mode: 'form_post' };
  const query = new URLSearchParams({ ...asked, state: 'the-state', nonce: 'the-nonce', ...more });
  const agent = createAgent(at.url);
  const page = await agent.open(`${at.issuer}/auth/authorize?${query}`);
  if (page.status !== 200) return { status: String(page.status), page: page.html };
  const { body } = await agent.submit(page, 'form-post');
  return Object.fromEntries(body ?? []);
}

const post = (form: Form, at = sandbox) => postForm(`${at.issuer}/auth/token`, { client_id, ...form });

async function redeem(code = '', more: Form = {}, at = sandbox): Promise<JsonAnswer> {
  const form = { grant_type: 'authorization_code', code, redirect_uri, client_secret: await secret() };
  return post({ ...form, ...more }, at);
}

async function refresh(refresh_token: string, more: Form = {}): Promise<JsonAnswer> {
  return post({ grant_type: 'refresh_token', refresh_token, client_secret: await secret(), ...more });
}

async function revoke(token: string): Promise<Response> {
  const body = new URLSearchParams({ client_id, client_secret: await secret(), token });
  return fetch(`${sandbox.issuer}/auth/revoke`, { method: 'POST', body });
}

const idTokenOf = ({ body }: JsonAnswer) => decodeJwt(String(body.id_token));

describe('the preset apple', () => {
  it('has the metadata, tokens and answers of the golden file', async () => {
    await sandbox.reset();
    const response = await ask();
    const answer = await redeem(response.code);
    const parts = {
      metadata: (await getJson(`${sandbox.issuer}/.well-known/openid-configuration`)).body,
      authorizationResponse: response,
      user: JSON.parse(response.user ?? '{}'),
      tokenResponse: answer.body,
      refreshResponse: (await refresh(String(answer.body.refresh_token))).body,
      idToken: idTokenOf(answer),
    };
    const random = ['access_token', 'refresh_token', 'code', 'at_hash'];
    expectGolden('apple', parts, { url: sandbox.url, random });
  });

  it('keeps every promise of its metadata', async () => {
    const promises = await metadataPromises(
      { ...config, keysFile: writeKeysFile() },
      {
        asks: { response_mode: 'form_post' },
      },
    );
    expect(notKept(promises)).toEqual([]);
  });

  it('sends user with the first authorization of a client and a user alone, and again after a revocation', async () => {
    await sandbox.reset();
    const first = await ask();
    expect(JSON.parse(first.user ?? '')).toEqual({
      name: { firstName: 'Alice', lastName: 'Archer' },
      email: 'alice@example.com',
    });
    expect(await ask()).not.toHaveProperty('user');
    expect(await ask({ client_id: 'com.example.other' })).toHaveProperty('user');
    const { body } = await redeem((await ask()).code);
    const revoked = await revoke(String(body.refresh_token));
    expect([revoked.status, await revoked.text()]).toEqual([200, '']);
    expect((await refresh(String(body.refresh_token))).body).toMatchObject({ error: 'invalid_grant' });
    expect(await ask({ scope: 'name' })).toMatchObject({ user: '{"name":{"firstName":"Alice","lastName":"Archer"}}' });
    await sandbox.reset();
    expect(await ask({ scope: 'email' })).toMatchObject({ user: '{"email":"alice@example.com"}' });
  });

  it('demands form_post for name and email, and needs no scope and no openid for an ID token', async () => {
    for (const mode of ['query', 'fragment', ''])
      expect(await ask({ response_mode: mode })).toMatchObject({
        status: '400',
        page: expect.stringContaining('response_mode must be form_post when name or email scope is requested.'),
      });
    const { page } = await ask({ response_mode: '' });
    expect(page).toContain('The response_mode query is not allowed here');
    expect(page).not.toContain('requested..');
    const query = new URLSearchParams({ response_type: 'code', client_id, redirect_uri });
    const { headers } = await fetch(`${sandbox.issuer}/auth/authorize?${query}`, { redirect: 'manual' });
    const answer = new URL(headers.get('location') ?? '').searchParams;
    expect([...answer.keys()]).toEqual(['code']);
    const claims = idTokenOf(await redeem(answer.get('code') ?? ''));
    expect(claims).toMatchObject({ sub: '001234.alice.0001', aud: client_id });
    expect(claims).not.toHaveProperty('email');
  });

  it('shows the relay address of a user who has one, and the status of a real user', async () => {
    await sandbox.nextLogin({ sub: '001234.bob.0002' });
    const response = await ask();
    expect(JSON.parse(response.user ?? '')).toMatchObject({ email: 'x7k2@privaterelay.appleid.com' });
    expect(idTokenOf(await redeem(response.code))).toMatchObject({
      email: 'x7k2@privaterelay.appleid.com',
      email_verified: true,
      is_private_email: true,
      real_user_status: 2,
    });
  });

  it('writes booleans as text, and has the identifier of Apple, if the options say so', async () => {
    const preset = { name: 'apple', team: 'TEAM123456', booleans: 'text', issuer: 'apple' } as const;
    await using older = await createSandbox({ ...config, preset });
    expect(idTokenOf(await redeem((await ask({}, older)).code, {}, older))).toMatchObject({
      iss: 'https://appleid.apple.com',
      email_verified: 'true',
      is_private_email: 'false',
      nonce_supported: true,
    });
  });

  it('accepts a client secret again until it expires, and a plain one of a client without a key', async () => {
    const client_secret = await secret();
    for (const _ of [1, 2]) expect((await redeem((await ask()).code, { client_secret })).status).toBe(200);
    const plain = { client_id: 'com.example.plain', client_secret: 'plain-secret' };
    const { code = '' } = await ask({ client_id: plain.client_id });
    expect((await redeem(code, plain)).status).toBe(200);
  });

  it('has no UserInfo, and answers calls that it does not offer with 501', async () => {
    expect((await getJson(`${sandbox.issuer}/userinfo`)).status).toBe(501);
    expect(await getJson(`${sandbox.issuer}/auth/migrate`)).toMatchObject({
      status: 501,
      body: { error_description: 'this sandbox speaks like Apple, but does not offer this endpoint' },
    });
  });

  it('refuses an option with another form', async () => {
    await expect(createSandbox({ preset: { name: 'apple', team: 'team' } })).rejects.toThrow(
      'ten capital letters and digits',
    );
  });
});

const by = (changes: SecretChanges) => async () => redeem('x', { client_secret: await secret(changes) });
const badClient = { error: 'invalid_client' };
const grant = (error_description: string) => ({ error: 'invalid_grant', error_description });
const badCode = grant('The code has expired or has been revoked.');
const badToken = grant('The token has expired or has been revoked.');
const ofOther = async () => ({
  client_id: 'com.example.other',
  client_secret: await secret({}, 'com.example.other'),
});

async function redeemTwice() {
  const { code } = await ask();
  await redeem(code);
  return redeem(code);
}
async function refreshToken(): Promise<string> {
  return String((await redeem((await ask()).code)).body.refresh_token);
}
async function afterRevocation() {
  const token = await refreshToken();
  await revoke(token);
  return refresh(token);
}
async function afterEnd() {
  const token = await refreshToken();
  const { tokenId } = sandbox.events.latest('token.issued', 9).find(each => each.token === token) ?? {};
  await fetch(`${sandbox.issuer}/_sandbox/tokens/${tokenId}/expire`, { method: 'POST' });
  return refresh(token);
}

const errors: readonly (readonly [name: string, ask: () => Promise<JsonAnswer>, body: object])[] = [
  ['unknown client', () => redeem('x', { client_id: 'nobody' }), badClient],
  ['no client', () => postForm(`${sandbox.issuer}/auth/token`, { grant_type: 'authorization_code' }), badClient],
  ['missing client secret', () => redeem('x', { client_secret: '' }), badClient],
  ['wrong plain secret', () => redeem('x', { client_id: 'com.example.plain', client_secret: 'x' }), badClient],
  ['client secret that is no JWT', () => redeem('x', { client_secret: 'x' }), badClient],
  [
    'client secret by another algorithm',
    by({ header: { alg: 'RS256' }, key: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey }),
    badClient,
  ],
  ['client secret without kid', by({ header: { kid: undefined } }), badClient],
  ['client secret by an unknown key', by({ header: { kid: 'KEY0000002' } }), badClient],
  ['client secret with a wrong signature', by({ key: other.privateKey }), badClient],
  ['client secret of another team', by({ claims: { iss: 'TEAM000000' } }), badClient],
  ['client secret of another client', by({ claims: { sub: 'com.example.other' } }), badClient],
  ['client secret for another audience', by({ claims: { aud: 'https://example.com' } }), badClient],
  ['client secret without exp', by({ claims: { exp: undefined } }), badClient],
  ['expired client secret', by({ claims: { iat: now() - 7200, exp: now() - 3600 } }), badClient],
  ['client secret from the future', by({ claims: { iat: now() + 3600, exp: now() + 7200 } }), badClient],
  ['client secret for more than six months', by({ claims: { exp: now() + 16_000_000 } }), badClient],
  ['unknown code', () => redeem('c1.0.mrqs.x'), badCode],
  ['used code', redeemTwice, badCode],
  [
    'code of another client',
    async () => redeem((await ask()).code, await ofOther()),
    grant('client_id mismatch. The code was not issued to com.example.other.'),
  ],
  ['unknown refresh token', () => refresh('r1.0.mrqs.x'), badToken],
  [
    'refresh token of another client',
    async () => refresh(await refreshToken(), await ofOther()),
    grant('client_id mismatch. The refresh token was not issued to com.example.other.'),
  ],
  ['revoked refresh token', afterRevocation, badToken],
  ['ended refresh token', afterEnd, badToken],
];

describe('an error of the preset apple', () => {
  it.each(errors)('%s', async (_, send, body) => {
    expect(await send()).toMatchObject({ status: 400, body });
  });

  it('redirect URI that is not registered, as a page', async () => {
    expect(await ask({ redirect_uri: 'https://evil.example/' })).toMatchObject({
      status: '400',
      page: expect.stringContaining('Invalid web redirect url.'),
    });
  });

  it('login that the user cancelled', async () => {
    await sandbox.nextLogin({ action: 'deny' });
    expect(await ask()).toMatchObject({ error: 'user_cancelled_authorize', state: 'the-state' });
  });
});

it('provokes each row of the table of errors above', () => {
  expect(notProvoked(errorTable)).toEqual([]);
});
