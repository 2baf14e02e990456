import { createHmac, generateKeyPairSync } from 'node:crypto';
import type { JwtDraft } from '../../oauth/tampering.ts';
import { signJwt } from '../../oauth/tokens/sign-jwt.ts';
import type { FaultContext, FaultKind, JsonObject } from '../fault.ts';
import { without } from './metadata.ts';

const both = ['access', 'id'] as const;
const jwt = {
  place: 'jwt',
  endpoints: ['token', 'authorize'],
  endpoint: 'token',
  parameters: {},
  tokens: both,
} as const;

type Change = (claims: JsonObject, context: FaultContext) => JsonObject;

/** Other claims, under a good signature. */
const saying = (change: Change): FaultKind['effect'] => ({
  does: 'forge',
  forge: ({ key, typ, claims }, context) => signJwt(key, typ, change(claims, context)),
});

/** The right claims, under another signature or header. */
const signed = (forge: (draft: JwtDraft) => Promise<string>): FaultKind['effect'] => ({ does: 'forge', forge });

/** Of what is in a JWT: each breaks one check that an API or a client must make (RFC 9068 §4, OIDC Core §3.1.3.7). */
export const jwtFaults: readonly FaultKind[] = [
  {
    ...jwt,
    name: 'expired',
    title: 'Expired',
    about: 'The token has expired an hour ago.',
    effect: saying((claims, { now }) => ({
      ...claims,
      iat: now - 7200,
      ...nbfOf(claims, now - 7200),
      exp: now - 3600,
    })),
  },
  {
    ...jwt,
    name: 'not_yet_valid',
    title: 'Not yet valid',
    about: 'The token is of an hour from now.',
    effect: saying((claims, { now }) => ({ ...claims, iat: now + 3600, nbf: now + 3600, exp: now + 7200 })),
  },
  {
    ...jwt,
    name: 'wrong_issuer',
    title: 'Another issuer',
    about: 'The token says that another issuer made it.',
    effect: saying((claims, { issuer }) => ({ ...claims, iss: `${issuer}.other` })),
  },
  {
    ...jwt,
    name: 'wrong_audience',
    title: 'Another audience',
    about: 'The token is for somebody else.',
    effect: saying(claims => ({ ...claims, aud: 'somebody-else' })),
  },
  {
    ...jwt,
    name: 'wrong_nonce',
    title: 'Another nonce',
    about: 'The ID Token has a nonce that the client did not send (OIDC Core §3.1.3.7).',
    tokens: ['id'],
    effect: saying(claims => ({ ...claims, nonce: 'not-the-nonce-that-was-sent' })),
  },
  {
    ...jwt,
    name: 'wrong_subject',
    title: 'Another subject',
    about: 'The token is of somebody else.',
    effect: saying(claims => ({ ...claims, sub: 'somebody-else' })),
  },
  {
    ...jwt,
    name: 'missing_claim',
    title: 'A claim is missing',
    about: 'The token lacks a claim.',
    parameters: { member: 'exp' },
    effect: saying((claims, { parameters }) => without(claims, parameters.member)),
  },
  {
    ...jwt,
    name: 'multi_factor',
    title: 'Signed in with two factors',
    about: 'The token says that the user has shown a second factor (`amr`, RFC 8176), though nobody asked for one.',
    token: 'both',
    effect: saying(claims => ({ ...claims, amr: ['pwd', 'otp', 'mfa'] })),
  },
  {
    ...jwt,
    name: 'huge_token',
    title: 'A huge token',
    about: 'The token is larger than the 16 kB that Node, and many a proxy, takes in all headers together.',
    effect: saying(claims => ({ ...claims, groups: Array.from({ length: 1000 }, (_, at) => `group-number-${at}`) })),
  },
  {
    ...jwt,
    name: 'bad_signature',
    title: 'Bad signature',
    about: 'The signature belongs to other claims.',
    effect: signed(async ({ key, typ, claims }) => {
      const [head = '', body = ''] = (await signJwt(key, typ, claims)).split('.');
      const [, , other = ''] = (await signJwt(key, typ, { ...claims, jti: 'another' })).split('.');
      return [head, body, other].join('.');
    }),
  },
  {
    ...jwt,
    name: 'wrong_key',
    title: 'Signed by another key',
    about: 'The header names a key of ours, and another has signed.',
    effect: signed(({ key, typ, claims }) => signJwt({ ...key, privateKey: otherKey(key) }, typ, claims)),
  },
  {
    ...jwt,
    name: 'unknown_kid',
    title: 'An unknown kid',
    about: 'The header names a key that is not published, as after a rotation that was too quick.',
    effect: signed(({ key, typ, claims }) => signJwt({ ...key, kid: 'a-key-that-is-not-published' }, typ, claims)),
  },
  {
    ...jwt,
    name: 'alg_none',
    title: 'alg none',
    about: 'The token is not signed at all, and says so (RFC 8725 §3.1 has it refused).',
    effect: signed(async ({ typ, claims }) => `${encoded({ alg: 'none', typ })}.${encoded(claims)}.`),
  },
  {
    ...jwt,
    name: 'hs256',
    title: 'HS256 with the public key',
    about: 'The public key serves as a shared secret: the confusion of algorithms of RFC 8725 §2.1.',
    effect: signed(async ({ key, typ, claims }) => {
      const input = `${encoded({ alg: 'HS256', typ, kid: key.kid })}.${encoded(claims)}`;
      const secret = key.publicKey.export({ type: 'spki', format: 'pem' });
      return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
    }),
  },
];

function nbfOf({ nbf }: JsonObject, value: number): JsonObject {
  return nbf === undefined ? {} : { nbf: value };
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** Of the same kind, so that only the signature is wrong. */
function otherKey({ privateKey }: JwtDraft['key']) {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = privateKey;
  if (type === 'ec') return generateKeyPairSync('ec', { namedCurve: details?.namedCurve ?? 'P-256' }).privateKey;
  if (type === 'ed25519') return generateKeyPairSync('ed25519').privateKey;
  return generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
}
