import { defined } from '../../../base/defined.ts';
import type { ErrorReturned, EventFact } from '../../../base/events/event.ts';
import type { Reason } from '../../../protocol/errors.ts';
import { s256 } from '../../../protocol/requests/pkce.ts';
import { isMasked } from '../../../record/flows/redaction-names.ts';
import type { HarEntry } from './entries.ts';
import type { HarLogin } from './login.ts';
import { carriedBy, isBackTo } from './redirect.ts';

/** Why a provider refused a request, as far as the recorded values prove it. */
interface Cause extends Pick<ErrorReturned, 'sent' | 'expected'> {
  readonly reason: Reason | 'refused_by_provider';
}

/** The refusal in an answer: an error in the redirect, an error of the token endpoint, or an error page. */
export function refusalFacts(entry: HarEntry, endpoint: string, login: HarLogin): readonly EventFact[] {
  const { location, answer, status } = entry;
  const carried = location !== undefined && isBackTo(location, login) ? carriedBy(location) : new URLSearchParams();
  const error = carried.get('error') ?? textIn(answer.error);
  const isCalled = endpoint !== 'authorize' && endpoint !== 'login';
  if (error === undefined && status < 400) return [];
  const { client_id } = login;
  const said = carried.get('error_description') ?? textIn(answer.error_description);
  const form = carried.has('error') ? 'redirect' : isCalled ? 'json' : 'page';
  const isRedeemed = endpoint === 'token' && error === 'invalid_grant';
  return [
    {
      ...{ type: 'error.returned', endpoint, status, form, error: error ?? nameOf(status) },
      description: said ?? `the provider answered with ${status === 0 ? 'nothing' : status}`,
      ...(isRedeemed ? causeOf(entry, login) : { reason: reasonOf(error) }),
      ...defined({ client_id }),
    },
  ];
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function nameOf(status: number): string {
  return status === 401 ? 'invalid_token' : status >= 500 || status === 0 ? 'server_error' : 'invalid_request';
}

const reasons: Readonly<Record<string, Cause['reason']>> = {
  access_denied: 'user_denied',
  login_required: 'login_required',
  authorization_pending: 'authorization_pending',
};

function reasonOf(error: string | undefined): Cause['reason'] {
  return Object.hasOwn(reasons, error ?? '') ? (reasons[error ?? ''] ?? 'refused_by_provider') : 'refused_by_provider';
}

/** A provider rarely says why it refuses a code. The recorded values do. */
function causeOf({ parameters }: HarEntry, login: HarLogin): Cause {
  const { challenge, challengeMethod = 'plain', redirect_uri: asked } = login;
  const verifier = parameters.get('code_verifier');
  const redirectUri = parameters.get('redirect_uri');
  const isReplayed = login.isCodeSent === true;
  login.isCodeSent = true;
  if (isReplayed) return { reason: 'code_replayed' };
  if (challenge !== undefined && verifier === null) return { reason: 'pkce_missing', expected: 'code_verifier' };
  if (challenge !== undefined && verifier !== null && !isMasked(verifier)) {
    const sent = challengeMethod === 'S256' ? s256(verifier) : verifier;
    if (sent !== challenge) return { reason: 'pkce_mismatch', sent, expected: challenge };
  }
  if (asked !== undefined && redirectUri !== null && redirectUri !== asked)
    return { reason: 'redirect_uri_mismatch', sent: redirectUri, expected: asked };
  return { reason: 'refused_by_provider' };
}
