import { readUnverified } from '../../../protocol/unverified-jwt.ts';
import type { RecordedRequest } from '../../../record/flows/recorded-request.ts';
import { type Check, counted, found, notApplicable, passed, refusalCheck } from '../check.ts';
import type { ClientRun } from '../client-run.ts';

// Checks of client authentication, and of secrets in addresses.

const backChannel = new Set([
  'token',
  'par',
  'introspect',
  'revoke',
  'device_authorization',
  'backchannel_authentication',
]);
const askedDirectly = (run: ClientRun) => run.requests.filter(({ event }) => backChannel.has(event.endpoint));
const noneAsked = 'The client sent no direct request to this server.';

/** Parameters that must never be in a query. A client assertion is not secret by itself, but works like a secret until it expires. */
const secretParameters = [
  'client_secret',
  'client_assertion',
  'password',
  'refresh_token',
  'code_verifier',
  'device_code',
];

function secretIn(run: ClientRun, { query, event }: RecordedRequest): string | undefined {
  const named = secretParameters.find(name => query.has(name));
  if (named !== undefined) return named;
  const secret = run.client?.client_secret;
  return secret !== undefined && secret.length > 7 && decoded(event.exchange.url).includes(secret)
    ? 'the client_secret'
    : undefined;
}

function decoded(url: string): string {
  try {
    return decodeURIComponent(url.replaceAll('+', ' '));
  } catch {
    return url;
  }
}

const secretInUrl: Check = {
  id: 'no_secret_in_url',
  title: 'No secret in a URL',
  failed: 'A secret was sent in a URL',
  references: ['RFC 6749 §2.3.1', 'RFC 9700 §4.3'],
  look(run) {
    const open = run.requests.filter(request => secretIn(run, request) !== undefined);
    const [first] = open;
    if (first === undefined) return passed(`${counted(run.requests.length, 'URL')}, none with a secret.`);
    const why = `${counted(open.length, 'request')} had ${secretIn(run, first)} in the URL, where logs and histories keep it. Send it in the body, or in the Authorization header.`;
    return found('fail', why, open);
  },
};

const publicSecret: Check = {
  id: 'public_without_secret',
  title: 'A public client sends no client secret',
  failed: 'A public client sent a client secret',
  references: ['RFC 6749 §2.1', 'RFC 8252 §8.5'],
  reasons: ['client_is_public'],
  look(run) {
    const isPublic = run.client?.token_endpoint_auth_methods.every(method => method === 'none') === true;
    if (!isPublic) return notApplicable('The client is registered as confidential, or is not registered.');
    const asked = askedDirectly(run);
    if (asked.length === 0) return notApplicable(noneAsked);
    const secret = asked.filter(
      request =>
        request.value('client_secret') !== undefined ||
        /^basic /i.test(request.header('authorization') ?? '') ||
        request.facts.some(fact => fact.type === 'error.returned' && fact.reason === 'client_is_public'),
    );
    if (secret.length === 0) return passed(`${counted(asked.length, 'request')}, none with a secret.`);
    const why = `${counted(secret.length, 'request')} came with a client secret, but the client is public. A secret in an app or a browser is not secret. Leave it out, or register the client as confidential.`;
    return found('fail', why, secret);
  },
};

const authenticated = refusalCheck({
  id: 'client_authentication',
  title: 'Client authentication matches the registration',
  failed: 'Client authentication did not match the registration',
  references: ['RFC 6749 §2.3', 'OIDC Core §9'],
  reasons: [
    'authentication_method_not_registered',
    'authentication_methods_combined',
    'basic_header_malformed',
    'client_secret_missing',
    'client_secret_wrong',
    'client_unidentified',
    'client_unknown',
    'client_must_be_confidential',
    'client_keys_unavailable',
    'profile_violated',
    'certificate_missing',
    'certificate_not_registered',
    'certificate_subject_mismatch',
    'certificate_untrusted',
    'client_assertion_alg_refused',
    'client_assertion_audience_mismatch',
    'client_assertion_client_mismatch',
    'client_assertion_expired',
    'client_assertion_issuer_mismatch',
    'client_assertion_jti_missing',
    'client_assertion_key_unknown',
    'client_assertion_lives_too_long',
    'client_assertion_malformed',
    'client_assertion_missing',
    'client_assertion_not_yet_valid',
    'client_assertion_replayed',
    'client_assertion_signature_wrong',
    'client_assertion_time_malformed',
    'client_assertion_type_unsupported',
  ],
  verdict: 'fail',
  good(run) {
    const methods = run.requests.flatMap(({ facts }) =>
      facts.flatMap(fact => (fact.type === 'client.authenticated' ? [fact.method] : [])),
    );
    const used = [...new Set(methods)].join(', ');
    return methods.length === 0 ? undefined : `${counted(methods.length, 'request')}, authentication method ${used}.`;
  },
  absent: noneAsked,
  advice:
    'Compare the client_id, the secret or key, and the authentication method of your library with the registration.',
});

const assertionAudience: Check = {
  id: 'assertion_audience',
  title: 'Client assertions are for the issuer alone',
  failed: 'A client assertion named an endpoint as its audience',
  references: ['RFC 7523 §3', 'FAPI 2.0 Security Profile §5.3.2.1'],
  look(run) {
    const asserted = run.requests.filter(request => request.value('client_assertion') !== undefined);
    if (asserted.length === 0) return notApplicable('The client sent no client_assertion.');
    const others = asserted.filter(request => audienceOf(request.value('client_assertion') ?? '') !== run.iss);
    if (others.length === 0) return passed(`${counted(asserted.length, 'assertion')}, each for ${run.iss} alone.`);
    const why = `${counted(others.length, 'assertion')} had an aud other than the text ${run.iss}. RFC 7523 allows the token endpoint, and so does this server; its update (draft-ietf-oauth-rfc7523bis) allows the issuer alone, because a malicious server could otherwise use the assertion here. ASSERTION_AUDIENCE=issuer refuses such assertions.`;
    return found('warn', why, others);
  },
};

/** Undefined for text that is no JWT. */
function audienceOf(assertion: string): unknown {
  try {
    return readUnverified(assertion).claims.aud;
  } catch {
    return undefined; // refused for that
  }
}

const noPassword: Check = {
  id: 'no_password_grant',
  title: 'No password grant',
  failed: 'The client used the password grant',
  references: ['RFC 9700 §2.4', 'OAuth 2.1 §10.1'],
  look(run) {
    const asked = run.at('token');
    if (asked.length === 0) return notApplicable('The client sent no token request.');
    const used = asked.filter(request => request.value('grant_type') === 'password');
    if (used.length === 0)
      return passed(`${counted(asked.length, 'token request')}, none with the password of a user.`);
    const why = `${counted(used.length, 'token request')} with grant_type=password. The app sees the password of the user, and a second factor is impossible. Use the authorization code grant with PKCE.`;
    return found('fail', why, used);
  },
};

/** Checks of client credentials, in the order of the report. */
export const credentialChecks: readonly Check[] = [
  secretInUrl,
  publicSecret,
  authenticated,
  assertionAudience,
  noPassword,
];
