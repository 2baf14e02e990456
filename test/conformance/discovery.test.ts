import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandbox } from '../support/bundle.ts';
import { createTlsFetch } from '../support/tls-fetch.ts';
import { get } from '../support/wire.ts';
import { checkDiscovery, checkKeys, type Metadata } from './checks.ts';
import { type Op, startOp } from './party.ts';

let op: Op;
beforeAll(async () => {
  op = await startOp();
});
afterAll(() => op[Symbol.asyncDispose]());

const list = (metadata: Metadata, name: string): readonly string[] => {
  expect(metadata[name], name).toBeInstanceOf(Array);
  return metadata[name] as readonly string[];
};
const addresses = (metadata: Metadata) =>
  Object.entries(metadata).filter(([name]) => /_endpoint$|_uri$|_iframe$/.test(name));

describe('oidcc-discovery-endpoint-verification', () => {
  it('finds the document where the issuer says, and the issuer in it', async () => {
    const { issuer } = op.sandbox;
    const metadata = await checkDiscovery(await get(`${issuer}/.well-known/openid-configuration`));
    expect(metadata.issuer).toBe(issuer);
    const { search, hash } = new URL(issuer);
    expect([search, hash]).toEqual(['', '']);
  });

  it('is offered the response type code, and those of the front channel where the OP is switched to be a dynamic one', async () => {
    expect(list(op.metadata, 'response_types_supported')).toEqual(['code']);
    await using dynamic = await startOp({ features: { implicit: true } });
    const types = list(dynamic.metadata, 'response_types_supported');
    expect(types).toEqual(expect.arrayContaining(['code', 'id_token', 'id_token token']));
    expect(list(dynamic.metadata, 'grant_types_supported')).toEqual(
      expect.arrayContaining(['authorization_code', 'implicit']),
    );
  });

  it.each([
    ['subject_types_supported', ['public', 'pairwise']],
    ['id_token_signing_alg_values_supported', ['RS256']],
    ['userinfo_signing_alg_values_supported', ['RS256']],
    ['request_object_signing_alg_values_supported', ['RS256']],
    ['scopes_supported', ['openid', 'profile', 'email', 'address', 'phone']],
    ['claims_supported', ['sub', 'iss', 'auth_time', 'acr', 'name', 'email', 'address', 'phone_number']],
    ['grant_types_supported', ['authorization_code', 'refresh_token']],
    ['token_endpoint_auth_methods_supported', ['client_secret_basic', 'client_secret_post', 'private_key_jwt']],
    ['code_challenge_methods_supported', ['S256']],
    ['response_modes_supported', ['query', 'fragment', 'form_post']],
    ['ui_locales_supported', ['en', 'de', 'fr', 'es', 'ja', 'ar']],
    ['prompt_values_supported', ['none', 'login', 'consent', 'select_account']],
  ])('is told of %s', (name, needed) => {
    const values = list(op.metadata, name);
    expect(values).toEqual(expect.arrayContaining(needed));
    expect(values.every(value => typeof value === 'string')).toBe(true);
    expect(new Set(values).size).toBe(values.length);
  });

  it('is told of scopes that can be asked for (RFC 6749 Appendix A.4)', () => {
    for (const scope of list(op.metadata, 'scopes_supported')) expect(scope).toMatch(/^[\x21\x23-\x5b\x5d-\x7e]+$/);
  });

  it('is told of no member without a value, and of locales only by their tags (BCP 47)', () => {
    for (const [name, value] of Object.entries(op.metadata)) {
      expect(value, name).not.toBeNull();
      if (Array.isArray(value)) expect(value.length, name).toBeGreaterThan(0);
      if (name.endsWith('_locales_supported')) Intl.getCanonicalLocales(list(op.metadata, name) as string[]);
    }
  });

  it('is told of what it supports by booleans', () => {
    const booleans = Object.entries(op.metadata).filter(([name]) => /_supported$|^require_/.test(name));
    for (const [name, value] of booleans) if (!Array.isArray(value)) expect(value, name).toBeTypeOf('boolean');
    expect(op.metadata).toMatchObject({ claims_parameter_supported: true, require_request_uri_registration: true });
  });

  it('finds keys at jwks_uri, and one of RS256 among them', async () => {
    const { keys } = await checkKeys(await get(op.metadata.jwks_uri));
    expect(keys.some(({ kty, alg, use }) => kty === 'RSA' && alg === 'RS256' && use === 'sig')).toBe(true);
  });

  it('finds every address under the issuer', () => {
    for (const [name, address] of addresses(op.metadata))
      expect(String(address).startsWith(`${op.sandbox.issuer}/`), name).toBe(true);
  });

  it('finds every address at https where HTTPS is on', async () => {
    await using secure = await createSandbox({ tls: 'self-signed' });
    const call = createTlsFetch({ ca: secure.tls?.ca ?? '' });
    const metadata = await checkDiscovery(await call(`${secure.url}/.well-known/openid-configuration`));
    const { mtls_endpoint_aliases = {} } = metadata;
    for (const [name, address] of [...addresses(metadata), ...Object.entries(mtls_endpoint_aliases as object)])
      expect(new URL(String(address)).protocol, name).toBe('https:');
    await checkKeys(await call(metadata.jwks_uri));
  });
});

describe.each([
  ['oidcc-rp-initiated-logout-discovery-endpoint-verification', ['end_session_endpoint']],
  ['oidcc-session-management-discovery-endpoint-verification', ['check_session_iframe', 'end_session_endpoint']],
])('%s', (_module, names) => {
  it('is told where it is', () => {
    for (const name of names) expect(URL.canParse(String(op.metadata[name])), name).toBe(true);
  });
});

describe.each([
  ['oidcc-backchannel-logout-discovery-endpoint-verification', 'backchannel'],
  ['oidcc-frontchannel-logout-discovery-endpoint-verification', 'frontchannel'],
])('%s', (_module, channel) => {
  it('is told that it is there, with sid', () => {
    expect(op.metadata).toMatchObject({
      [`${channel}_logout_supported`]: true,
      [`${channel}_logout_session_supported`]: true,
    });
  });
});
