import type { JoinRule } from '../flow.ts';
import type { RecordedRequest } from '../recorded-request.ts';
import { kindOf } from './flow-kind.ts';
import type { FlowRecord } from './flow-record.ts';
import { asksFirst, refusalOf, staysHere } from './flow-status.ts';
import { clientNamed, digest, handlesLeftBy, handlesOfStranger, lookupsOf, sessionHandle } from './handles.ts';
import {
  type BrowserMark,
  createBrowserMarks,
  createLooseRequests,
  createWaitingLogins,
  mostLike,
  purposeOf,
} from './waiting-logins.ts';

interface Join {
  readonly flow: FlowRecord;
  readonly rule: JoinRule;
}

/** Finds the flow that a request belongs to. */
export type FlowMemory = ReturnType<typeof createFlowMemory>;

/** Creates an empty memory. */
export function createFlowMemory() {
  const handles = new Map<string, FlowRecord>();
  const marks = createBrowserMarks();
  const places = createPlaces();
  const { logins } = places;
  const loose = createLooseRequests();

  return {
    find: (request: RecordedRequest) => firstFound(handles, request) ?? byPlace(request, places, marks.of(request)),
    /** Remembers the handles by which later requests are recognised; returns them, so that they are forgotten with the request. */
    note(flow: FlowRecord, request: RecordedRequest, isFirst: boolean): readonly string[] {
      const mark = marks.after(request);
      noteWhere(flow, request, mark, places);
      const session = mark.session === undefined ? undefined : sessionHandle(mark.session);
      const begun = session === undefined ? undefined : handles.get(session)?.sid;
      if (begun !== undefined && isLoginPage(request)) flow.sid ??= begun;
      const own = leftBy(flow, request, isFirst, session).filter(handle => !handles.has(handle));
      for (const handle of own) handles.set(handle, flow);
      return own;
    },
    keepLoose: (request: RecordedRequest) => loose.keep(request, marks.after(request)),
    takeLoose: (request: RecordedRequest) => loose.take(request, marks.of(request)),
    ofHandle: (handle: string) => handles.get(handle),
    release(flow: FlowRecord, requestId: string): void {
      for (const handle of flow.handles.get(requestId) ?? []) handles.delete(handle);
      flow.handles.delete(requestId);
    },
    forget(flow: FlowRecord): void {
      for (const given of flow.handles.values()) for (const handle of given) handles.delete(handle);
      if (flow.login !== undefined) logins.forget(flow.login);
      for (const place of [places.logouts, places.callers, places.likely]) place.forget(flow);
    },
    clear(): void {
      for (const place of [handles, loose, ...Object.values(places)]) place.clear();
    },
  };
}

function leftBy(flow: FlowRecord, request: RecordedRequest, isFirst: boolean, session: string | undefined): string[] {
  const isLogin = session !== undefined && request.fact('login.succeeded') !== undefined;
  return [
    ...handlesLeftBy(request),
    ...(isFirst && flow.kind === 'calls' ? handlesOfStranger(request) : []),
    ...(isLogin ? [session] : []),
  ];
}

function firstFound(handles: ReadonlyMap<string, FlowRecord>, request: RecordedRequest): Join | undefined {
  for (const [handle, rule] of lookupsOf(request)) {
    const flow = handles.get(handle);
    if (flow !== undefined) return { flow, rule };
  }
  return undefined;
}

type Places = ReturnType<typeof createPlaces>;

function createPlaces() {
  return {
    logins: createWaitingLogins<FlowRecord>(),
    logouts: createSessionLogouts(),
    callers: createCallers(),
    likely: createLikelyFlows(),
  };
}

function byPlace(request: RecordedRequest, places: Places, mark: BrowserMark): Join | undefined {
  const { endpoint } = request.event;
  if (isLoginPage(request)) {
    const found = places.logins.find(request, mark);
    return found === undefined ? undefined : { flow: found.login.flow, rule: found.rule };
  }
  if (endpoint === 'end_session' || endpoint === 'logout') return places.logouts.find(mark);
  if (kindOf(request) === 'setup') return joinedBy('caller', places.callers.find('setup', request));
  if (kindOf(request) === 'calls')
    return isStranger(request) ? joinedBy('inferred', places.callers.find('calls', request)) : undefined;
  return endpoint === 'token' || endpoint === 'par' ? joinedBy('inferred', places.likely.find(request)) : undefined;
}

function isStranger(request: RecordedRequest): boolean {
  return handlesOfStranger(request).length === 0;
}

function joinedBy(rule: JoinRule, flow: FlowRecord | undefined): Join | undefined {
  return flow === undefined ? undefined : { flow, rule };
}

/** Whether the request is for a page of an authorization request. Logins for the device page or the approvals page are excluded. */
function isLoginPage(request: RecordedRequest): boolean {
  const { endpoint } = request.event;
  if (endpoint === 'authorize' || endpoint === 'consent') return true;
  return endpoint === 'login' && purposeOf(request) === undefined;
}

function noteWhere(flow: FlowRecord, request: RecordedRequest, mark: BrowserMark, places: Places): void {
  const { endpoint } = request.event;
  if (isLoginPage(request)) flow.login = places.logins.note(flow, request, mark, flow.login);
  if (endpoint === 'end_session' || endpoint === 'logout') places.logouts.note(flow, request, mark);
  if (flow.kind === 'setup') places.callers.note('setup', request, flow);
  if (flow.kind === 'calls' && isStranger(request)) places.callers.note('calls', request, flow);
  if (flow.kind !== 'setup' && flow.kind !== 'calls') places.likely.note(flow);
  if (refusalOf(request)?.error === 'use_dpop_nonce') flow.triedWith = contentOf(request);
}

/** The most seconds between two calls of one caller. */
const windows = { setup: 300, calls: 30 } as const;

type Purpose = keyof typeof windows;

/** Groups calls by their sender if nothing else connects them: requests for metadata and keys, and calls without a token. */
function createCallers() {
  const last = new Map<string, FlowRecord>();
  const keyOf = (purpose: Purpose, request: RecordedRequest) =>
    [purpose, request.ip, request.header('user-agent')].join('\n');

  return {
    find(purpose: Purpose, request: RecordedRequest): FlowRecord | undefined {
      const record = last.get(keyOf(purpose, request));
      const isRecent = record !== undefined && request.event.at - record.progress.lastAt <= windows[purpose];
      return isRecent ? record : undefined;
    },
    note(purpose: Purpose, request: RecordedRequest, record: FlowRecord): void {
      last.set(keyOf(purpose, request), record);
    },
    forget(record: FlowRecord): void {
      if (record.kind !== 'setup' && record.kind !== 'calls') return;
      for (const [key, each] of last) if (each === record) last.delete(key);
    },
    clear: () => last.clear(),
  };
}

interface WaitingLogout {
  readonly flow: FlowRecord;
  mark: BrowserMark;
}

const most = 100;

/** Logouts that wait for a confirmation or for the browser to return. Their requests are joined by session. */
function createSessionLogouts() {
  const waiting: WaitingLogout[] = [];
  const drop = (flow: FlowRecord) => {
    const index = waiting.findIndex(each => each.flow === flow);
    if (index !== -1) waiting.splice(index, 1);
  };

  return {
    find(mark: BrowserMark): { flow: FlowRecord; rule: JoinRule } | undefined {
      const { likeness, alike } = mostLike(waiting, each => each.mark, mark);
      const found = alike.at(-1);
      if (found === undefined || likeness === 'unknown') return undefined;
      return { flow: found.flow, rule: likeness === 'same session' ? 'session' : 'inferred' };
    },
    note(flow: FlowRecord, request: RecordedRequest, mark: BrowserMark): void {
      drop(flow);
      if (!asksFirst(request) && !staysHere(request)) return;
      waiting.push({ flow, mark });
      if (waiting.length > most) waiting.shift();
    },
    forget: drop,
    clear: () => void waiting.splice(0),
  };
}

/** Seconds after its last request during which a flow is a candidate. */
const window = 30;
const mostRemembered = 20;

/** Last resort: finds a flow with the same client and redirect URI shortly before. Such a join is marked as `inferred`. */
function createLikelyFlows() {
  const byClient = new Map<string, FlowRecord[]>();

  function find(request: RecordedRequest): FlowRecord | undefined {
    const client = clientNamed(request);
    const recent = (client === undefined ? undefined : byClient.get(client)) ?? [];
    const isRecent = (flow: FlowRecord) => request.event.at - flow.progress.lastAt <= window;
    const candidates = recent.filter(isRecent);
    return (
      candidates.findLast(flow => isMeant(flow, request)) ?? candidates.findLast(flow => isTriedAgain(flow, request))
    );
  }

  return {
    find,
    note(record: FlowRecord): void {
      const { client_id } = record;
      if (client_id === undefined) return;
      const flows = byClient.get(client_id) ?? [];
      byClient.set(client_id, flows);
      if (!flows.includes(record)) flows.push(record);
      if (flows.length > mostRemembered) flows.shift();
    },
    forget(record: FlowRecord): void {
      const flows = byClient.get(record.client_id ?? '');
      const index = flows?.indexOf(record) ?? -1;
      if (index !== -1) flows?.splice(index, 1);
      if (flows?.length === 0) byClient.delete(record.client_id ?? '');
    },
    clear: () => byClient.clear(),
  };
}

/** Whether a token request with an unknown code probably belongs to a flow that waits for its code. */
function isMeant(flow: FlowRecord, request: RecordedRequest): boolean {
  if (request.fact('token.issued') !== undefined) return false;
  if (request.value('grant_type') !== 'authorization_code' || flow.kind !== 'authorization_code') return false;
  const sent = request.value('redirect_uri');
  return flow.progress.waitsUntil !== undefined && (sent === undefined || sent === flow.redirect_uri);
}

/** Whether the client repeats a request with the DPoP nonce it received (RFC 9449 §8). */
function isTriedAgain({ triedWith, steps }: FlowRecord, request: RecordedRequest): boolean {
  const last = steps.at(-1)?.step.refusal?.error;
  return last === 'use_dpop_nonce' && triedWith !== undefined && triedWith === contentOf(request);
}

const proofs: ReadonlySet<string> = new Set(['client_assertion', 'client_secret']);

function contentOf({ event, form }: RecordedRequest): string {
  const pairs = [...form].filter(([name]) => !proofs.has(name)).map(pair => pair.join('='));
  return digest([event.path, ...pairs.sort()].join('\n'));
}
