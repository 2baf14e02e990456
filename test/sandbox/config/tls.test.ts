import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createCertificateAuthority } from '../../../src/server/tls/certificate-authority.ts';
import { loadConfig } from '../../support/load-config.ts';
import { newFolder } from '../../support/new-folder.ts';
import { errorOf, problemsOf, shop } from './support.ts';

const now = new Date();
const years = (count: number) => new Date(now.getTime() + count * 365 * 86_400_000);
const authority = await createCertificateAuthority({ commonName: 'a CA', now });
const issue = (date: Date) =>
  authority.issue({
    subject: 'CN=localhost',
    names: [{ type: 'dns', value: 'localhost' }],
    usage: 'server',
    now: date,
  });
const good = await issue(now);
const other = await issue(now);
const expired = await issue(years(-2));
const future = await issue(years(1));
const expiredAuthority = await createCertificateAuthority({ commonName: 'an old CA', now: years(-2) });
const encryptedKey = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
}).privateKey;

const files = {
  'cert.pem': good.cert,
  'chain.pem': `a comment\n${good.cert}${authority.certificate}`,
  'key.pem': good.key,
  'other-key.pem': other.key,
  'expired.pem': expired.cert,
  'expired-key.pem': expired.key,
  'future.pem': future.cert,
  'broken.pem': '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
  'half-broken.pem': `${good.cert}-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n`,
  'empty.pem': '',
  'encrypted-key.pem': encryptedKey,
  'ca.pem': authority.certificate,
  'old-ca.pem': expiredAuthority.certificate,
};
const cwd = newFolder(files);
const load = (env: Record<string, string>) => loadConfig({ cwd, env });

describe('HTTPS', () => {
  it('is off by default', async () => {
    expect((await load({})).tls).toBeUndefined();
    expect((await load({ TLS: 'off' })).tls).toBeUndefined();
  });

  it('is with a certificate that is made on start', async () => {
    expect((await load({ TLS: 'self-signed' })).tls).toEqual({ kind: 'self-signed' });
    const byFlag = await loadConfig({ cwd, flags: { tls: 'self-signed' } });
    expect(byFlag.tls).toEqual({ kind: 'self-signed' });
  });

  it.each(['cert.pem', 'chain.pem'])('is with the certificate of a file: %s', async name => {
    const { tls } = await load({ TLS_CERT: name, TLS_KEY: 'key.pem' });
    expect(tls).toEqual({ kind: 'files', cert: files[name as keyof typeof files], key: good.key });
  });

  it('trusts client certificates of the CAs in a file', async () => {
    const { tls } = await load({ TLS: 'self-signed', TLS_CLIENT_CA: 'ca.pem' });
    expect(tls).toEqual({ kind: 'self-signed', clientCa: authority.certificate });
  });

  it('finds files named in a configuration file beside it', async () => {
    const beside = newFolder({ ...files, 'clients.config.json': { tlsCert: 'cert.pem', tlsKey: 'key.pem' } });
    const config = await loadConfig({ flags: { config: join(beside, 'clients.config.json') }, cwd: newFolder() });
    expect(config.tls).toMatchObject({ kind: 'files', cert: good.cert });
  });

  it('leaves no other setting of it in the configuration', async () => {
    const config = await load({ TLS: 'self-signed' });
    expect(Object.keys(config).filter(name => name.startsWith('tls'))).toEqual(['tls']);
  });
});

describe('a certificate is refused', () => {
  it.each<[string, Record<string, string>, string, RegExp]>([
    ['without its key', { TLS_CERT: 'cert.pem' }, 'TLS_CERT', /TLS_KEY as well/],
    ['that is missing beside its key', { TLS_KEY: 'key.pem' }, 'TLS_KEY', /TLS_CERT as well/],
    [
      'beside one made on start',
      { TLS: 'self-signed', TLS_CERT: 'cert.pem', TLS_KEY: 'key.pem' },
      'TLS',
      /off, because TLS_CERT/,
    ],
    ['that is no file', { TLS_CERT: 'no.pem', TLS_KEY: 'key.pem' }, 'TLS_CERT', /exists and can be read/],
    ['that is a folder', { TLS_CERT: '.', TLS_KEY: 'key.pem' }, 'TLS_CERT', /exists and can be read/],
    ['that is empty', { TLS_CERT: 'empty.pem', TLS_KEY: 'key.pem' }, 'TLS_CERT', /BEGIN CERTIFICATE/],
    ['that is a key', { TLS_CERT: 'key.pem', TLS_KEY: 'key.pem' }, 'TLS_CERT', /BEGIN CERTIFICATE/],
    ['that is broken', { TLS_CERT: 'broken.pem', TLS_KEY: 'key.pem' }, 'TLS_CERT', /certificate 1 in the file cannot/],
    [
      'behind which one is broken',
      { TLS_CERT: 'half-broken.pem', TLS_KEY: 'key.pem' },
      'TLS_CERT',
      /certificate 2 in the file/,
    ],
    ['that expired', { TLS_CERT: 'expired.pem', TLS_KEY: 'expired-key.pem' }, 'TLS_CERT', /expired on \w{3} .* GMT$/],
    ['that is not good yet', { TLS_CERT: 'future.pem', TLS_KEY: 'key.pem' }, 'TLS_CERT', /this one is valid from/],
    ['with a key that is none', { TLS_CERT: 'cert.pem', TLS_KEY: 'cert.pem' }, 'TLS_KEY', /a private key in PEM form/],
    [
      'with an encrypted key',
      { TLS_CERT: 'cert.pem', TLS_KEY: 'encrypted-key.pem' },
      'TLS_KEY',
      /without a passphrase/,
    ],
    [
      'with the key of another',
      { TLS_CERT: 'cert.pem', TLS_KEY: 'other-key.pem' },
      'TLS_KEY',
      /belongs to a different certificate/,
    ],
    [
      'behind the one of its CA',
      { TLS_CERT: 'ca.pem', TLS_KEY: 'key.pem' },
      'TLS_KEY',
      /first certificate in TLS_CERT/,
    ],
    ['of clients without HTTPS', { TLS_CLIENT_CA: 'ca.pem' }, 'TLS_CLIENT_CA', /HTTPS as well/],
    ['of clients that is no CA', { TLS: 'self-signed', TLS_CLIENT_CA: 'cert.pem' }, 'TLS_CLIENT_CA', /of CAs/],
    ['of clients that expired', { TLS: 'self-signed', TLS_CLIENT_CA: 'old-ca.pem' }, 'TLS_CLIENT_CA', /expired on/],
    ['for an issuer without HTTPS', { TLS: 'self-signed', ISSUER: 'http://localhost:9000' }, 'ISSUER', /an https URL/],
    ['made in a way there is none of', { TLS: 'on' }, 'TLS', /off or self-signed/],
  ])('%s', async (_, env, setting, expected) => {
    const problems = await problemsOf({ cwd, env });
    expect(problems.map(problem => problem.source)).toEqual([`environment ${setting}`]);
    expect(problems[0]?.expected).toMatch(expected);
  });

  it('with a key that is too short', async () => {
    const weak = newFolder(await weakCertificate());
    const problems = await problemsOf({ cwd: weak, env: { TLS_CERT: 'cert.pem', TLS_KEY: 'key.pem' } });
    expect(problems).toEqual([
      {
        source: 'environment TLS_KEY',
        value: '"key.pem"',
        expected: '2048 bits or more, not 1024 (RFC 9325 §4.5)',
      },
    ]);
  });

  it('and never shows the key', async () => {
    const error = await errorOf({ cwd, env: { TLS_CERT: 'cert.pem', TLS_KEY: 'other-key.pem' } });
    expect(error.message).not.toContain(other.key.slice(40, 60));
  });
});

/** RSA with 1024 bits. */
async function weakCertificate(): Promise<Record<string, string>> {
  const { X509CertificateGenerator } = await import('@peculiar/x509');
  const algorithm = {
    name: 'RSASSA-PKCS1-v1_5',
    hash: 'SHA-256',
    modulusLength: 1024,
    publicExponent: new Uint8Array([1, 0, 1]),
  };
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned({ name: 'CN=localhost', keys });
  const der = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  return {
    'cert.pem': certificate.toString('pem'),
    'key.pem': `-----BEGIN PRIVATE KEY-----\n${der.replace(/.{64}/g, '$&\n')}\n-----END PRIVATE KEY-----\n`,
  };
}

describe('a client with a certificate', () => {
  const methods = (method: string, more = {}) => ({
    clients: [{ ...shop, token_endpoint_auth_method: method, ...more }],
  });
  const bySubject = methods('tls_client_auth', { tls_client_auth_subject_dn: 'CN=shop' });

  it.each([
    ['token_endpoint_auth_method', bySubject],
    ['token_endpoint_auth_method', methods('self_signed_tls_client_auth', { jwks: { keys: [] } })],
    [
      'token_endpoint_auth_methods',
      {
        clients: [
          {
            ...shop,
            client_secret: 'secret',
            token_endpoint_auth_methods: ['client_secret_basic', 'tls_client_auth'],
            tls_client_auth_san_dns: 'shop.example',
          },
        ],
      },
    ],
    [
      'tls_client_certificate_bound_access_tokens',
      { clients: [{ ...shop, tls_client_certificate_bound_access_tokens: true }] },
    ],
  ])('is refused without HTTPS, and without the feature: %s', async (member, content) => {
    const at = newFolder({ 'clients.config.json': content });
    for (const env of [{}, { TLS: 'self-signed', FEATURES: 'mtls=off' }]) {
      const problems = await problemsOf({ cwd: at, env });
      expect(problems.map(({ source }) => source)).toEqual([`clients.config.json: clients[0].${member}`]);
      expect(problems[0]?.expected).toMatch(/^HTTPS and the feature mtls as well/);
    }
  });

  it('is fine with HTTPS', async () => {
    const config = await loadConfig({
      cwd: newFolder({ 'clients.config.json': bySubject }),
      env: { TLS: 'self-signed' },
    });
    expect(config.clients[0]?.tls_client_auth_subject_dn).toBe('CN=shop');
  });
});
