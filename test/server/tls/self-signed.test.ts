import { createPrivateKey, X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createCertificateAuthority } from '../../../src/server/tls/certificate-authority.ts';
import { createClientAuthority } from '../../../src/server/tls/client-authority.ts';
import { createSelfSigned, nameConstraints } from '../../../src/server/tls/self-signed.ts';

const now = new Date();
const made = await createSelfSigned(['Sandbox.example', '[fd00::7]', 'localhost'], now);
const clients = await createClientAuthority(now);
const ca = new X509Certificate(made.ca);
const server = new X509Certificate(made.server.cert);

describe('the certificate of the server', () => {
  it('is of the CA that is offered, and fits its key', () => {
    expect(server.checkIssued(ca)).toBe(true);
    expect(server.verify(ca.publicKey)).toBe(true);
    expect(server.checkPrivateKey(createPrivateKey(made.server.key))).toBe(true);
    expect(server.ca).toBe(false);
  });

  it('is for this machine and the further hosts, each once', () => {
    expect(server.subjectAltName?.split(', ')).toEqual([
      'DNS:localhost',
      'DNS:*.localhost',
      'IP Address:127.0.0.1',
      'IP Address:0:0:0:0:0:0:0:1',
      'DNS:sandbox.example',
      'IP Address:FD00:0:0:0:0:0:0:7',
    ]);
  });

  it('is good from an hour ago, for about a year', () => {
    const hours = (text: string) => (Date.parse(text) - now.getTime()) / 3_600_000;
    expect(hours(server.validFrom)).toBeCloseTo(-1, 1);
    expect(hours(server.validTo) / 24).toBeCloseTo(397, 0);
  });

  it('has a P-256 key and says what it is for', () => {
    expect(server.publicKey.asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' });
    expect(server.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
  });
});

describe('the CA', () => {
  it('signs itself and is a CA', () => {
    expect(ca.ca).toBe(true);
    expect(ca.verify(ca.publicKey)).toBe(true);
    expect(ca.subject).toBe('O=Grantbox\nCN=Grantbox local CA');
  });

  it('is another on each start', async () => {
    const other = new X509Certificate((await createSelfSigned([], now)).ca);
    expect(other.serialNumber).not.toBe(ca.serialNumber);
    expect(other.fingerprint256).not.toBe(ca.fingerprint256);
  });

  it('may vouch for its hosts only', () => {
    // permitted: DNS localhost, IP 127.0.0.1/32 (RFC 5280 §4.2.1.10)
    const expected = '301ba019300b82096c6f63616c686f7374300a87087f000001ffffffff';
    expect(Buffer.from(nameConstraints(['localhost', '127.0.0.1']).value).toString('hex')).toBe(expected);
    expect(nameConstraints(['localhost']).critical).toBe(true);
  });

  it('encodes constraints that are long', () => {
    const host = `${'a'.repeat(63)}.${'b'.repeat(63)}.example`;
    const bytes = Buffer.from(nameConstraints([host]).value);
    expect(bytes.subarray(0, 3).toString('hex')).toBe('308190');
    expect(bytes.toString('latin1')).toContain(host);
  });
});

describe('a client certificate', () => {
  const clientCa = new X509Certificate(clients.certificate);

  it('is of another CA than the one people trust', async () => {
    const { cert, key } = await clients.issue();
    const certificate = new X509Certificate(cert);
    expect(certificate.subject).toBe('CN=client');
    expect(certificate.subjectAltName).toBeUndefined();
    expect(certificate.verify(clientCa.publicKey)).toBe(true);
    expect(certificate.verify(ca.publicKey)).toBe(false);
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2']);
    expect(certificate.checkPrivateKey(createPrivateKey(key))).toBe(true);
  });

  it('has the subject and the names it is asked for', async () => {
    const { cert } = await clients.issue({
      subject_dn: 'CN=a\\, b,O=Example',
      san_dns: 'client.example',
      san_uri: 'https://client.example/a,b',
      san_ip: '::2',
      san_email: 'me@client.example',
    });
    const certificate = new X509Certificate(cert);
    expect(certificate.subject).toBe('O=Example\nCN=a\\, b');
    expect(certificate.subjectAltName).toBe(
      'DNS:client.example, URI:"https://client.example/a\\u002cb", IP Address:0:0:0:0:0:0:0:2, email:me@client.example',
    );
  });
});

it('keeps the key of a CA where nobody can export it', async () => {
  const authority = await createCertificateAuthority({ commonName: 'a CA', now });
  expect(Object.keys(authority)).toEqual(['certificate', 'issue']);
  expect(authority.certificate).toMatch(/^-----BEGIN CERTIFICATE-----\n[\s\S]+\n-----END CERTIFICATE-----\n$/);
});
