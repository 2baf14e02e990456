import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SandboxConfig } from '../../src/index.ts';
import { s256 } from '../../src/protocol/requests/pkce.ts';
import { makeClientKey } from '../support/keys-server.ts';
import { post, verifier } from '../support/wire.ts';
import { checkTokenError } from './checks.ts';
import { checkPushed } from './fapi.ts';
import { assertion, callback, configured, errorPage, type Op, type Party, startOp } from './party.ts';

type Form = Readonly<Record<string, string>>;

const key = await makeClientKey('RS256', { kid: 'k', use: 'sig', alg: 'RS256' });
const common = {
  grant_types: ['authorization_code'],
  redirect_uris: [callback, `${callback}/second`],
  scope: 'openid profile',
} as const;
const client_secret = 'a secret of more than 32 characters, to be sure';
const config: SandboxConfig = {
  clients: [
    { ...common, client_id: 'basic', client_secret },
    { ...common, client_id: 'post', client_secret, token_endpoint_auth_method: 'client_secret_post' },
    {
      ...common,
      client_id: 'key',
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [{ ...key.publicJwk }] },
    },
    { ...common, client_id: 'public' },
    { ...common, client_id: 'strict', client_secret, require_pushed_authorization_requests: true },
  ],
};

let op: Op;
let endpoint: string;
beforeAll(async () => {
  op = await startOp(config);
  endpoint = String(op.metadata.pushed_authorization_request_endpoint);
});
afterAll(() => op[Symbol.asyncDispose]());

const basic = (client_id: string, secret = client_secret) => ({
  authorization: `Basic ${btoa(`${client_id}:${encodeURIComponent(secret)}`)}`,
});

/** What the client would send to the authorization endpoint. */
function formOf(client_id: string, parameters: Form = {}): { form: Form; query: URLSearchParams } {
  const { query } = configured(op, config, client_id).request(parameters);
  return { form: Object.fromEntries(query), query };
}

const push = (form: Form, headers: Form = basic(String(form.client_id))) => post(endpoint, form, headers);

async function pushed(party: Party, parameters: Form = {}) {
  const { form, query } = formOf(party.client.client_id, parameters);
  const request_uri = await checkPushed(await push(form));
  return { request_uri, query };
}

const addressOf = (client_id: string, request_uri: string) =>
  new URL(`${op.metadata.authorization_endpoint}?${new URLSearchParams({ client_id, request_uri })}`);

describe('RFC 9126, PAR-01: the answer', () => {
  it('is 201 with an unguessable request_uri and its lifetime, and the user can go on with it', async () => {
    const party = configured(op, config, 'basic');
    const { request_uri, query } = await pushed(party);
    expect(request_uri).toMatch(/^urn:ietf:params:oauth:request_uri:/);
    const answer = await party.follow(addressOf('basic', request_uri), query);
    expect((await party.redeem(answer)).idToken.sub).toBe('alice');
  });
});

describe('RFC 9126, PAR-02: client authentication is that of the token endpoint', () => {
  it.each<[string, () => Promise<Response>]>([
    ['client_secret_basic', () => push(formOf('basic').form)],
    ['client_secret_post', () => push({ ...formOf('post').form, client_secret }, {})],
    ['private_key_jwt', async () => push({ ...formOf('key').form, ...(await assertion(op, 'key', key)) }, {})],
    [
      'private_key_jwt for the PAR endpoint',
      async () => push({ ...formOf('key').form, ...(await assertion(op, 'key', key, { aud: endpoint })) }, {}),
    ],
    [
      'nothing, of a public client with PKCE',
      () => push(formOf('public', { code_challenge: s256(verifier), code_challenge_method: 'S256' }).form, {}),
    ],
  ])('takes %s', async (_, call) => {
    await checkPushed(await call());
  });

  it.each<[string, () => Promise<Response>]>([
    ['no credentials', () => push(formOf('basic').form, {})],
    ['a wrong secret', () => push(formOf('basic').form, basic('basic', 'wrong'))],
    ['a method the client is not registered for', () => push(formOf('post').form, basic('post'))],
    ['an unknown client', () => push({ ...formOf('basic').form, client_id: 'nobody' }, {})],
  ])('refuses %s', async (_, call) => {
    const response = await call();
    expect(response.status).toBe(401);
    expect(await checkTokenError(response)).toBe('invalid_client');
  });
});

describe('RFC 9126, PAR-03: the request is checked as at the authorization endpoint', () => {
  it.each<[string, Form, string]>([
    ['without response_type', { response_type: '' }, 'invalid_request'],
    ['with a response_type that is not offered', { response_type: 'nonsense' }, 'unsupported_response_type'],
    ['with a redirect_uri that is not registered', { redirect_uri: 'https://evil.example/' }, 'invalid_request'],
    ['with a scope that is not registered', { scope: 'openid products:write' }, 'invalid_scope'],
    [
      'with a code_challenge_method nobody knows',
      { code_challenge: s256(verifier), code_challenge_method: 'S1' },
      'invalid_request',
    ],
    ['with a prompt nobody knows', { prompt: 'dance' }, 'invalid_request'],
    ['with a request_uri', { request_uri: 'urn:ietf:params:oauth:request_uri:x' }, 'invalid_request'],
  ])('refuses one %s', async (_, parameters, error) => {
    expect(await checkTokenError(await push(formOf('basic', parameters).form))).toBe(error);
  });

  it('refuses a public client without PKCE', async () => {
    expect(await checkTokenError(await push(formOf('public').form, {}))).toBe('invalid_request');
  });

  it('refuses a parameter that is sent twice', async () => {
    const body = new URLSearchParams(formOf('basic').form);
    body.append('scope', 'openid');
    expect(await checkTokenError(await post(endpoint, body.toString(), basic('basic')))).toBe('invalid_request');
  });
});

describe('RFC 9126, PAR-04: a request_uri', () => {
  it('is bound to its client', async () => {
    const { request_uri } = await pushed(configured(op, config, 'basic'));
    expect(await errorPage(op.agent(), addressOf('post', request_uri))).toBe('invalid_request_uri');
  });

  it('lives as long as the answer says', async () => {
    const response = await push(formOf('basic').form);
    const { request_uri, expires_in } = (await response.json()) as { request_uri: string; expires_in: number };
    op.pass(expires_in);
    expect(await errorPage(op.agent(), addressOf('basic', request_uri))).toBe('invalid_request_uri');
  });

  it('is answered once', async () => {
    const party = configured(op, config, 'basic');
    const { request_uri, query } = await pushed(party);
    const { agent } = await party.follow(addressOf('basic', request_uri), query);
    expect(await errorPage(agent, addressOf('basic', request_uri))).toBe('invalid_request_uri');
  });
});

describe('RFC 9126, PAR-05: verbs and errors', () => {
  it.each(['GET', 'HEAD', 'PUT', 'DELETE'])('answers 405 to %s', async method => {
    expect((await fetch(endpoint, { method })).status).toBe(405);
  });

  it('tells errors as JSON that nobody keeps', async () => {
    const response = await push(formOf('basic', { redirect_uri: '' }).form);
    const error = await push(formOf('basic', { response_type: '' }).form);
    expect(error.headers.get('cache-control')).toBe('no-store');
    expect(await checkTokenError(error)).toBe('invalid_request');
    expect(await checkTokenError(response)).toBe('invalid_request'); // two are registered
  });
});

describe('RFC 9126, PAR-06: pushing can be demanded', () => {
  it('of one client', async () => {
    const strict = configured(op, config, 'strict');
    expect(await errorPage(op.agent(), strict.request().url)).toBe('invalid_request');
    const { request_uri, query } = await pushed(strict);
    expect((await strict.follow(addressOf('strict', request_uri), query)).parameters.get('code')).toMatch(/./);
  });

  it('is said in metadata, as demanded of all or not', () => {
    expect(op.metadata.require_pushed_authorization_requests).toBe(false); // that it is true under FAPI: fapi2-flow
  });
});
