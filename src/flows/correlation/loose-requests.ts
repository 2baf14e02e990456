import type { JoinRule } from '../flow.ts';
import type { RecordedRequest } from '../recorded-request.ts';
import type { BrowserMark } from './browser-mark.ts';
import { likenessOf } from './browser-mark.ts';

/** A request that says nothing of where it belongs: that is known when the same browser says more. */
interface LooseRequest {
  readonly request: RecordedRequest;
  readonly mark: BrowserMark;
}

const most = 200;
/** Seconds a user may take from opening a page of ours to typing the code. */
const patience = 600;
/** Seconds between a preflight and what it is for; browsers may keep its answer, and then there is none. */
const preflightPatience = 30;

/** Pages on which a user decides: before the code is typed, they are about no device. */
const decisionPages: Readonly<Record<string, string>> = { device_verification: 'device', approvals: 'approvals' };

/** CORS preflights (Fetch §4.8), and pages that a browser opens before it says what for. */
export function createLooseRequests() {
  let kept: LooseRequest[] = [];

  return {
    keep(request: RecordedRequest, mark: BrowserMark): void {
      kept.push({ request, mark });
      if (kept.length > most) kept.shift();
    },
    /** Those that this request explains. */
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

/** The page a request leads to; undefined for all that are no such page. */
export function purposeOf({ event: { endpoint, path } }: RecordedRequest): string | undefined {
  if (endpoint !== 'login') return decisionPages[endpoint];
  return Object.values(decisionPages).find(purpose => path.endsWith(`/login/${purpose}`));
}
