import type { EventLog } from '../../base/events/event-log.ts';
import type { Pieces } from '../../base/turns.ts';
import { readUnverified } from '../../protocol/unverified-jwt.ts';
import { type RecordedRequest, requestIn } from '../../record/flows/recorded-request.ts';

/** An authorization request with its parameters, whether they were sent directly, pushed or in a signed request object. */
export interface RecordedLogin {
  readonly request: RecordedRequest;
  /** True if it returned a code or a token. */
  readonly isFinished: boolean;
  readonly isPushed: boolean;
  /** A parameter from any of these places; an empty value counts as absent (RFC 6749 §3.1). */
  value(name: string): string | undefined;
  /** False if some parameters are unknown because the request is encrypted, not recorded, or no longer in the history. */
  readonly isReadable: boolean;
}

/** Reads a request of the authorization endpoint together with its pushed request and its request object. */
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

/** Pushed requests by their `request_uri` (RFC 9126 §2.2). */
export type PushedRequests = ReadonlyMap<string, RecordedRequest>;

/** Reads all pushed requests in the log; each is a piece. */
export function* pushedRequests({ events }: { readonly events: EventLog }): Pieces<PushedRequests> {
  const pushed = new Map<string, RecordedRequest>();
  for (const { requestId, request_uri } of events.latest('authorization.pushed', events.kept('authorization.pushed'))) {
    const request = requestIn(events.ofRequest(requestId));
    if (request !== undefined) pushed.set(request_uri, request);
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

/** Whether the request has an S256 code_challenge; `plain` does not count (RFC 9700 §2.1.1). */
export function hasPkce(login: RecordedLogin): boolean {
  return login.value('code_challenge') !== undefined && login.value('code_challenge_method') === 'S256';
}
