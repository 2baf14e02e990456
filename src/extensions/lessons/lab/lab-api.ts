import { KeyObject } from 'node:crypto';
import { type Request, type RequestHandler, Router } from 'express';
import {
  compactVerify,
  createLocalJWKSet,
  decodeProtectedHeader,
  errors,
  type JSONWebKeySet,
  type JWSHeaderParameters,
  decodeJwt as readClaims,
} from 'jose';
import { checkAudience } from '../../../server/resources/audience.ts';
import { invalidToken, readAccessToken } from '../../../server/resources/bearer-token.ts';
import { checkIssued, checkRequiredClaims } from '../../../server/resources/claims.ts';
import { createErrorHandler } from '../../../server/resources/error-handler.ts';
import {
  type AccessTokenOptions,
  type Claims,
  createResourceServer,
  type ResourceServer,
  type ResourceServerOptions,
} from '../../../server/resources/index.ts';
import { decodeJwt } from '../../../server/resources/jws.ts';
import { Problem } from '../../../server/resources/problem.ts';
import { checkAlgorithm, checkType, findKey } from '../../../server/resources/refused-token.ts';
import { requireAuthority } from '../../../server/resources/require-authority.ts';
import { asymmetricAlgorithms, checkSignature } from '../../../server/resources/signature.ts';
import type { ApiCheck, LabState } from './lab.ts';

export interface LabApiParts {
  readonly state: LabState;
  /** The options of an API that checks everything. */
  readonly options: ResourceServerOptions & Required<Pick<ResourceServerOptions, 'identifiers'>>;
  readonly fetchKeys: FetchKeys;
  /** Called with a token that the careless API let through. */
  readonly onLetThrough: (request: Request, token: string, content: LetThrough) => void;
}

/**
 * The API of a lab. With the defence on it is an API as in `resources/`. With the defence off, reading a collection does not
 * ask for the checks that the lab leaves out.
 */
export function createLabApi({ state, ...parts }: LabApiParts): Router {
  const careful = createResourceServer(parts.options);
  const router = Router({ caseSensitive: true });
  for (const collection of careful.collections) {
    const handle = carelessly(collection, parts);
    router.get(`/${collection.config.name}`, (request, response, next) => {
      const left = leftOut(state);
      // in a mystery, the log looks the same whichever check is missing
      return left.size === 0 && state.missing === undefined ? next() : handle(left)(request, response, next);
    });
  }
  router.use(careful.router);
  router.use(createErrorHandler(parts.options));
  return router;
}

function leftOut({ isDefended, weak }: LabState): ReadonlySet<ApiCheck> {
  return new Set(isDefended ? [] : weak.api);
}

function carelessly(
  { config: { name, readScope = '' }, list }: ResourceServer['collections'][number],
  { options, fetchKeys, onLetThrough }: Omit<LabApiParts, 'state'>,
): (left: ReadonlySet<ApiCheck>) => RequestHandler {
  return left => async (request, response) => {
    const { token } = readAccessToken(request, undefined);
    const content = await validateCarelessly(token, left, { ...options, fetchKeys });
    if (!left.has('aud')) checkAudience(content.claims, options, options.identifiers(name));
    // an API that does not know an access token from an ID token does not ask for a scope: an ID token has none
    if (!left.has('typ')) requireAuthority(content.claims, readScope);
    onLetThrough(request, token, content);
    await list(request, response);
  };
}

type CarelessOptions = Pick<AccessTokenOptions, 'issuer' | 'clock' | 'clockSkew' | 'keys' | 'kids'>;

/** Fetches the JWK Set at the address that a token names. Undefined for an address that the lab forbids. */
export type FetchKeys = (url: string) => Promise<unknown>;

/** A token that the careless check has let through. */
export interface LetThrough {
  readonly header: JWSHeaderParameters & { readonly alg: string };
  readonly claims: Claims;
}

/**
 * VULNERABLE ON PURPOSE, for labs only: validates a token without the checks in `left`. Each of these mistakes has been in
 * libraries or APIs (RFC 8725 §2). It does not check the audience.
 * @throws Problem with 401 for a token that fails the other checks
 */
async function validateCarelessly(
  token: string,
  left: ReadonlySet<ApiCheck>,
  options: CarelessOptions & { readonly fetchKeys: FetchKeys },
): Promise<LetThrough> {
  const { header, claims } = read(token, left);
  if (!left.has('alg')) checkAlgorithm(header, asymmetricAlgorithms);
  if (!left.has('typ')) checkType({ header: decodedHeader(header), claims });
  await checkSigned(token, header, left, options);
  checkIssued(claims, options);
  if (!left.has('typ')) checkRequiredClaims(claims);
  return { header, claims };
}

/** Without the check of `alg`, a token may have an empty signature. */
function read(token: string, left: ReadonlySet<ApiCheck>): LetThrough {
  try {
    const { alg = '', ...header } = decodeProtectedHeader(token);
    const claims = readClaims(token);
    if (!left.has('alg')) decodeJwt(token);
    return { header: { ...header, alg }, claims };
  } catch (error) {
    // says why it is not a token; an empty signature is not the reason
    decodeJwt(left.has('alg') && token.endsWith('.') ? `${token}AAAA` : token);
    throw error;
  }
}

function decodedHeader({ alg, typ }: LetThrough['header']) {
  return { alg, ...(typ === undefined ? {} : { typ }) };
}

async function checkSigned(
  token: string,
  header: LetThrough['header'],
  left: ReadonlySet<ApiCheck>,
  options: CarelessOptions & { readonly fetchKeys: FetchKeys },
): Promise<void> {
  const { alg, jku } = header;
  if (left.has('alg') && alg === 'none') return; // the token says that it needs no signature
  if (left.has('jku') && typeof jku === 'string') return checkByKeyOfSender(token, header, jku, options.fetchKeys);
  const key = await findKey(options, header.kid === undefined ? { alg } : { alg, kid: header.kid });
  // the token says that the key is a shared secret, and everybody can read a public key
  if (left.has('alg') && alg.startsWith('HS')) await checkHmac(token, key);
  else await checkSignature(token, header, key);
}

async function checkHmac(token: string, publicKey: CryptoKey): Promise<void> {
  const pem = KeyObject.from(publicKey).export({ type: 'spki', format: 'pem' });
  try {
    await compactVerify(token, new TextEncoder().encode(String(pem)));
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error;
    throw invalidToken('signature_invalid', 'the signature does not match: the secret is a different one', {
      sent: 'a signature that does not match the header and payload',
      expected: 'an HMAC whose secret is the public key in PEM, with its last line break',
    });
  }
}

/** Takes the key from the address in the header of the token: the sender chooses which key verifies the token. */
async function checkByKeyOfSender(
  token: string,
  header: LetThrough['header'],
  jku: string,
  fetchKeys: FetchKeys,
): Promise<void> {
  const keys = await fetchKeys(jku);
  try {
    const key = await createLocalJWKSet(keys as JSONWebKeySet)(header); // jose checks the type
    await checkSignature(token, header, key);
  } catch (error) {
    if (error instanceof Problem || !(error instanceof Error)) throw error;
    // jose has several kinds of errors for sets and keys that are not valid
    throw invalidToken('key_unknown', `the JWK Set at jku has no usable key for this token: ${error.message}`, {
      sent: `jku ${jku.slice(0, 200)}`,
      expected: `a JWK Set with a key of kid ${header.kid ?? 'missing'} for ${header.alg}`,
    });
  }
}
