import type { JWTPayload } from 'jose';
import type { AuthorizationServer, TrustedIssuer } from '../authorization-server.ts';
import { checkByEitherClock } from '../client-time.ts';
import { OAuthError, type Refuse } from '../errors.ts';
import { describeValue, shorten } from '../parameters.ts';
import { asymmetricAlgs } from '../profile.ts';
import type { UnverifiedJwt } from '../unverified-jwt.ts';
import {
  checkOwnersSignature,
  checkSignature,
  type JwtForm,
  type JwtProblem,
  readSignedJwt,
  type SignatureProblems,
} from './signed-jwt.ts';

/**
 * Adds the claims of the software statement to the metadata; they override members sent beside it (RFC 7591 §2.3,
 * §3.1.1).
 * @throws invalid_software_statement, unapproved_software_statement
 */
export async function withSoftwareStatement(
  server: AuthorizationServer,
  metadata: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>>> {
  const { software_statement: statement } = metadata;
  if (statement === undefined || statement === null) return metadata;
  if (typeof statement !== 'string') {
    throw refuse('software_statement_invalid', 'software_statement is not text', { expected: 'a signed JWT' });
  }
  const { claims, ...header } = readSignedJwt(statement, form, refuse);
  const issuer = approvedIssuer(server, claims.iss);
  await checkIssuersSignature(server, issuer, statement, header);
  checkByEitherClock(server, now => checkTime(now, claims));
  return { ...metadata, ...claims, software_statement: statement };
}

const refuse: Refuse = (reason, description, details) =>
  new OAuthError('invalid_software_statement', reason, description, details);

const reason = 'software_statement_invalid';

const form: JwtForm = {
  malformed: {
    reason,
    description: 'software_statement is not a signed JWT',
    expected: 'a signed JWT (RFC 7515 §3.1)',
  },
};

const notSigned: JwtProblem = {
  reason,
  description: 'software_statement is not signed by its issuer',
  expected: 'a signature with a key of the issuer',
};

const problems: SignatureProblems = {
  keyUnknown: notSigned,
  signatureWrong: notSigned,
  keysUnavailable: {
    reason,
    description: 'the keys of the issuer of the software_statement cannot be read',
    expected: 'a JWK Set of public keys',
  },
};

function approvedIssuer({ trustedIssuers }: AuthorizationServer, iss: string | undefined): TrustedIssuer {
  const issuer = iss === undefined ? undefined : trustedIssuers.get(iss);
  if (issuer !== undefined) return issuer;
  const description = 'the issuer of software_statement is not trusted';
  throw new OAuthError('unapproved_software_statement', 'software_statement_unapproved', description, {
    sent: shorten(iss || 'no iss'),
    expected: [...trustedIssuers.keys()].join(', ') || 'no issuer is trusted',
  });
}

async function checkIssuersSignature(
  server: AuthorizationServer,
  { issuer, algorithms, jwks, jwks_uri }: TrustedIssuer,
  statement: string,
  header: Pick<UnverifiedJwt, 'alg' | 'kid'>,
): Promise<void> {
  const allowed = algorithms.length > 0 ? algorithms : asymmetricAlgs(server);
  if (!allowed.includes(header.alg)) return checkSignature(statement, header, [], problems, refuse);
  const owner = { client_id: issuer, jwks, jwks_uri };
  await checkOwnersSignature({ server, owner }, statement, header, problems, refuse);
}

/** A statement may have no end. If it has times, they are checked. */
function checkTime(now: number, { exp, nbf }: JWTPayload): void {
  const isPast = exp !== undefined && !(Number.isFinite(exp) && now < exp);
  const isEarly = nbf !== undefined && !(Number.isFinite(nbf) && nbf <= now);
  if (!isPast && !isEarly) return;
  throw refuse(reason, `software_statement is ${isPast ? 'expired' : 'not valid yet'}`, {
    sent: `exp ${describeValue(exp)}, nbf ${describeValue(nbf)}, now is ${now}`,
    expected: 'a statement that is valid now',
  });
}
