import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClientEntry, SandboxConfig } from '../../src/index.ts';
import { observes } from '../observed.ts';
import { altered } from '../support/forgeries.ts';
import { type ClientKey, makeClientKey } from '../support/keys-server.ts';
import { openRelyingParty, type RelyingParty } from '../support/relying-party.ts';
import { checkAuthorizationError } from './checks.ts';
import {
  type Answer,
  callback,
  configured,
  errorPage,
  type Op,
  type Party,
  signed,
  startOp,
  unsigned,
} from './party.ts';

type Claims = Readonly<Record<string, unknown>>;
type Form = Readonly<Record<string, string>>;

const key = await makeClientKey('ES256', { kid: 'k', use: 'sig', alg: 'ES256' });
const foreign = await makeClientKey('ES256', { kid: 'k', use: 'sig', alg: 'ES256' });
const rsa = await makeClientKey('RS256', { kid: 'rsa', use: 'sig', alg: 'RS256' });

const common: Omit<ClientEntry, 'client_id'> = {
  client_secret: 'a secret of more than 32 characters for the signer',
  grant_types: ['authorization_code'],
  redirect_uris: [callback, `${callback}/second`],
  scope: 'openid profile',
  jwks: { keys: [{ ...key.publicJwk }, { ...rsa.publicJwk }] },
  request_object_signing_alg: 'ES256',
};
const withClients = (request_uris: readonly string[]): SandboxConfig => ({
  clients: [
    { ...common, client_id: 'signer', request_uris },
    { ...common, client_id: 'other' },
    { ...common, client_id: 'strict', require_signed_request_object: true },
  ],
});

let rp: RelyingParty;
let config: SandboxConfig;
let op: Op;
let party: Party;
beforeAll(async () => {
  rp = await openRelyingParty();
  config = withClients([rp.publish('/object', '')]);
  op = await startOp(config);
  party = configured(op, config, 'signer');
});
afterAll(async () => {
  await op[Symbol.asyncDispose]();
  await rp.close();
});

/** The claims of a good object, and what answers it. */
function claimsOf(changes: Claims = {}, by = party) {
  const { query } = by.request();
  const now = op.now();
  const usual = {
    ...Object.fromEntries(query),
    iss: by.client.client_id,
    aud: op.metadata.issuer,
    exp: now + 60,
    nbf: now,
  };
  return Object.fromEntries(Object.entries({ ...usual, ...changes }).filter(([, value]) => value !== undefined));
}

function sign(claims: Claims, header: Form = {}, by: ClientKey = key) {
  return signed(by, claims, { alg: by.publicJwk.alg ?? '', typ: 'oauth-authz-req+jwt', ...header });
}

function addressOf(beside: Form, client_id = 'signer'): URL {
  return new URL(`${op.metadata.authorization_endpoint}?${new URLSearchParams({ client_id, ...beside })}`);
}

/** The answer to an object with these claims; `beside` stands outside. */
async function answered(changes: Claims = {}, beside: Form = {}): Promise<Answer> {
  const claims = claimsOf(changes);
  const expected = new URLSearchParams(claims as Record<string, string>);
  return party.follow(addressOf({ request: await sign(claims), ...beside }), expected);
}

/** What is said of an object: on a page, since no redirect URI stands beside it. */
const refusal = (request: string, beside: Form = {}) => errorPage(op.agent(), addressOf({ request, ...beside }));

describe('RFC 9101, JAR-01: only the parameters of the object count', () => {
  it('answers as the object says, and tokens follow', async () => {
    const answer = await answered();
    expect((await party.redeem(answer)).idToken.sub).toBe('alice');
  });

  it('does not read what stands beside it', async () => {
    const beside = { state: 'outside', scope: 'openid profile', redirect_uri: `${callback}/second`, nonce: 'outside' };
    const answer = await answered({ state: 'inside', nonce: 'inside' }, beside);
    expect(answer.parameters.get('state')).toBe('inside');
    expect((await party.redeem({ ...answer, nonce: 'inside' })).scope ?? 'openid').toBe('openid');
  });

  it('does not complete it with what stands beside it', async () => {
    const request = await sign(claimsOf({ response_type: undefined }));
    const visit = await op.agent().open(addressOf({ request, response_type: 'code' }));
    expect(visit.url.searchParams.get('error')).toBe('invalid_request');
  });

  it.each([
    ['names another client', 'other'],
    ['names none', undefined],
  ])('refuses an object that %s', async (_, client_id) => {
    expect(await refusal(await sign(claimsOf({ client_id })))).toBe('invalid_request_object');
  });

  it('needs client_id beside it', async () => {
    const request = await sign(claimsOf());
    const url = `${op.metadata.authorization_endpoint}?${new URLSearchParams({ request })}`;
    expect(await errorPage(op.agent(), url)).toBe('invalid_request');
  });
});

describe('RFC 9101, JAR-02: signature, algorithm, times and audience', () => {
  it.each<[string, () => Promise<string> | string]>([
    ['with other claims than were signed', async () => altered(await sign(claimsOf()), { scope: 'openid profile' })],
    ['by a key that is not of the client', () => sign(claimsOf(), {}, foreign)],
    ['by an algorithm the client is not registered for', () => sign(claimsOf(), {}, rsa)],
    ['nobody has signed', () => unsigned(claimsOf())],
    ['that expired', () => sign(claimsOf({ nbf: op.now() - 120, exp: op.now() - 60 }))],
    ['from the future', () => sign(claimsOf({ nbf: op.now() + 65, exp: op.now() + 120 }))],
    ['for another server', () => sign(claimsOf({ aud: 'https://elsewhere.example' }))],
    ['of another issuer', () => sign(claimsOf({ iss: 'other' }))],
    ['that is no JWT', () => 'no JWT'],
  ])('refuses an object %s', async (_, make) => {
    expect(await refusal(await make())).toBe('invalid_request_object');
  });

  it('tells the client at the redirect URI beside the object, where there is one', async () => {
    const request = await sign(claimsOf(), {}, foreign);
    const { url } = await op.agent().open(addressOf({ request, redirect_uri: callback, state: 's' }));
    expect(url.searchParams.get('error')).toBe('invalid_request_object');
    const sent = { issuer: op.metadata.issuer, redirect_uri: callback, state: 's' };
    checkAuthorizationError(url.origin + url.pathname, url.searchParams, sent);
  });
});

describe('RFC 9101, JAR-03: nothing inside points elsewhere', () => {
  it.each(['request', 'request_uri'])('refuses an object with %s in it', async name => {
    expect(await refusal(await sign(claimsOf({ [name]: 'x' })))).toBe('invalid_request_object');
  });

  it('refuses request and request_uri at once', async () => {
    const request = await sign(claimsOf());
    const request_uri = rp.publish('/object', request);
    expect(await refusal(request, { request_uri })).toBe('invalid_request');
  });
});

describe('RFC 9101, JAR-04: other JWTs are no request objects', () => {
  it.each(['at+jwt', 'dpop+jwt', 'logout+jwt', 'client-authentication+jwt'])('refuses a JWT of type %s', async typ => {
    expect(await refusal(await sign(claimsOf(), { typ }))).toBe('invalid_request_object');
  });

  it('refuses a client assertion', async () => {
    expect(await refusal(await sign(claimsOf({ sub: 'signer' }), { typ: 'JWT' }))).toBe('invalid_request_object');
  });

  it('refuses an ID token', async () => {
    const { id_token } = await party.redeem(await party.authorize());
    expect(await refusal(id_token)).toBe('invalid_request_object');
  });
});

describe('RFC 9101, JAR-05: request_uri', () => {
  const type = 'application/oauth-authz-req+jwt';

  it('is read where it is registered', async () => {
    const claims = claimsOf();
    const request_uri = rp.publish('/object', await sign(claims), type);
    const answer = await party.follow(
      addressOf({ request_uri }),
      new URLSearchParams(claims as Record<string, string>),
    );
    expect((await party.redeem(answer)).idToken.sub).toBe('alice');
  });

  it('is not called where it is not', async () => {
    const before = rp.received.length;
    const request_uri = new URL('/elsewhere', rp.backchannel).href;
    expect(await errorPage(op.agent(), addressOf({ request_uri }))).toBe('invalid_request_uri');
    expect(rp.received).toHaveLength(before);
  });

  it('is refused where nothing readable is there', async () => {
    const request_uri = rp.publish('/object', 'no JWT', type);
    expect(await errorPage(op.agent(), addressOf({ request_uri }))).toMatch(/^invalid_request_(object|uri)$/);
  });

  it('must be registered, as metadata says', () => {
    expect(op.metadata).toMatchObject({
      request_parameter_supported: true,
      request_uri_parameter_supported: true,
      require_request_uri_registration: true,
    });
  });
});

describe('RFC 9101, JAR-06: signed requests can be demanded', () => {
  it('of one client', async () => {
    const strict = configured(op, config, 'strict');
    expect(await errorPage(op.agent(), strict.request().url)).toBe('invalid_request');
    const claims = claimsOf({}, strict);
    const expected = new URLSearchParams(claims as Record<string, string>);
    const answer = await strict.follow(addressOf({ request: await sign(claims) }, 'strict'), expected);
    expect(answer.parameters.get('code')).toMatch(/./);
  });

  it('of all, and metadata says so', async () => {
    observes('setting requireSignedRequests');
    await using all = await startOp({ ...config, requireSignedRequests: true });
    expect(all.metadata.require_signed_request_object).toBe(true);
    expect(op.metadata.require_signed_request_object).toBe(false);
    const { url } = configured(all, config, 'signer').request();
    expect(await errorPage(all.agent(), url)).toBe('invalid_request');
  });
});
