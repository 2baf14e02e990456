import type { Flow, FlowKind, FlowStatus, JoinRule } from '../../flows/flow.ts';
import { duration } from '../duration.ts';

/** The class of its badge. */
export const statusClass: Readonly<Record<FlowStatus, string>> = {
  open: 'info',
  ok: 'ok',
  failed: 'err',
  abandoned: 'warn',
};

/** The end of a flow: its status, or `denied` where the user said no, which is an answer and not a failure. */
export function outcomeOf({ status, steps }: Flow): { readonly word: string; readonly look: string } {
  const refusal = steps.findLast(step => step.refusal !== undefined)?.refusal;
  if (status === 'failed' && refusal?.reason === userDenied) return { word: 'denied', look: '' };
  return { word: status, look: statusClass[status] };
}

/** Reason of a refusal that a user chose on a page of ours. */
export const userDenied = 'user_denied';

/** Why a request belongs to a flow; empty where that is plain. */
export const joinWords: Readonly<Record<JoinRule, string>> = {
  first: '',
  code: 'It is part of this flow by its code.',
  state: 'It is part of this flow by its authorization request, which is the same.',
  request_uri: 'It is part of this flow by its request_uri.',
  device_code: 'It is part of this flow by its device code or user code.',
  auth_req_id: 'It is part of this flow by its auth_req_id.',
  refresh_token: 'It is part of this flow by its refresh token.',
  jti: 'It is part of this flow by the jti of its token.',
  token: 'It is part of this flow by its token.',
  session: 'It is part of this flow by the session cookie.',
  caller: 'It is part of this flow by its caller: the same address and User-Agent, a moment before.',
  inferred:
    'Likely part of this flow, not certain: the same client or caller, a moment before. Nothing in it says more.',
};

const askAgain = 'The client has not asked again yet.';

const waits: Readonly<Partial<Record<FlowKind, string>>> = {
  device: 'Nobody has decided about the device yet.',
  ciba: 'The user has not decided yet.',
  logout: 'The user has not confirmed the logout yet.',
  client_credentials: askAgain,
  password: askAgain,
  token_exchange: askAgain,
  jwt_bearer: askAgain,
  refresh_token: askAgain,
};

/** What a status means for this flow, and which faults it met; empty where the word is enough. */
export function statusSentence(flow: Flow): string {
  return [faultSentence(flow), ownSentence(flow)].filter(sentence => sentence !== '').join(' ');
}

function faultSentence({ steps }: Flow): string {
  const faults = new Set(steps.flatMap(step => step.faults ?? []));
  return faults.size === 0 ? '' : `It met a fault, on purpose: ${[...faults].join(', ')}.`;
}

function ownSentence({ kind, status, tokenIds }: Flow): string {
  if (status === 'open') {
    return waits[kind] ?? (tokenIds.length > 0 ? 'A code waits to be redeemed.' : 'The login page waits for somebody.');
  }
  if (status !== 'abandoned') return '';
  if (kind === 'device' || kind === 'ciba') return 'Nobody decided before it expired.';
  if (waits[kind] === askAgain) return 'The client did not ask again.';
  return tokenIds.length > 0
    ? 'The code was never redeemed. Likely the callback of the app did not run, or threw.'
    : 'Nobody went on from the page that was shown.';
}

/** From the first request to the last: `42 ms`, `1.2 s`. */
export function tookWords({ startedAt, lastAt }: Pick<Flow, 'startedAt' | 'lastAt'>): string {
  const seconds = lastAt - startedAt;
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  return seconds < 60 ? `${seconds.toFixed(1)} s` : duration(seconds);
}
