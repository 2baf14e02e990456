import { errors, type JWTPayload } from 'jose';
import { defined } from '../../defined.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import { checkByEitherClock } from '../client-time.ts';
import { type ErrorDetails, OAuthError } from '../errors.ts';
import { describeValue, shorten } from '../parameters.ts';
import { isSignedBy } from '../signed-by.ts';
import type { TrustedIssuer } from '../trusted-issuer.ts';
import { formFault, readUnverified, type UnverifiedJwt } from '../unverified-jwt.ts';
import { assertionAlgs } from './assertion-algs.ts';
import { ClientKeysError, clientKeys } from './client-keys.ts';

/**
 * Metadata with what its software statement vouches for, which counts more than what stands beside it (RFC 7591 §2.3, §3.1.1).
 * @throws invalid_software_statement, unapproved_software_statement
 */
export async function withSoftwareStatement(
  server: AuthorizationServer,
  metadata: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>>> {
  const { software_statement: statement } = metadata;
  if (statement === undefined || statement === null) return metadata;
  if (typeof statement !== 'string') throw invalid('software_statement is not text', { expected: 'a signed JWT' });
  const { alg, kid, claims } = decode(statement);
  const issuer = approvedIssuer(server, claims.iss);
  await checkSignature(server, issuer, { statement, alg, kid });
  checkByEitherClock(server, now => checkTime(now, claims));
  return { ...metadata, ...claims, software_statement: statement };
}

function decode(statement: string): UnverifiedJwt {
  try {
    return readUnverified(statement);
  } catch (cause) {
    if (!(cause instanceof errors.JOSEError || cause instanceof TypeError)) throw cause;
    throw invalid(`software_statement is not a signed JWT${formFault(cause)}`, {
      expected: 'a signed JWT (RFC 7515 §3.1)',
      cause,
    });
  }
}

function approvedIssuer({ trustedIssuers }: AuthorizationServer, iss: string | undefined): TrustedIssuer {
  const issuer = iss === undefined ? undefined : trustedIssuers.get(iss);
  if (issuer !== undefined) return issuer;
  const description = 'software_statement is from an issuer that is not trusted here';
  throw new OAuthError('unapproved_software_statement', 'software_statement_unapproved', description, {
    sent: shorten(iss || 'no iss'),
    expected: [...trustedIssuers.keys()].join(', ') || 'no issuer is trusted',
  });
}

async function checkSignature(
  server: AuthorizationServer,
  issuer: TrustedIssuer,
  { statement, alg, kid }: Pick<UnverifiedJwt, 'alg' | 'kid'> & { readonly statement: string },
): Promise<void> {
  const allowed = issuer.algorithms.length > 0 ? issuer.algorithms : assertionAlgs(server, ['private_key_jwt']);
  const keys = allowed.includes(alg) ? await keysOf(server, issuer, { alg, kid }) : [];
  for (const key of keys) {
    if (await isSignedBy(statement, key, alg)) return;
  }
  throw invalid('software_statement is not signed by its issuer', {
    sent: `alg ${shorten(alg)}, kid ${shorten(kid ?? 'none')}`,
    expected: 'a signature with a key of the issuer',
  });
}

async function keysOf(
  server: AuthorizationServer,
  { issuer, jwks, jwks_uri }: TrustedIssuer,
  query: Pick<UnverifiedJwt, 'alg' | 'kid'>,
) {
  const where = { ...defined({ jwks, jwks_uri }) };
  try {
    return await clientKeys(server, { client_id: issuer, ...where }, { use: 'sig', ...query });
  } catch (cause) {
    if (!(cause instanceof ClientKeysError)) throw cause;
    throw invalid('the keys of the issuer of the software_statement cannot be read', { met: cause.met, cause });
  }
}

/** A statement need not end; one that says when it does is taken by its word. */
function checkTime(now: number, { exp, nbf }: JWTPayload): void {
  const isPast = exp !== undefined && !(Number.isFinite(exp) && now < exp);
  const isEarly = nbf !== undefined && !(Number.isFinite(nbf) && nbf <= now);
  if (!isPast && !isEarly) return;
  throw invalid(`software_statement is ${isPast ? 'expired' : 'not valid yet'}`, {
    sent: `exp ${describeValue(exp)}, nbf ${describeValue(nbf)}, now is ${now}`,
    expected: 'a statement that is valid now',
  });
}

function invalid(description: string, details: ErrorDetails = {}): OAuthError {
  return new OAuthError('invalid_software_statement', 'software_statement_invalid', description, details);
}
