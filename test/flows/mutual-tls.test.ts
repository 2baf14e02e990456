import { X509Certificate } from 'node:crypto';
import { decodeJwt } from 'jose';
import { afterAll, describe, expect, it } from 'vitest';
import type { ClientEntry, SandboxConfig } from '../../src/index.ts';
import { createClientAuthority } from '../../src/server/tls/client-authority.ts';
import { observes } from '../observed.ts';
import { createAgent } from '../support/agent.ts';
import { createSandbox } from '../support/bundle.ts';
import { newFile } from '../support/new-folder.ts';
import { createTlsFetch, type TlsFetch } from '../support/tls-fetch.ts';
import { authorizeQuery, callback, verifier } from '../support/wire.ts';

/** Not of the sandbox's CA: for the client that is known by its very certificate. */
const elsewhere = await createClientAuthority(new Date());
const selfSignedKey = await elsewhere.issue({ subject_dn: 'CN=anybody' });

const bound = { tls_client_certificate_bound_access_tokens: true } as const;
const robot: ClientEntry = {
  client_id: 'robot',
  token_endpoint_auth_method: 'tls_client_auth',
  tls_client_auth_subject_dn: 'CN=robot,O=Example',
  grant_types: ['client_credentials'],
  scope: 'products:read',
  ...bound,
};
const selfSigned: ClientEntry = {
  client_id: 'self-signed',
  token_endpoint_auth_method: 'self_signed_tls_client_auth',
  jwks: { keys: [{ ...publicJwk(selfSignedKey.cert), x5c: [derOf(selfSignedKey.cert)] }] },
  grant_types: ['client_credentials'],
  scope: 'products:read',
};
const app: ClientEntry = {
  client_id: 'app',
  grant_types: ['authorization_code', 'refresh_token'],
  redirect_uris: [callback],
  scope: 'openid profile products:read',
  ...bound,
};
const config: SandboxConfig = { tls: 'self-signed', clients: [robot, selfSigned, app] };
const sandbox = await createSandbox(config);
afterAll(() => sandbox.stop());
const { url } = sandbox;

const robotKey = await sandbox.tls?.clientCertificate?.({ subject_dn: 'CN=robot,O=Example' });
const otherKey = await sandbox.tls?.clientCertificate?.({ subject_dn: 'CN=other' });
const nobody = connecting();
const asRobot = connecting(robotKey);
const asOther = connecting(otherKey);

function connecting(identity: { cert: string; key: string } | undefined = undefined): TlsFetch {
  return createTlsFetch({ ca: sandbox.tls?.ca ?? '', ...identity });
}

function publicJwk(cert: string): Record<string, string> {
  // a public JWK of text members only
  return { ...new X509Certificate(cert).publicKey.export({ format: 'jwk' }) } as Record<string, string>;
}

function derOf(cert: string): string {
  return new X509Certificate(cert).raw.toString('base64');
}

function thumbprint(cert = ''): string {
  return Buffer.from(new X509Certificate(cert).fingerprint256.replaceAll(':', ''), 'hex').toString('base64url');
}

async function token(call: TlsFetch, form: Record<string, string>, base = url) {
  const response = await call(`${base}/oauth2/token`, { method: 'POST', body: new URLSearchParams(form) });
  return { status: response.status, body: await response.json() };
}

const credentials = (client_id: string) => ({ grant_type: 'client_credentials', client_id, scope: 'products:read' });

describe('a client known by its certificate', () => {
  it('gets tokens over a connection that shows it, by its subject', async () => {
    const { status, body } = await token(asRobot, credentials('robot'));
    expect([status, body.token_type]).toEqual([200, 'Bearer']);
  });

  it('gets tokens over a connection that shows the one in its jwks', async () => {
    const { status, body } = await token(connecting(selfSignedKey), credentials('self-signed'));
    expect(status).toBe(200);
    expect(decodeJwt(body.access_token)).not.toHaveProperty('cnf');
  });

  it.each([
    ['no certificate', nobody, 'robot', 'certificate_missing'],
    ['the certificate of another', asOther, 'robot', 'certificate_subject_mismatch'],
    ['a certificate of another CA', connecting(selfSignedKey), 'robot', 'certificate_untrusted'],
    ['a certificate that is not in its jwks', asRobot, 'self-signed', 'certificate_not_registered'],
  ])('is refused with %s', async (_, call, client_id, reason) => {
    const { status, body } = await token(call, credentials(client_id));
    expect([status, body.error]).toEqual([401, 'invalid_client']);
    expect(sandbox.events.latest('error.returned', 1)[0]).toMatchObject({ reason, client_id });
  });

  it('is not known by a certificate in a header', async () => {
    const certificate = encodeURIComponent(robotKey?.cert ?? '');
    const headers = {
      'X-Client-Cert': certificate,
      'X-Forwarded-Client-Cert': certificate,
      'SSL-Client-Cert': certificate,
      'Client-Cert': `:${derOf(robotKey?.cert ?? '')}:`,
    };
    const body = new URLSearchParams(credentials('robot'));
    const response = await nobody(`${url}/oauth2/token`, { method: 'POST', headers, body });
    expect([response.status, (await response.json()).error]).toEqual([401, 'invalid_client']);
  });
});

describe('a token bound to a certificate', () => {
  it('says so, and is good with it at the API', async () => {
    const { body } = await token(asRobot, credentials('robot'));
    expect(decodeJwt(body.access_token).cnf).toEqual({ 'x5t#S256': thumbprint(robotKey?.cert) });
    const shown = await asRobot(`${url}/oauth2/introspect`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: 'robot', token: body.access_token }),
    });
    expect(await shown.json()).toMatchObject({ active: true, cnf: { 'x5t#S256': thumbprint(robotKey?.cert) } });
    const headers = { authorization: `Bearer ${body.access_token}` };
    expect((await asRobot(`${url}/api/products`, { headers })).status).toBe(200);
    for (const call of [asOther, nobody]) {
      const refused = await call(`${url}/api/products`, { headers });
      expect(refused.status).toBe(401);
      expect(refused.headers.get('www-authenticate')).toContain('error="invalid_token"');
    }
  });

  it('is good with it at UserInfo, and so is the refresh token of a public client', async () => {
    const agent = createAgent(url, nobody);
    const query = authorizeQuery({ client_id: 'app', scope: 'openid profile' });
    const page = await agent.open(`${url}/oauth2/authorize?${query}`);
    const visit = await agent.submit(page, 'login-user-alice');
    const code = visit.url.searchParams.get('code') ?? '';
    const redemption = { grant_type: 'authorization_code', client_id: 'app', code_verifier: verifier };
    const redeem = (call: TlsFetch) => token(call, { ...redemption, code, redirect_uri: callback });

    const without = await redeem(nobody);
    expect([without.status, without.body.error]).toEqual([400, 'invalid_request']);
    const { body } = await redeem(asRobot);
    expect(decodeJwt(body.access_token).cnf).toEqual({ 'x5t#S256': thumbprint(robotKey?.cert) });

    const headers = { authorization: `Bearer ${body.access_token}` };
    expect((await asRobot(`${url}/userinfo`, { headers })).status).toBe(200);
    const refused = await asOther(`${url}/userinfo`, { headers });
    expect([refused.status, (await refused.json()).error]).toEqual([401, 'invalid_token']);
    expect((await nobody(`${url}/userinfo`, { headers })).status).toBe(401);

    const refresh = { grant_type: 'refresh_token', client_id: 'app', refresh_token: body.refresh_token };
    const stolen = await token(asOther, refresh);
    expect([stolen.status, stolen.body.error]).toEqual([400, 'invalid_grant']);
    const refreshed = await token(asRobot, refresh);
    expect(decodeJwt(refreshed.body.access_token).cnf).toEqual({ 'x5t#S256': thumbprint(robotKey?.cert) });
  });
});

describe('a certificate from /tls/client.pem', () => {
  async function issue(form: Record<string, string>, headers: Record<string, string> = {}) {
    const body = new URLSearchParams(form);
    return nobody(`${url}/tls/client.pem`, { method: 'POST', body, headers });
  }

  it('is one file with which the client is known', async () => {
    const response = await issue({ client_id: 'robot' });
    expect(response.headers.get('cache-control')).toBe('no-store');
    const pem = await response.text();
    const { status } = await token(connecting({ cert: pem, key: pem }), credentials('robot'));
    expect(status).toBe(200);
  });

  it.each([
    [{ client_id: 'app' }, 'CN=app', undefined],
    [{ subject_dn: 'CN=a\\+b,O=Example', san_dns: 'a.example' }, 'O=Example\nCN=a\\+b', 'DNS:a.example'],
    [{}, 'CN=client', undefined],
  ])('has the names it is asked for: %j', async (form, subject, names) => {
    const certificate = new X509Certificate(await (await issue(form as Record<string, string>)).text());
    expect([certificate.subject, certificate.subjectAltName]).toEqual([subject, names]);
  });

  it.each([
    [{ client_id: 'nobody' }, 'client_unknown'],
    [{ subject_dn: 'robot' }, 'parameter_malformed'],
    [{ subject_dn: 'UNKNOWN-TYPE=robot' }, 'parameter_malformed'],
    [{ san_ip: 'not an address' }, 'parameter_malformed'],
  ])('is refused for %j', async (form, reason) => {
    const response = await issue(form as Record<string, string>);
    expect([response.status, (await response.json()).error]).toEqual([400, 'invalid_request']);
    expect(sandbox.events.latest('error.returned', 1)[0]?.reason).toBe(reason);
  });

  it('is limited like any request that costs something', async () => {
    await using limited = await createSandbox({ tls: 'self-signed', rateLimit: 1 });
    const call = createTlsFetch({ ca: limited.tls?.ca ?? '' });
    const ask = () => call(`${limited.url}/tls/client.pem`, { method: 'POST', body: new URLSearchParams() });
    expect((await ask()).status).toBe(200);
    const refused = await ask();
    expect([refused.status, (await refused.json()).error]).toEqual([429, 'temporarily_unavailable']);
  });

  it('is not for pages of other sites, and not by GET', async () => {
    expect((await issue({}, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await nobody(`${url}/tls/client.pem`)).status).toBe(405);
  });
});

describe('the metadata', () => {
  const methods = ['tls_client_auth', 'self_signed_tls_client_auth'];
  const document = async (call: TlsFetch, base: string) =>
    (await call(`${base}/.well-known/oauth-authorization-server`)).json();

  it('names the methods, the binding and where to go with a certificate', async () => {
    const metadata = await document(nobody, url);
    expect(metadata.token_endpoint_auth_methods_supported).toEqual(expect.arrayContaining(methods));
    expect(metadata.tls_client_certificate_bound_access_tokens).toBe(true);
    const { mtls_endpoint_aliases: aliases } = metadata;
    expect(aliases.token_endpoint).toBe(`${url}/oauth2/token`);
    for (const [name, address] of Object.entries(aliases)) expect(address, name).toBe(metadata[name]);
    const response = await asRobot(aliases.token_endpoint, {
      method: 'POST',
      body: new URLSearchParams(credentials('robot')),
    });
    expect(response.status).toBe(200);
  });

  it.each<[string, SandboxConfig]>([
    ['without HTTPS', {}],
    ['with the feature off', { tls: 'self-signed', features: { mtls: false } }],
  ])('says nothing of it %s', async (_, changes) => {
    const other = await createSandbox(changes);
    const call: TlsFetch =
      other.tls?.ca === undefined ? address => fetch(address) : createTlsFetch({ ca: other.tls.ca });
    const metadata = await document(call, other.url);
    expect(metadata.token_endpoint_auth_methods_supported).not.toEqual(expect.arrayContaining([methods[0]]));
    expect(metadata.token_endpoint_auth_methods_supported).not.toEqual(expect.arrayContaining([methods[1]]));
    expect(Object.keys(metadata).filter(name => /tls/.test(name))).toEqual([]);
    expect(other.tls?.clientCertificate).toBeUndefined();
    expect((await call(`${other.url}/tls/client.pem`)).status).toBe(404);
    await other.stop();
  });
});

it('trusts the CAs of TLS_CLIENT_CA instead of one of its own', async () => {
  observes('setting tlsClientCa');
  const other = await createSandbox({ ...config, tlsClientCa: newFile('ca.pem', elsewhere.certificate) });
  const known = await elsewhere.issue({ subject_dn: 'CN=robot,O=Example' });
  const ca = other.tls?.ca ?? '';
  expect((await token(createTlsFetch({ ca, ...known }), credentials('robot'), other.url)).status).toBe(200);
  expect((await token(createTlsFetch({ ca, ...robotKey }), credentials('robot'), other.url)).status).toBe(401);
  expect(other.tls?.clientCertificate).toBeUndefined();
  await other.stop();
});
