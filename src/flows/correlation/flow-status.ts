import { clientClosedRequest } from '../../events/event.ts';
import { isIssued } from '../../events/event-memory.ts';
import type { FlowKind, FlowStatus } from '../flow.ts';
import type { RecordedRequest } from '../recorded-request.ts';
import { isFinal, refusalOf } from './refusals.ts';

/** How far a flow has come, as far as its status needs it. */
export interface Progress {
  readonly isIssued: boolean;
  /** The last word of an endpoint that decides. */
  readonly isRefused: boolean;
  /** The session has ended, or there was none. */
  readonly isLoggedOut: boolean;
  readonly lastAt: number;
  /** Seconds: until then what it waits with is good. */
  readonly waitsUntil?: number | undefined;
}

export const notBegun: Progress = { isIssued: false, isRefused: false, isLoggedOut: false, lastAt: 0 };

/** Flows that only use what others have got: every endpoint decides. */
const users: ReadonlySet<FlowKind> = new Set(['calls', 'setup', 'registration', 'other', 'logout']);

/** Endpoints of what was got already: they decide nothing about how it was got. */
const uses: ReadonlySet<string> = new Set(['api', 'userinfo', 'introspect', 'revoke']);

const refusedFrom = 400;

/** The progress after one more request. */
export function advance(progress: Progress, kind: FlowKind, request: RecordedRequest): Progress {
  const { event, facts } = request;
  const decides = users.has(kind) || !uses.has(event.endpoint);
  return {
    isIssued: progress.isIssued || facts.some(fact => fact.type === 'token.issued'),
    isRefused: decides ? isRefusedNow(progress, kind, request) : progress.isRefused,
    isLoggedOut: progress.isLoggedOut || endsSession(request),
    lastAt: Math.max(progress.lastAt, event.at),
    waitsUntil: waitEnd(request) ?? progress.waitsUntil,
  };
}

function isRefusedNow({ isRefused }: Progress, kind: FlowKind, request: RecordedRequest): boolean {
  const refusal = refusalOf(request);
  if (refusal === undefined) return isWithoutAnswer(kind, request.event.status);
  return isRefused || isFinal(refusal);
}

/** A fault answers without a word of the server. A browser that hangs up is mostly about to load the page again. */
function isWithoutAnswer(kind: FlowKind, status: number): boolean {
  return status >= refusedFrom && (users.has(kind) || status !== clientClosedRequest);
}

/** All but the page that asks first, and a redirect to another address of ours. */
function endsSession(request: RecordedRequest): boolean {
  const { endpoint, status } = request.event;
  if (endpoint !== 'end_session' && endpoint !== 'logout') return false;
  return status < refusedFrom && !asksFirst(request) && !staysHere(request);
}

/** The page on which a user confirms a logout. */
export function asksFirst({ event }: RecordedRequest): boolean {
  return event.exchange.responseBody?.text.includes('data-testid="logout-confirm"') ?? false;
}

/** A redirect to another address of this server. */
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

/** Seconds: a login page somebody has left is not gone on with. */
const patience = 600;

export function statusOf(kind: FlowKind, progress: Progress, now: number): FlowStatus {
  if (progress.isRefused) return 'failed';
  if (progress.isIssued) return 'ok';
  if (kind === 'logout' ? progress.isLoggedOut : users.has(kind)) return 'ok';
  const until = progress.waitsUntil ?? progress.lastAt + patience;
  return now > until ? 'abandoned' : 'open';
}
