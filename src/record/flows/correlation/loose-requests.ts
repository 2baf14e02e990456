import type { JoinRule } from '../flow.ts';
import type { RecordedRequest } from '../recorded-request.ts';
import type { BrowserMark } from './browser-mark.ts';
import { likenessOf } from './browser-mark.ts';

/** A request without a flow yet; a later request of the same browser shows its flow. */
interface LooseRequest {
  readonly request: RecordedRequest;
  readonly mark: BrowserMark;
}

const most = 200;
/** Seconds a user may take from opening the page to typing the code. */
const patience = 600;
/** The most seconds between a preflight and its request. There is none if the browser cached an earlier preflight. */
const preflightPatience = 30;

/** Pages on which a user decides. Before the code is typed, a request for them belongs to no flow. */
const decisionPages: Readonly<Record<string, string>> = { device_verification: 'device', approvals: 'approvals' };

/** Keeps CORS preflights (Fetch §4.8) and requests for decision pages until a later request shows their flow. */
export function createLooseRequests() {
  let kept: LooseRequest[] = [];

  return {
    keep(request: RecordedRequest, mark: BrowserMark): void {
      kept.push({ request, mark });
      if (kept.length > most) kept.shift();
    },
    /** Removes and returns the requests that belong to this one. */
    take(request: RecordedRequest, mark: BrowserMark): { request: RecordedRequest; rule: JoinRule }[] {
      if (kept.length === 0) return [];
      const taken = kept.filter(loose => belongs(loose, request, mark));
      kept = kept.filter(loose => !taken.includes(loose) && request.event.at - loose.request.event.at <= patience);
      return taken.map(loose => ({ request: loose.request, rule: ruleOf(loose, mark) }));
    },
    clear() {
      kept = [];
    },
  };
}

function ruleOf(loose: LooseRequest, mark: BrowserMark): JoinRule {
  return likenessOf(loose.mark, mark) === 'same session' ? 'session' : 'inferred';
}

function belongs(
  { request: loose, mark: looseMark }: LooseRequest,
  request: RecordedRequest,
  mark: BrowserMark,
): boolean {
  const likeness = likenessOf(looseMark, mark);
  if (likeness === 'other' || likeness === 'unknown') return false;
  if (loose.event.method === 'OPTIONS') return isPreflightOf(loose, request);
  const purpose = decisionPages[request.event.endpoint];
  return purpose !== undefined && purpose === purposeOf(loose);
}

function isPreflightOf(preflight: RecordedRequest, request: RecordedRequest): boolean {
  const { event } = request;
  return (
    preflight.event.path === event.path &&
    preflight.header('access-control-request-method') === event.method &&
    preflight.header('origin') === request.header('origin') &&
    event.at - preflight.event.at <= preflightPatience
  );
}

/** `device` or `approvals`, if the request is for that decision page or its login; otherwise undefined. */
export function purposeOf({ event: { endpoint, path } }: RecordedRequest): string | undefined {
  if (endpoint !== 'login') return decisionPages[endpoint];
  return Object.values(decisionPages).find(purpose => path.endsWith(`/login/${purpose}`));
}
