import type { JWTPayload } from 'jose';
import type { AuthorizationServer } from '../authorization-server.ts';
import { areTimes, checkBegun, checkByEitherClock, checkNotExpired, type TimeProblems } from '../client-time.ts';
import type { RegisteredClient, TokenEndpointAuthMethod } from '../clients/client.ts';
import { checkOwnersSignature, clientJwtProblems, type JwtForm, readSignedJwt } from '../clients/signed-jwt.ts';
import type { SecretProof } from '../dialect.ts';
import type { Refuse } from '../errors.ts';
import { describeValue, shorten } from '../parameters.ts';
import type { SecretJwtForm } from './dialect-data.ts';

/**
 * Checks a `client_secret` that is a JWT, which the client signed with its private key and may send until it expires.
 * Undefined for a client that is not registered for `private_key_jwt`.
 * @throws invalid_client
 */
export async function proveBySecret(
  server: AuthorizationServer,
  form: SecretJwtForm,
  { client, secret, refuse, emit }: SecretProof,
): Promise<TokenEndpointAuthMethod | undefined> {
  if (!client.token_endpoint_auth_methods.includes('private_key_jwt')) return undefined;
  if (secret === undefined) {
    const details = { sent: 'none', expected: `a JWT by ${form.alg}` };
    throw refuse('client_secret_missing', 'client_secret is missing: it must be a JWT that the client signs', details);
  }
  const { claims, alg, kid } = readSignedJwt(secret, jwtForm, refuse);
  if (alg !== form.alg) {
    const details = { sent: shorten(alg), expected: form.alg };
    throw refuse('client_assertion_alg_refused', 'alg of the client_secret is not the one of this server', details);
  }
  if (kid === undefined) {
    const details = { sent: 'no kid', expected: 'the kid of a key of the client' };
    throw refuse('client_assertion_key_unknown', 'the client_secret has no kid', details);
  }
  await checkOwnersSignature({ server, owner: client, emit }, secret, { alg, kid }, problems, refuse);
  checkNames(form, client, claims, refuse);
  checkByEitherClock(server, now => checkTimes(now, form, claims, refuse));
  return 'private_key_jwt';
}

const jwtForm: JwtForm = {
  malformed: {
    reason: 'client_assertion_malformed',
    description: 'client_secret is not a signed JWT',
    expected: 'a JWT that the client signs with its private key',
  },
};

const problems = clientJwtProblems('the client_secret', 'client_assertion', 'client_keys_unavailable');

function checkNames(
  { iss, aud }: SecretJwtForm,
  { client_id }: RegisteredClient,
  claims: JWTPayload,
  refuse: Refuse,
): void {
  if (claims.iss !== iss) {
    const details = { sent: describeValue(claims.iss ?? 'no iss'), expected: iss };
    throw refuse(
      'client_assertion_issuer_mismatch',
      'iss of the client_secret is not the owner of the client',
      details,
    );
  }
  if (claims.sub !== client_id) {
    const details = { sent: describeValue(claims.sub ?? 'no sub'), expected: client_id };
    throw refuse('client_assertion_client_mismatch', 'sub of the client_secret is not the client_id', details);
  }
  if ([claims.aud].flat().includes(aud)) return;
  const details = { sent: shorten(JSON.stringify(claims.aud) ?? 'no aud'), expected: aud };
  throw refuse('client_assertion_audience_mismatch', 'aud of the client_secret is not the provider', details);
}

const timeProblems: TimeProblems = { name: 'the client_secret', kind: 'client_assertion' };

function checkTimes(now: number, { longest }: SecretJwtForm, claims: JWTPayload, refuse: Refuse): void {
  const { exp, iat, nbf } = claims;
  if (exp === undefined || iat === undefined || !areTimes(exp, iat, nbf)) {
    const details = { expected: 'exp and iat, in seconds since 1970' };
    throw refuse('client_assertion_time_malformed', 'exp or iat of the client_secret is missing or no number', details);
  }
  checkNotExpired(now, claims, timeProblems, refuse);
  checkBegun(now, claims, timeProblems, refuse);
  if (exp - now <= longest) return;
  const details = { sent: `exp ${exp}, now is ${now}`, expected: `at most ${longest} s from now` };
  throw refuse('client_assertion_lives_too_long', 'exp of the client_secret is too far ahead', details);
}
