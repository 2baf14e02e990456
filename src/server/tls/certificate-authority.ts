import './reflect-metadata.ts';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  type Extension,
  type JsonGeneralNames,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';
import type { CertifiedKey } from './tls-options.ts';

/** Name, validity and constraints of an authority. */
interface AuthorityOptions {
  readonly commonName: string;
  readonly now: Date;
  /** Extensions in addition to those of every CA. */
  readonly extensions?: readonly Extension[];
}

/** Subject, names and purpose of a certificate. */
interface LeafOptions {
  /** RFC 4514 text. */
  readonly subject: string;
  readonly names: JsonGeneralNames;
  readonly usage: 'server' | 'client';
  readonly now: Date;
}

/** A certificate authority whose private key never leaves the memory of this process. */
interface CertificateAuthority {
  /** Its own certificate, PEM. */
  readonly certificate: string;
  issue(leaf: LeafOptions): Promise<CertifiedKey>;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

/** Apple's systems accept 825 days for a certificate that a person trusts by hand, and 398 for any other. */
const validDays = 397;

/** A new authority (RFC 5280 §4.2.1.9): it issues certificates of servers and clients, and no further authority. */
export async function createCertificateAuthority({
  commonName,
  now,
  extensions = [],
}: AuthorityOptions): Promise<CertificateAuthority> {
  const keys = await crypto.subtle.generateKey(algorithm, false, ['sign', 'verify']);
  const identifier = await SubjectKeyIdentifierExtension.create(keys.publicKey);
  const own = await X509CertificateGenerator.createSelfSigned({
    name: [{ O: ['Grantbox'] }, { CN: [commonName] }],
    keys,
    signingAlgorithm: algorithm,
    ...validity(now),
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      identifier,
      ...extensions,
    ],
  });

  async function issue({ subject, names, usage, now }: LeafOptions): Promise<CertifiedKey> {
    const pair = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
    const certificate = await X509CertificateGenerator.create({
      subject,
      issuer: own.subjectName,
      publicKey: pair.publicKey,
      signingKey: keys.privateKey,
      signingAlgorithm: algorithm,
      ...validity(now),
      extensions: [
        new BasicConstraintsExtension(false, undefined, true),
        new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
        new ExtendedKeyUsageExtension([usage === 'server' ? ExtendedKeyUsage.serverAuth : ExtendedKeyUsage.clientAuth]),
        ...(names.length === 0 ? [] : [new SubjectAlternativeNameExtension(names)]),
        await SubjectKeyIdentifierExtension.create(pair.publicKey),
        await AuthorityKeyIdentifierExtension.create(keys.publicKey),
      ],
    });
    return { cert: pem(certificate), key: await privateKeyPem(pair.privateKey) };
  }
  return { certificate: pem(own), issue };
}

/** Valid since an hour ago, for clocks that are behind. */
function validity(now: Date): { notBefore: Date; notAfter: Date } {
  const start = now.getTime() - 3_600_000;
  return { notBefore: new Date(start), notAfter: new Date(start + validDays * 86_400_000) };
}

function pem(certificate: { toString(format: 'pem'): string }): string {
  return `${certificate.toString('pem').trim()}\n`;
}

async function privateKeyPem(key: CryptoKey): Promise<string> {
  const bytes = Buffer.from(await crypto.subtle.exportKey('pkcs8', key));
  const lines = bytes.toString('base64').replace(/.{64}(?!$)/g, '$&\n');
  return `-----BEGIN PRIVATE KEY-----\n${lines}\n-----END PRIVATE KEY-----\n`;
}
