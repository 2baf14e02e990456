import type { EventOf } from '../events/event.ts';
import type { IssuedEvent } from '../events/event-log.ts';
import { clientNamed } from '../flows/correlation/named-client.ts';
import { type RecordedRequest, recordedRequest } from '../flows/recorded-request.ts';
import type { RegisteredClient } from '../oauth/clients/client.ts';
import { detectors, type SilentFailure } from '../problems/detectors/index.ts';
import type { Known } from '../problems/known.ts';
import { purposeOf } from '../problems/on-purpose.ts';
import { type LoginRequest, loginRequest, pushedRequests } from './login-request.ts';
import { partStaged } from './staged-requests.ts';

/** A refusal, with the request it answered where that is kept. */
export interface Refusal {
  readonly error: EventOf<'error.returned'>;
  readonly request?: RecordedRequest;
}

/** What one client did, oldest first. Requests that a fault was made for, or that this server sent itself, are left out. */
export interface ClientRun {
  readonly client_id: string;
  /** Absent where it is not registered, or not any more. */
  readonly client?: RegisteredClient;
  readonly requests: readonly RecordedRequest[];
  /** Those that a fault was made for. */
  readonly staged: readonly RecordedRequest[];
  /** The request for a token that came with the code of an authorization response. */
  redemptionOf(response: RecordedRequest): RecordedRequest | undefined;
  /** Of one endpoint, as in events. */
  at(endpoint: string): readonly RecordedRequest[];
  request(requestId: string): RecordedRequest | undefined;
  /** Each login once: a request that showed the login page and came again with a session is one. */
  readonly logins: readonly LoginRequest[];
  /** Those that a code or token was given for. */
  readonly finished: readonly LoginRequest[];
  readonly refusals: readonly Refusal[];
  readonly issued: readonly IssuedEvent[];
  /** What a detector of silent failures found with this client. */
  silences(detector: string): readonly SilentFailure[];
  /** What was issued with this raw value, to whomever. */
  issuedAs(token: string): IssuedEvent | undefined;
}

/** The runs of all clients that were seen in the log, by `client_id`. */
export function clientRuns(known: Known): readonly ClientRun[] {
  const log = readLog(known);
  const registered = new Map([...known.registered()].map(client => [client.client_id, client]));
  return [...log.byClient].map(([client_id, { own: requests, staged }]) => {
    const client = registered.get(client_id);
    const logins = requests
      .filter(({ event }) => event.endpoint === 'authorize')
      .map(each => loginRequest(each, log.pushed));
    return {
      ...{ client_id, requests, staged, redemptionOf: log.redemptionOf },
      ...(client === undefined ? {} : { client }),
      at: endpoint => requests.filter(({ event }) => event.endpoint === endpoint),
      request: log.request,
      logins: onceEach(logins),
      finished: logins.filter(({ isFinished }) => isFinished),
      refusals: requests.flatMap(request => refusalsIn(known, request)),
      issued: requests.flatMap(({ facts }) => facts.filter(isIssuedTo(client_id))),
      silences: name => log.silences(name).filter(each => each.client_id === client_id),
      issuedAs: log.issuedAs,
    };
  });
}

function isIssuedTo(client_id: string) {
  return (fact: RecordedRequest['facts'][number]): fact is IssuedEvent =>
    (fact.type === 'code.issued' || fact.type === 'token.issued') && fact.client_id === client_id;
}

/** What somebody wanted to be refused says nothing about the client. */
function refusalsIn(known: Known, request: RecordedRequest): Refusal[] {
  return request.facts.flatMap(fact => {
    if (fact.type !== 'error.returned') return [];
    return purposeOf(known, { error: fact, request: request.event }) === undefined ? [{ error: fact, request }] : [];
  });
}

function readLog(known: Known) {
  const { events } = known;
  const issued = new Map(events.latestIssued(Number.POSITIVE_INFINITY).map(each => [each.token, each]));
  const issuedAs = (token: string) => issued.get(token);
  const requests = events
    .latest('request.completed', events.kept('request.completed'))
    .reverse()
    .map(event => recordedRequest(event, events.ofRequest(event.requestId)));
  const { own, staged, consequences, redemptionOf } = partStaged(requests);
  const byId = new Map([...own, ...consequences].map(request => [request.event.requestId, request]));
  const byClient = new Map<string, { readonly own: RecordedRequest[]; readonly staged: RecordedRequest[] }>();
  for (const part of ['own', 'staged'] as const) {
    for (const request of { own, staged }[part]) {
      const client_id = clientOf(request, issuedAs);
      if (client_id === undefined) continue;
      const its = byClient.get(client_id) ?? { own: [], staged: [] };
      byClient.set(client_id, its);
      its[part].push(request);
    }
  }
  const found = new Map<string, readonly SilentFailure[]>();
  return {
    ...{
      byClient: new Map([...byClient].sort(([a], [b]) => (a < b ? -1 : 1))),
      issuedAs,
      redemptionOf,
      pushed: pushedRequests(known),
    },
    request: (id: string) => byId.get(id),
    silences(name: string): readonly SilentFailure[] {
      const all =
        found.get(name) ??
        detectors
          .find(each => each.name === name)
          ?.watch(known)
          .found() ??
        [];
      found.set(name, all);
      // a code that was never delivered, or with a wrong state, is not redeemed by whoever does it right
      return all.filter(
        ({ requestId }) => byId.get(requestId)?.fact('answer.replaced') === undefined && byId.has(requestId),
      );
    },
  };
}

/** Endpoints a client, or a browser for it, asks; the sandbox's own are not among them. */
const foreign = new Set([
  'dashboard',
  'health',
  'assets',
  'next_login',
  'root',
  'ca',
  'client_certificate',
  'control',
  'control_read',
]);

function clientOf(request: RecordedRequest, issuedAs: ClientRun['issuedAs']): string | undefined {
  if (foreign.has(request.event.endpoint)) return undefined;
  const named = clientNamed(request);
  if (named !== undefined) return named;
  const sent = [request.header('authorization')?.split(/\s+/).at(-1), ...hinting.map(name => request.value(name))];
  return sent.map(token => (token === undefined ? undefined : issuedAs(token)?.client_id)).find(id => id !== undefined);
}

/** Parameters whose value says whose request it is. */
const hinting = ['access_token', 'id_token_hint', 'token', 'code', 'refresh_token'];

const identity = [
  'state',
  'nonce',
  'code_challenge',
  'redirect_uri',
  'scope',
  'response_type',
  'request_uri',
  'request',
];

function onceEach(logins: readonly LoginRequest[]): readonly LoginRequest[] {
  const keyOf = ({ request }: LoginRequest) => JSON.stringify(identity.map(name => request.value(name)));
  const finished = new Set(logins.filter(({ isFinished }) => isFinished).map(keyOf));
  const last = new Map(logins.map(login => [keyOf(login), login]));
  return logins.filter(login => login.isFinished || (!finished.has(keyOf(login)) && last.get(keyOf(login)) === login));
}
