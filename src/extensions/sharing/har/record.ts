import type { EventOf } from '../../../base/events/event.ts';
import { createEventLog, type EventLog } from '../../../base/events/event-log.ts';
import { kindOf } from '../../../record/flows/correlation/flow-kind.ts';
import { addStep, type FlowRecord, newRecord, shownFlow } from '../../../record/flows/correlation/flow-record.ts';
import type { JoinRule } from '../../../record/flows/flow.ts';
import { requestIn } from '../../../record/flows/recorded-request.ts';
import { redacted } from '../../../record/flows/redaction-names.ts';
import type { ProviderEndpoints } from './endpoints.ts';
import type { HarEntry } from './entries.ts';
import { factsOf } from './facts.ts';
import { createLogins, type HarLogin, type Logins } from './login.ts';
import { placeOf } from './place.ts';

/** Metadata and keys belong to no login. */
const setupEndpoints: ReadonlySet<string> = new Set(['discovery', 'jwks']);

/** Writes the requests to a provider into a log, and places each in its flow. The newest flow is first. */
export function recordEntries(entries: readonly HarEntry[], endpoints: ProviderEndpoints) {
  let at = 0;
  const events = createEventLog({ capacity: Math.max(1, entries.length * 10), now: () => at });
  const parts = { events, logins: createLogins(), records: [] as FlowRecord[] };
  const requestIds: string[] = [];
  const origins: { readonly origin: string; readonly isMain: boolean }[] = [];
  for (const entry of entries) {
    const endpoint = endpoints.of(entry) ?? pageOf(entry, parts.logins);
    if (endpoint === undefined) continue;
    ({ at } = entry);
    origins.push({ origin: entry.url.origin, isMain: endpoint === 'authorize' || endpoint === 'token' });
    requestIds.push(recordEntry(entry, endpoint, parts));
  }
  const origin = (origins.find(({ isMain }) => isMain) ?? origins[0])?.origin ?? '';
  const flows = parts.records.map(record => shownFlow(record, at)).reverse();
  return { events, flows, requestIds, logins: parts.logins.all, origin };
}

/** A page of the provider between an authorization request and its answer: what a user sees and sends. */
function pageOf(entry: HarEntry, logins: Logins): string | undefined {
  const login = logins.last(each => each.isWaiting);
  if (login === undefined || (entry.url.origin !== login.origin && !leadsOn(entry, login))) return undefined;
  const type = entry.responseHeaders.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  const isPage = entry.location !== undefined || /text\/html/i.test(type) || entry.method === 'POST';
  return isPage ? 'login' : undefined;
}

/** A provider may log in users on a different host. */
function leadsOn({ location }: HarEntry, { origin }: HarLogin): boolean {
  return location?.origin === origin;
}

interface Parts {
  readonly events: EventLog;
  readonly logins: Logins;
  readonly records: FlowRecord[];
}

function recordEntry(entry: HarEntry, endpoint: string, { events, logins, records }: Parts): string {
  const requestId = `req_har${entry.index.toString(36)}`;
  const place = setupEndpoints.has(endpoint) ? undefined : placeOf(entry, endpoint, logins);
  const login = place?.login ?? logins.begin(entry.url.origin);
  for (const fact of factsOf(entry, endpoint, login, logins)) events.append(fact, requestId);
  events.append({ type: 'request.completed', ...completed(entry, endpoint) }, requestId);
  const request = requestIn(events.ofRequest(requestId));
  if (request === undefined) return requestId;
  const setup = setupEndpoints.has(endpoint) ? records.find(({ kind }) => kind === 'setup') : undefined;
  const record = setup ?? login.record;
  const rule: JoinRule = record === undefined ? 'first' : (place?.rule ?? 'caller');
  const joined = record ?? begin(records, request);
  if (joined === undefined) return requestId;
  if (!setupEndpoints.has(endpoint)) login.record = joined;
  addStep(joined, request, rule);
  return requestId;
}

function begin(records: FlowRecord[], request: Parameters<typeof newRecord>[2]): FlowRecord | undefined {
  const kind = kindOf(request);
  if (kind === undefined) return undefined;
  const record = newRecord(records.length + 1, kind, request);
  records.push(record);
  return record;
}

function completed(
  entry: HarEntry,
  endpoint: string,
): Omit<EventOf<'request.completed'>, 'type' | 'id' | 'at' | 'requestId'> {
  const { url, method, status, milliseconds, requestHeaders, responseHeaders, requestBody, responseBody } = entry;
  const lines = (headers: HarEntry['requestHeaders']) => headers.map(pair => pair.join('\n')).join('\n');
  return {
    ...{ endpoint, method, path: url.pathname.slice(0, 200), status, milliseconds },
    exchange: {
      ...{ url: url.pathname + url.search, ip: '', requestHeaders: lines(requestHeaders) },
      responseHeaders: lines(responseHeaders),
      // a login page of a provider may send a password under any name, and its own pages are of no use
      requestBody: endpoint === 'login' && requestBody !== undefined ? { ...requestBody, text: redacted } : requestBody,
      ...(endpoint === 'login' ? {} : { responseBody }),
    },
  };
}
