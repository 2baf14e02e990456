import { clientClosedRequest, type EventOf, type SandboxEvent } from '../../../base/events/event.ts';
import { isIssued } from '../../../base/events/event-memory.ts';
import type { FlowKind, FlowStatus } from '../flow.ts';
import type { RecordedRequest } from '../recorded-request.ts';

/** The facts that decide the status of a flow. */
export interface Progress {
  readonly isIssued: boolean;
  /** The last decisive request was refused. */
  readonly isRefused: boolean;
  /** A code or refresh token was used twice, so the tokens of the flow are revoked. Later requests do not mend that. */
  readonly isRevoked: boolean;
  /** The session has ended, or there was no session. */
  readonly isLoggedOut: boolean;
  readonly lastAt: number;
  /** Unix seconds: expiry of the code, device code or `auth_req_id` that the flow waits with. */
  readonly waitsUntil?: number;
}

/** The progress of a flow without requests. */
export const notBegun: Progress = {
  isIssued: false,
  isRefused: false,
  isRevoked: false,
  isLoggedOut: false,
  lastAt: 0,
};

/** Kinds of flows in which every request is decisive. */
const users: ReadonlySet<FlowKind> = new Set(['calls', 'setup', 'registration', 'other', 'logout']);

/** Endpoints that use issued tokens. Their refusals do not fail the flow that issued the tokens. */
const uses: ReadonlySet<string> = new Set(['api', 'userinfo', 'introspect', 'revoke']);

const refusedFrom = 400;

/** Updates the progress with one request. */
export function advance(progress: Progress, kind: FlowKind, request: RecordedRequest): Progress {
  const { event, facts } = request;
  const decides = users.has(kind) || !uses.has(event.endpoint);
  return {
    isIssued: progress.isIssued || facts.some(fact => fact.type === 'token.issued'),
    isRefused: decides ? isRefusedNow(progress, kind, request) : progress.isRefused,
    isRevoked: progress.isRevoked || facts.some(isReuse),
    isLoggedOut: progress.isLoggedOut || endsSession(request),
    lastAt: Math.max(progress.lastAt, event.at),
    waitsUntil: waitEnd(request) ?? progress.waitsUntil,
  };
}

/** Whether the fact revokes a login because of a second use, which only a mistake or a thief makes. */
export function isReuse(fact: SandboxEvent): boolean {
  return fact.type === 'token.revoked' && ['code_replayed', 'refresh_token_reused'].includes(fact.reason);
}

function isRefusedNow({ isRefused }: Progress, kind: FlowKind, request: RecordedRequest): boolean {
  const refusal = refusalOf(request);
  if (refusal === undefined) return isWithoutAnswer(kind, request.event.status);
  return isRefused || isFinal(refusal);
}

/** An error status without a refusal event comes from a fault. A browser that closed the connection usually reloads the page. */
function isWithoutAnswer(kind: FlowKind, status: number): boolean {
  return status >= refusedFrom && (users.has(kind) || status !== clientClosedRequest);
}

function endsSession(request: RecordedRequest): boolean {
  const { endpoint, status } = request.event;
  if (endpoint !== 'end_session' && endpoint !== 'logout') return false;
  return status < refusedFrom && !asksFirst(request) && !staysHere(request);
}

/** Whether the answer is the page on which a user confirms a logout. */
export function asksFirst({ event }: RecordedRequest): boolean {
  return event.exchange.responseBody?.text.includes('data-testid="logout-confirm"') ?? false;
}

/** Whether the answer is a redirect within this server. */
export function staysHere(request: RecordedRequest): boolean {
  return request.responseHeader('location')?.startsWith('/') ?? false;
}

function waitEnd({ facts }: RecordedRequest): number | undefined {
  for (const fact of facts) {
    if (isIssued(fact)) return fact.type === 'code.issued' ? fact.exp : undefined;
    if (fact.type === 'device.requested' || fact.type === 'ciba.requested') return fact.exp;
  }
  return undefined;
}

/** Seconds after which an open login page counts as abandoned. */
export const patience = 600;

/** The status of a flow at the time `now`, in Unix seconds. */
export function statusOf(kind: FlowKind, progress: Progress, now: number): FlowStatus {
  if (progress.isRefused || progress.isRevoked) return 'failed';
  if (progress.isIssued) return 'ok';
  if (kind === 'logout' ? progress.isLoggedOut : users.has(kind)) return 'ok';
  const until = progress.waitsUntil ?? progress.lastAt + patience;
  return now > until ? 'abandoned' : 'open';
}

type Refusal = EventOf<'error.returned'>;

/** Errors that are a normal part of a flow: the client repeats the request (RFC 8628 §3.5, RFC 9449 §8). */
const passing: ReadonlySet<string> = new Set(['authorization_pending', 'slow_down', 'use_dpop_nonce']);

/** The refusal of a request: the last one if there are several. A `cors` refusal counts only if there is no other. */
export function refusalOf({ facts }: RecordedRequest): Refusal | undefined {
  const refusals = facts.filter((fact): fact is Refusal => fact.type === 'error.returned');
  return refusals.findLast(({ form }) => form !== 'cors') ?? refusals.at(-1);
}

/** Whether the sender is expected to try again: a client that polls, or a user who mistyped. */
export function isPassing({ error, reason, endpoint }: Refusal): boolean {
  return (
    passing.has(error) || reason === 'login_failed' || endpoint === 'device_verification' || endpoint === 'approvals'
  );
}

/** Whether a refusal ends the flow. A `cors` refusal does not, because the server answered and only the browser blocked the script. */
export function isFinal(refusal: Refusal): boolean {
  return refusal.form !== 'cors' && !isPassing(refusal);
}
