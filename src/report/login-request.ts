import type { EventLog } from '../events/event-log.ts';
import { type RecordedRequest, recordedRequest } from '../flows/recorded-request.ts';
import { readUnverified } from '../oauth/unverified-jwt.ts';
import type { Pieces } from '../turns/in-turns.ts';

/** An authorization request, plain, pushed or signed, as its client meant it. */
export interface RecordedLogin {
  readonly request: RecordedRequest;
  /** A code or a token was given for it. */
  readonly isFinished: boolean;
  readonly isPushed: boolean;
  /** A parameter, wherever it came; empty means absent (RFC 6749 §3.1). */
  value(name: string): string | undefined;
  /** Whether all parameters can be read: those of an encrypted, forgotten or unrecorded request cannot. */
  readonly isReadable: boolean;
}

/** Reads a request of the authorization endpoint, with what was pushed or signed before it. */
export function loginRequest(request: RecordedRequest, allPushed: PushedRequests): RecordedLogin {
  const uri = request.value('request_uri');
  const pushed = uri === undefined ? undefined : allPushed.get(uri);
  const sources = [request, ...(pushed === undefined ? [] : [pushed])];
  const objects = sources.map(source => source.value('request')).filter(jwt => jwt !== undefined);
  const claims = objects.map(claimsIn);
  const value = (name: string) => {
    const said = [...claims.map(each => textIn(each, name)), ...sources.map(source => source.value(name))];
    return said.find(each => each !== undefined);
  };
  const isWhole = uri === undefined || (pushed !== undefined && [...pushed.form.keys()].length > 0);
  return {
    request,
    value,
    isFinished: request.fact('code.issued', 'token.issued') !== undefined,
    isPushed: uri !== undefined && pushed !== undefined,
    isReadable: isWhole && claims.every(each => each !== undefined),
  };
}

/** Requests that were pushed, by the `request_uri` they were given (RFC 9126 §2.2). */
export type PushedRequests = ReadonlyMap<string, RecordedRequest>;

export function* pushedRequests({ events }: { readonly events: EventLog }): Pieces<PushedRequests> {
  const pushed = new Map<string, RecordedRequest>();
  for (const { requestId, request_uri } of events.latest('authorization.pushed', events.kept('authorization.pushed'))) {
    const facts = events.ofRequest(requestId);
    const over = facts.find(fact => fact.type === 'request.completed');
    if (over !== undefined) pushed.set(request_uri, recordedRequest(over, facts));
    yield;
  }
  return pushed;
}

type Claims = Readonly<Record<string, unknown>> | undefined;

function claimsIn(jwt: string): Claims {
  try {
    return readUnverified(jwt).claims;
  } catch {
    return undefined; // encrypted, or never a JWT
  }
}

function textIn(claims: Claims, name: string): string | undefined {
  const value = claims?.[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function hasPkce(login: RecordedLogin): boolean {
  return login.value('code_challenge') !== undefined && login.value('code_challenge_method') === 'S256';
}
