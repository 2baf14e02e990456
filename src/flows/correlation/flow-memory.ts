import type { JoinRule } from '../flow.ts';
import type { RecordedRequest } from '../recorded-request.ts';
import { type BrowserMark, createBrowserMarks } from './browser-mark.ts';
import { createCallers } from './callers.ts';
import { kindOf } from './flow-kind.ts';
import type { FlowRecord } from './flow-record.ts';
import { handlesLeftBy, handlesOfStranger, lookupsOf, sessionHandle } from './handles.ts';
import { contentOf, createLikelyFlows } from './likely-flows.ts';
import { createSessionLogouts } from './logouts.ts';
import { createLooseRequests, purposeOf } from './loose-requests.ts';
import { refusalOf } from './refusals.ts';
import { createWaitingLogins } from './waiting-logins.ts';

/** Where a request belongs, and how that is known. */
export interface Join {
  readonly flow: FlowRecord;
  readonly rule: JoinRule;
}

/** What is known of flows, for finding the one a request belongs to. */
export interface FlowMemory {
  find(request: RecordedRequest): Join | undefined;
  /** Remembers what later requests may be recognised by; gives the handles, which go with the request. */
  note(flow: FlowRecord, request: RecordedRequest, isFirst: boolean): readonly string[];
  /** For requests that wait for another to say where they belong. */
  keepLoose(request: RecordedRequest): void;
  takeLoose(request: RecordedRequest): { request: RecordedRequest; rule: JoinRule }[];
  ofHandle(handle: string): FlowRecord | undefined;
  /** A request of a flow is forgotten. */
  release(flow: FlowRecord, requestId: string): void;
  /** A flow is. */
  forget(flow: FlowRecord): void;
  clear(): void;
}

export function createFlowMemory(): FlowMemory {
  const handles = new Map<string, FlowRecord>();
  const marks = createBrowserMarks();
  const logins = createWaitingLogins<FlowRecord>();
  const logouts = createSessionLogouts();
  const callers = createCallers();
  const likely = createLikelyFlows();
  const loose = createLooseRequests();
  const byHandle = (request: RecordedRequest) => firstFound(handles, request);

  return {
    find: request => byHandle(request) ?? byPlace(request, { logins, logouts, callers, likely }, marks.of(request)),
    note(flow, request, isFirst) {
      const mark = marks.after(request);
      noteWhere(flow, request, mark, { logins, logouts, callers, likely });
      const session = mark.session === undefined ? undefined : sessionHandle(mark.session);
      const begun = session === undefined ? undefined : handles.get(session)?.sid;
      if (begun !== undefined && isLoginPage(request)) flow.sid ??= begun;
      const own = leftBy(flow, request, isFirst, session).filter(handle => !handles.has(handle));
      for (const handle of own) handles.set(handle, flow);
      return own;
    },
    keepLoose: request => loose.keep(request, marks.after(request)),
    takeLoose: request => loose.take(request, marks.of(request)),
    ofHandle: handle => handles.get(handle),
    release(flow, requestId) {
      for (const handle of flow.handles.get(requestId) ?? []) handles.delete(handle);
      flow.handles.delete(requestId);
    },
    forget(flow) {
      for (const given of flow.handles.values()) for (const handle of given) handles.delete(handle);
      if (flow.login !== undefined) logins.forget(flow.login);
      for (const place of [logouts, callers, likely]) place.forget(flow);
    },
    clear() {
      for (const place of [handles, logins, logouts, callers, likely, loose]) place.clear();
    },
  };
}

/** What later requests may be recognised by; a login leaves its cookie. */
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

interface Places {
  readonly logins: ReturnType<typeof createWaitingLogins<FlowRecord>>;
  readonly logouts: ReturnType<typeof createSessionLogouts>;
  readonly callers: ReturnType<typeof createCallers>;
  readonly likely: ReturnType<typeof createLikelyFlows>;
}

/** What nothing in the request itself joins: the place it comes from. */
function byPlace(request: RecordedRequest, places: Places, mark: BrowserMark): Join | undefined {
  const { endpoint } = request.event;
  if (isLoginPage(request)) {
    const found = places.logins.find(request, mark);
    return found === undefined ? undefined : { flow: found.login.flow, rule: found.rule };
  }
  if (endpoint === 'end_session' || endpoint === 'logout') return places.logouts.find(request, mark);
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

/** A page of an authorization request; logins for pages of ours are none. */
export function isLoginPage(request: RecordedRequest): boolean {
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
