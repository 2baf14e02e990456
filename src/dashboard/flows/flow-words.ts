import { duration } from '../../base/text/duration.ts';
import type { Flow, FlowKind, FlowStatus, JoinRule } from '../../record/flows/flow.ts';

/** The class of its badge. */
const statusClass: Readonly<Record<FlowStatus, string>> = {
  open: 'info',
  ok: 'ok',
  failed: 'err',
  abandoned: 'warn',
};

/**
 * The outcome of a flow: its status, unless that would blame the app: `denied` if the user refused, `fault` if a fault
 * ended it, and a logout of nobody.
 */
export function outcomeOf(flow: Flow): { readonly word: string; readonly look: string } {
  const { status, steps } = flow;
  const refusal = steps.findLast(step => step.refusal !== undefined)?.refusal;
  if (status === 'failed' && refusal?.reason === userDenied) return { word: 'denied', look: '' };
  if (status !== 'ok' && steps.at(-1)?.faults !== undefined) return { word: 'fault', look: 'warn' };
  if (isLogoutOfNobody(flow)) return { word: 'nobody was signed in', look: '' };
  return { word: status, look: statusClass[status] };
}

function isLogoutOfNobody({ kind, status, sid, incomplete }: Flow): boolean {
  return kind === 'logout' && status === 'ok' && sid === undefined && !incomplete;
}

/** Reason of a refusal that a user chose on a page of the sandbox. */
const userDenied = 'user_denied';

/** Why a request belongs to a flow; empty if that is obvious. */
export const joinWords: Readonly<Record<JoinRule, string>> = {
  first: '',
  code: 'Matched to this flow by its code.',
  state: 'Matched to this flow by the same authorization request.',
  request_uri: 'Matched to this flow by its request_uri.',
  device_code: 'Matched to this flow by its device code or user code.',
  auth_req_id: 'Matched to this flow by its auth_req_id.',
  refresh_token: 'Matched to this flow by its refresh token.',
  jti: 'Matched to this flow by the jti of its token.',
  token: 'Matched to this flow by its token.',
  session: 'Matched to this flow by its session cookie.',
  caller: 'Matched to this flow by its caller: the same address and User-Agent a moment earlier.',
  inferred: 'Probably part of this flow: the same client or caller a moment earlier. Nothing in the request proves it.',
};

const askAgain = 'The client has not tried again.';

const waits: Readonly<Partial<Record<FlowKind, string>>> = {
  device: 'The user has not decided about the device yet.',
  ciba: 'The user has not decided yet.',
  logout: 'The user has not confirmed the logout yet.',
  client_credentials: askAgain,
  password: askAgain,
  token_exchange: askAgain,
  jwt_bearer: askAgain,
  refresh_token: askAgain,
};

/** A sentence about the status of a flow, with the faults it met; empty if the word alone is clear. */
export function statusSentence(flow: Flow): string {
  return [faultSentence(flow), ownSentence(flow)].filter(sentence => sentence !== '').join(' ');
}

function faultSentence({ steps }: Flow): string {
  const faults = new Set(steps.flatMap(step => step.faults ?? []));
  return faults.size === 0
    ? ''
    : `Made to fail on purpose (${faults.size === 1 ? 'fault' : 'faults'} ${[...faults].join(', ')}).`;
}

function ownSentence({ kind, status, tokenIds }: Flow): string {
  if (status === 'open') {
    return (
      waits[kind] ??
      (tokenIds.length > 0 ? 'The code has not been redeemed yet.' : 'The login page is open and waits for a user.')
    );
  }
  if (status !== 'abandoned') return '';
  if (kind === 'device' || kind === 'ciba') return 'The user did not decide before the request expired.';
  if (waits[kind] === askAgain) return 'The client did not try again.';
  return tokenIds.length > 0
    ? 'The code was never redeemed. The callback of the app probably did not run, or threw an error.'
    : 'The user did not continue from the page that was shown.';
}

/** From the first request to the last: `42 ms`, `1.2 s`. */
export function tookWords({ startedAt, lastAt }: Pick<Flow, 'startedAt' | 'lastAt'>): string {
  const seconds = lastAt - startedAt;
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  return seconds < 60 ? `${seconds.toFixed(1)} s` : duration(seconds);
}
