// Queries of the event log for explanations. The log is bounded, so every result may be missing.
import type { EventOf, EventType } from '../../base/events/event.ts';
import { headerOf } from '../../base/events/exchange.ts';
import type { Known } from './known.ts';
import type { Refusal } from './problem.ts';

type Log = Pick<Known, 'events'>;

export function issuedCode({ events }: Log, code: string | undefined): EventOf<'code.issued'> | undefined {
  const issued = code === undefined ? undefined : events.issuedAs(code);
  return issued?.type === 'code.issued' ? issued : undefined;
}

export function issuedToken({ events }: Log, token: string | undefined): EventOf<'token.issued'> | undefined {
  const issued = token === undefined ? undefined : events.issuedAs(token);
  return issued?.type === 'token.issued' ? issued : undefined;
}

function kept<T extends EventType>(events: Known['events'], type: T): EventOf<T>[] {
  return events.latest(type, events.kept(type));
}

/** Returns the tokens that were issued for a code or a refresh token, oldest first. */
export function givenFor(
  { events }: Log,
  { tokenId, authorizationId }: { readonly tokenId: string; readonly authorizationId: string },
): EventOf<'token.issued'>[] {
  return events
    .ofAuthorization(authorizationId)
    .flatMap(event => (event.type === 'token.issued' && event.parentTokenId === tokenId ? [event] : []));
}

export function revocationOf({ events }: Log, authorizationId: string): EventOf<'token.revoked'> | undefined {
  return events.ofAuthorization(authorizationId).findLast(event => event.type === 'token.revoked');
}

/** Finds the recorded exchange of a completed request. */
export function exchangeOf({ events }: Log, requestId: string): EventOf<'request.completed'> | undefined {
  return events.ofRequest(requestId).find(event => event.type === 'request.completed');
}

/** Returns a refusal with its request, if the log still has it. */
export function refusalOf(log: Log, error: EventOf<'error.returned'>): Refusal {
  return { error, request: exchangeOf(log, error.requestId) };
}

/** Returns a parameter of the authorization request of a code, which may be pushed. */
export function loginParameter(log: Log, code: string | undefined, name: string): string | undefined {
  const request = exchangeOf(log, issuedCode(log, code)?.requestId ?? '');
  if (request === undefined) return undefined;
  const query = new URLSearchParams(request.exchange.url.split('?')[1]);
  const uri = query.get('request_uri');
  const pushed =
    uri === null ? undefined : kept(log.events, 'authorization.pushed').find(each => each.request_uri === uri);
  const form = pushed === undefined ? undefined : exchangeOf(log, pushed.requestId)?.exchange.requestBody?.text;
  return query.get(name) ?? new URLSearchParams(form).get(name) ?? undefined;
}

/** Returns all authorization requests in the history, newest first. */
export function authorizationRequests({ events }: Log): EventOf<'request.completed'>[] {
  return kept(events, 'request.completed').filter(({ endpoint }) => endpoint === 'authorize');
}

/** Finds the newest authorization request with this `code_challenge` in its query. */
export function loginWithChallenge({ events }: Log, challenge: string): EventOf<'request.completed'> | undefined {
  const state = `${events.lastId} ${events.newestForgotten}`;
  const known = challenges.get(events);
  const read = known?.state === state ? known : { state, logins: loginsByChallenge(events) };
  challenges.set(events, read);
  return read.logins.get(challenge);
}

type Logins = ReadonlyMap<string, EventOf<'request.completed'>>;

/** Cached for each state of the log, because a list of problems asks for each row. */
const challenges = new WeakMap<Known['events'], { readonly state: string; readonly logins: Logins }>();

function loginsByChallenge(events: Known['events']): Logins {
  const logins = new Map<string, EventOf<'request.completed'>>();
  for (const event of authorizationRequests({ events })) {
    const challenge = /[?&]code_challenge=([\w-]+)/.exec(event.exchange.url)?.[1];
    if (challenge !== undefined && !logins.has(challenge)) logins.set(challenge, event);
  }
  return logins;
}

/** Returns the program that sent a request, from its `User-Agent`. */
export function agentOf(request: EventOf<'request.completed'> | undefined): string | undefined {
  if (request === undefined) return undefined;
  const agent = headerOf(request.exchange.requestHeaders, 'user-agent');
  return agent === undefined
    ? undefined
    : (/(Firefox|Edg|Chrome|Safari|curl|python[\w-]*|Java|Go-http-client|node|undici|axios)[^\s;,)]*/.exec(
        agent,
      )?.[0] ?? agent.slice(0, 40));
}

/** Writes seconds as a duration: `40 ms`, `1.2 s`, `3 min`. */
export function span(seconds: number): string {
  if (seconds < 1) return `${Math.max(0, Math.round(seconds * 1000))} ms`;
  if (seconds < 10) return `${Math.round(seconds * 10) / 10} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}
