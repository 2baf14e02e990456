import type { RecordedRequest } from '../../../record/flows/recorded-request.ts';
import { type Check, counted, found, notApplicable, passed, refusalCheck, silenceCheck } from '../check.ts';
import type { ClientRun } from '../client-run.ts';

// Checks of how clients refresh and send tokens.

const usesOf = (run: ClientRun) => [...run.at('api'), ...run.at('userinfo')];
const useCount = (run: ClientRun, words: string) => {
  const uses = usesOf(run).length;
  return uses === 0 ? undefined : `${counted(uses, 'call')} of the API or UserInfo, ${words}`;
};
const noUse = 'The client called neither the sample API nor UserInfo.';
const refreshes = (run: ClientRun) =>
  run.at('token').filter(request => request.value('grant_type') === 'refresh_token');
const noRefresh = 'The client sent no refresh request.';

const refreshRotated = refusalCheck({
  id: 'refresh_rotated',
  title: 'Each refresh token is used once, the newest one',
  failed: 'The client sent an invalid refresh token',
  references: ['RFC 6749 §6', 'RFC 9700 §4.14.2'],
  reasons: ['refresh_token_reused', 'refresh_token_expired_or_unknown', 'refresh_token_of_another_client'],
  verdict: 'fail',
  good: run => {
    const count = refreshes(run).length;
    return count === 0 ? undefined : `${counted(count, 'refresh', 'refreshes')}, each with a valid token.`;
  },
  absent: noRefresh,
  advice:
    'Store the refresh token of each response, and use it in one request at a time. A reused one revokes the whole family.',
});

const refreshNeeded = silenceCheck({
  id: 'refresh_when_due',
  title: 'Tokens are refreshed only when they are about to expire',
  failed: 'The client refreshed tokens that were still valid',
  references: ['RFC 6749 §1.5'],
  detector: 'refresh_at_every_load',
  verdict: 'warn',
  advice: 'Refresh shortly before expires_in has passed.',
  good: run => (refreshes(run).length === 0 ? undefined : 'The client did not refresh valid tokens repeatedly.'),
  absent: noRefresh,
});

const tokenInUrl: Check = {
  id: 'no_token_in_url',
  title: 'No access token in a URL',
  failed: 'An access token was sent in a URL',
  references: ['RFC 6750 §2.3', 'RFC 9700 §4.3.2'],
  reasons: ['api_token_in_query'],
  look(run) {
    const uses = usesOf(run);
    if (uses.length === 0) return notApplicable(noUse);
    const open = uses.filter(({ query }) => query.has('access_token'));
    if (open.length === 0) return passed(`${counted(uses.length, 'call')}, none with a token in the URL.`);
    const why = `${counted(open.length, 'call')} had the access token in the URL, where logs, histories and the Referer header keep it. Send it as Authorization: Bearer.`;
    return found('fail', why, open);
  },
};

/** The token from the `Authorization` header or the form (RFC 6750 §2). */
function presented(request: RecordedRequest): string | undefined {
  return request.header('authorization')?.trim().split(/\s+/).at(-1) ?? request.form.get('access_token') ?? undefined;
}

const accessTokens: Check = {
  id: 'access_token_for_api',
  title: 'APIs receive access tokens, not ID tokens',
  failed: 'An API received a token that is not an access token',
  references: ['RFC 9068 §4', 'OIDC Core §2', 'RFC 6750 §2.1'],
  reasons: ['api_id_token_sent'],
  look(run) {
    const uses = usesOf(run);
    if (uses.length === 0) return notApplicable(noUse);
    const wrong = uses.filter(request => kindOf(run, request) !== undefined);
    const [first] = wrong;
    if (first === undefined) return passed(`${counted(uses.length, 'call')}, all with an access token.`);
    const why = `${counted(wrong.length, 'call')} came with ${kindOf(run, first)} instead of an access token. An ID token tells the app who signed in; APIs must not accept it.`;
    return found('fail', why, wrong);
  },
};

function kindOf(run: ClientRun, request: RecordedRequest): string | undefined {
  const refused = request.facts.some(fact => fact.type === 'error.returned' && fact.reason === 'api_id_token_sent');
  if (refused) return 'an ID token';
  const token = presented(request);
  const issued = token === undefined ? undefined : run.issuedAs(token);
  if (issued?.type === 'code.issued') return 'a code';
  if (issued === undefined || issued.tokenType === 'access') return undefined;
  return issued.tokenType === 'id' ? 'an ID token' : 'a refresh token';
}

const expiredRepeated = silenceCheck({
  id: 'no_expired_token',
  title: 'Expired tokens are not sent again',
  failed: 'The client kept sending an expired token',
  references: ['RFC 6750 §3.1', 'RFC 6749 §1.5'],
  detector: 'expired_token_repeated',
  verdict: 'warn',
  advice: 'Refresh before expires_in has passed, and after the first 401 invalid_token.',
  reasons: ['api_token_expired', 'api_token_ended', 'token_ended', 'access_token_expired', 'api_token_inactive'],
  good: run => useCount(run, 'no expired token sent three times.'),
  absent: noUse,
});

const audience = refusalCheck({
  id: 'audience',
  title: 'Each API receives a token with its own audience',
  failed: 'An API received a token for a different audience',
  references: ['RFC 9068 §4', 'RFC 8707 §2', 'RFC 9700 §2.3'],
  reasons: [
    'api_audience_mismatch',
    'resource_invalid',
    'audience_unknown',
    'resource_unknown',
    'resource_missing',
    'api_issuer_mismatch',
  ],
  verdict: 'fail',
  good: run => useCount(run, 'none refused for its audience.'),
  absent: noUse,
  advice: 'Request a separate token for each API, with the resource that the API expects.',
});

const resourceKnown: Check = {
  id: 'resource_known',
  title: 'Each requested resource is configured',
  failed: 'A client requested a resource that nobody configured',
  references: ['RFC 8707 §2'],
  look(run) {
    const asked = run.requests.filter(({ facts }) => facts.some(fact => resourcesIn(fact, 'resources').length > 0));
    if (asked.length === 0) return notApplicable('The client requested no resource.');
    const odd = asked.filter(({ facts }) => facts.some(fact => resourcesIn(fact, 'unknownResources').length > 0));
    if (odd.length === 0) return passed(`${counted(asked.length, 'request')}, each for a configured API.`);
    const all = odd.flatMap(({ facts }) => facts.flatMap(fact => resourcesIn(fact, 'unknownResources')));
    const names = [...new Set(all)].slice(0, 5).join(', ');
    const why = `Nobody configured ${names}. The sandbox accepts any API; other servers refuse one that they do not know. Add it to the audience of a client. UNKNOWN_RESOURCES=refuse refuses it here, too.`;
    return found('warn', why, odd);
  },
};

type Fact = RecordedRequest['facts'][number];

function resourcesIn(fact: Fact, name: 'resources' | 'unknownResources'): readonly string[] {
  return fact.type === 'token.issued' ? (fact[name] ?? []) : [];
}

const scope = refusalCheck({
  id: 'scope',
  title: 'The client requests the scopes it needs and may use',
  failed: 'A request was refused for its scope',
  references: ['RFC 6749 §3.3', 'RFC 6750 §3.1'],
  reasons: [
    'scope_not_registered',
    'scope_widened',
    'scope_malformed',
    'scope_missing_openid',
    'api_scope_insufficient',
    'authorization_details_widened',
    'authorization_details_type_not_registered',
  ],
  verdict: 'warn',
  good: run => {
    const asked = run.logins.length + run.at('token').length;
    return asked === 0 ? useCount(run, 'none refused for its scope.') : 'No request was refused for its scope.';
  },
  absent: 'The client requested no sign-in and no token.',
  advice: 'Compare the requested scopes with those of the registration and those that the API requires.',
});

const senderBound: Check = {
  id: 'sender_constrained',
  title: 'Sender-constrained tokens (information)',
  failed: 'A request had no valid proof of possession',
  references: ['RFC 9449', 'RFC 8705 §3', 'RFC 9700 §2.2.1'],
  reasons: [
    'dpop_key_mismatch',
    'dpop_proof_alg_unsupported',
    'dpop_proof_for_another_request',
    'dpop_proof_malformed',
    'dpop_proof_for_another_token',
    'dpop_proof_key_invalid',
    'dpop_proof_missing',
    'dpop_proof_replayed',
    'dpop_proof_signature_wrong',
    'dpop_proof_time',
    'token_not_bound',
    'certificate_mismatch',
    'api_certificate_missing',
    'api_certificate_mismatch',
    'api_dpop_scheme_missing',
    'api_dpop_not_bound',
    'api_dpop_proof_missing',
    'api_dpop_proof_repeated',
    'api_dpop_proof_malformed',
    'api_dpop_alg_refused',
    'api_dpop_proof_key_invalid',
    'api_dpop_signature_invalid',
    'api_dpop_htm_mismatch',
    'api_dpop_htu_mismatch',
    'api_dpop_ath_mismatch',
    'api_dpop_iat_out_of_range',
    'api_dpop_key_mismatch',
    'api_dpop_jti_missing',
    'api_dpop_proof_replayed',
  ],
  look(run) {
    const refused = run.refusals.filter(({ error }) => this.reasons?.includes(error.reason) === true);
    const first = refused[0]?.error;
    if (first !== undefined) {
      const requests = refused.flatMap(({ request }) => request ?? []);
      const why = `${counted(refused.length, 'request')} without a valid proof of possession: ${first.reason} (${first.description}).`;
      return found('fail', why, requests);
    }
    const proven = run.requests.filter(request => request.header('dpop') !== undefined).length;
    return proven === 0
      ? notApplicable('No request had a DPoP proof. Tokens may still be bound to a certificate.')
      : passed(`${counted(proven, 'request')} came with a DPoP proof.`);
  },
};

/** Checks of refresh requests and API calls, in the order of the report. */
export const tokenChecks: readonly Check[] = [
  refreshRotated,
  refreshNeeded,
  tokenInUrl,
  accessTokens,
  expiredRepeated,
  audience,
  resourceKnown,
  scope,
  senderBound,
];
