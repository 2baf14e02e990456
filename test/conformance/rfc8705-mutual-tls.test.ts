import { X509Certificate } from 'node:crypto';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClientEntry, Sandbox } from '../../src/index.ts';
import { createClientAuthority } from '../../src/server/tls/client-authority.ts';
import { createSandbox } from '../support/bundle.ts';
import { createTlsFetch, type TlsFetch } from '../support/tls-fetch.ts';
import { checkDiscovery, checkTokenError, checkTokenResponse, type Json, type Metadata } from './checks.ts';

type Form = Readonly<Record<string, string>>;

/** A certificate of its own making: nobody the sandbox trusts has issued it. */
const own = await (await createClientAuthority(new Date())).issue({ subject_dn: 'CN=anybody' });
const jwk = new X509Certificate(own.cert).publicKey.export({ format: 'jwk' }) as Record<string, string>; // of text members only
const x5c = [new X509Certificate(own.cert).raw.toString('base64')];

const machine = { grant_types: ['client_credentials'], scope: 'products:read' } as const;
const ca = { ...machine, token_endpoint_auth_method: 'tls_client_auth' } as const;
const clients: ClientEntry[] = [
  {
    ...ca,
    client_id: 'by-dn',
    tls_client_auth_subject_dn: 'CN=robot,O=Example',
    tls_client_certificate_bound_access_tokens: true,
  },
  { ...ca, client_id: 'by-dns', tls_client_auth_san_dns: 'robot.example' },
  { ...ca, client_id: 'by-uri', tls_client_auth_san_uri: 'urn:example:robot' },
  { ...ca, client_id: 'by-ip', tls_client_auth_san_ip: '192.0.2.7' },
  { ...ca, client_id: 'by-email', tls_client_auth_san_email: 'robot@example.com' },
  {
    ...machine,
    client_id: 'self-signed',
    token_endpoint_auth_method: 'self_signed_tls_client_auth',
    jwks: { keys: [{ ...jwk, x5c }] },
  },
];

let sandbox: Sandbox;
let metadata: Metadata;
let nobody: TlsFetch;
let robot: TlsFetch;
let other: TlsFetch;
let thumbprint: string;
beforeAll(async () => {
  sandbox = await createSandbox({ tls: 'self-signed', clients });
  const names = {
    san_dns: 'robot.example',
    san_uri: 'urn:example:robot',
    san_ip: '192.0.2.7',
    san_email: 'robot@example.com',
  };
  const mine = await sandbox.tls?.clientCertificate?.({ subject_dn: 'CN=robot,O=Example', ...names });
  nobody = connecting();
  robot = connecting(mine);
  other = connecting(await sandbox.tls?.clientCertificate?.({ subject_dn: 'CN=other' }));
  const { fingerprint256 } = new X509Certificate(mine?.cert ?? '');
  thumbprint = Buffer.from(fingerprint256.replaceAll(':', ''), 'hex').toString('base64url');
  metadata = await checkDiscovery(await nobody(`${sandbox.url}/.well-known/openid-configuration`));
});
afterAll(() => sandbox.stop());

function connecting(identity?: { cert: string; key: string }): TlsFetch {
  return createTlsFetch({ ca: sandbox.tls?.ca ?? '', ...identity });
}

const post = (call: TlsFetch, url: string, form: Form) =>
  call(url, { method: 'POST', body: new URLSearchParams(form) });
const token = (call: TlsFetch, client_id: string) =>
  post(call, metadata.token_endpoint, { grant_type: 'client_credentials', client_id, scope: 'products:read' });

describe('RFC 8705, TLS-01: a client is known by its certificate', () => {
  it.each(['by-dn', 'by-dns', 'by-uri', 'by-ip', 'by-email'])(
    'which a CA has issued to the name of %s',
    async client_id => {
      expect((await checkTokenResponse(await token(robot, client_id))).token_type).toBe('Bearer');
      expect(await checkTokenError(await token(other, client_id))).toBe('invalid_client');
      expect(await checkTokenError(await token(nobody, client_id))).toBe('invalid_client');
    },
  );

  it('or which is in its jwks', async () => {
    expect((await checkTokenResponse(await token(connecting(own), 'self-signed'))).token_type).toBe('Bearer');
    expect(await checkTokenError(await token(robot, 'self-signed'))).toBe('invalid_client');
  });

  it('and not by one with the right name that no trusted CA has issued', async () => {
    const forged = await (await createClientAuthority(new Date())).issue({ subject_dn: 'CN=robot,O=Example' });
    expect(await checkTokenError(await token(connecting(forged), 'by-dn'))).toBe('invalid_client');
  });

  it('and both methods are in metadata', () => {
    const methods = ['tls_client_auth', 'self_signed_tls_client_auth'];
    expect(metadata.token_endpoint_auth_methods_supported).toEqual(expect.arrayContaining(methods));
  });
});

describe('RFC 8705, TLS-02: tokens bound to a certificate', () => {
  it('carry its thumbprint, in the token and in introspection', async () => {
    const { access_token } = await checkTokenResponse(await token(robot, 'by-dn'));
    expect(decodeJwt(access_token).cnf).toEqual({ 'x5t#S256': thumbprint });
    const response = await post(robot, String(metadata.introspection_endpoint), {
      client_id: 'by-dn',
      token: access_token,
    });
    expect(await response.json()).toMatchObject({ active: true, cnf: { 'x5t#S256': thumbprint } });
  });

  it('are good at the API with it, and only with it', async () => {
    const { access_token } = await checkTokenResponse(await token(robot, 'by-dn'));
    const headers = { authorization: `Bearer ${access_token}` };
    const statuses = [];
    for (const call of [robot, other, nobody])
      statuses.push((await call(`${sandbox.url}/api/products`, { headers })).status);
    expect(statuses).toEqual([200, 401, 401]);
  });

  it('are advertised, by the resource as well', async () => {
    expect(metadata.tls_client_certificate_bound_access_tokens).toBe(true);
    const resource = await nobody(`${sandbox.url}/.well-known/oauth-protected-resource/api/products`);
    expect(((await resource.json()) as Json).tls_client_certificate_bound_access_tokens).toBe(true);
  });
});

describe('RFC 8705, TLS-03: mtls_endpoint_aliases', () => {
  it('name each endpoint that authenticates clients, and it answers there', async () => {
    const aliases = metadata.mtls_endpoint_aliases as Readonly<Record<string, string>>;
    for (const name of ['token', 'introspection', 'revocation', 'pushed_authorization_request', 'userinfo'])
      expect(URL.canParse(aliases[`${name}_endpoint`] ?? ''), name).toBe(true);
    const form = { grant_type: 'client_credentials', client_id: 'by-dn', scope: 'products:read' };
    await checkTokenResponse(await post(robot, aliases.token_endpoint ?? '', form));
    const refused = await post(nobody, aliases.pushed_authorization_request_endpoint ?? '', { client_id: 'by-dn' });
    expect(await checkTokenError(refused)).toBe('invalid_client');
  });
});
