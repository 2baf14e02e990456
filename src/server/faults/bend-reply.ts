import type { Reply } from '../../protocol/endpoints/endpoint.ts';
import type { ParsedObject } from '../../protocol/json-parameter.ts';
import type { FaultContext, FaultKind, TextObject } from './fault.ts';

/** True if the fault applies to this answer: successful JSON, an authorization response, or the redirect after a logout. */
export function isBent(reply: Reply, does: 'bend' | 'respond'): boolean {
  if (does === 'bend') return reply.kind === 'json' && reply.status < 300;
  return isPosted(reply) || (reply.kind === 'redirect' && ('loggedOut' in reply || isResponse(reply.location)));
}

/** A page of ours takes the answer to the application. */
function isPosted(reply: Reply): reply is Extract<Reply, { kind: 'form_post' | 'message' }> {
  return reply.kind === 'form_post' || reply.kind === 'message';
}

/** An authorization response has a code, tokens or an error; a redirect to a page of ours has none. */
function isResponse(location: string): boolean {
  return ['code', 'access_token', 'id_token', 'error'].some(name => parametersIn(location)?.has(name));
}

/** Applies a fault to an answer. */
export function bendReply(reply: Reply, { effect }: FaultKind, context: FaultContext): Reply {
  if (effect.does === 'bend' && reply.kind === 'json') {
    return { ...reply, body: effect.bend(reply.body as ParsedObject, context) };
  }
  if (effect.does !== 'respond') return reply;
  if (isPosted(reply)) return { ...reply, parameters: effect.respond(reply.parameters, context) };
  return reply.kind === 'redirect'
    ? { ...reply, location: bentLocation(reply.location, effect.respond, context) }
    : reply;
}

function bentLocation(
  location: string,
  respond: (parameters: TextObject, context: FaultContext) => TextObject,
  context: FaultContext,
): string {
  const parameters = parametersIn(location);
  if (parameters === undefined) return location;
  const separator = separatorOf(location);
  const own = ownParameters(location, separator);
  const sent = Object.fromEntries([...parameters].filter(([name]) => !own.has(name)));
  const bent = new URLSearchParams([...own, ...Object.entries(respond(sent, context))]).toString();
  return location.slice(0, location.indexOf(separator) + 1) + bent;
}

/** Returns the query of the redirect URI itself, which no fault changes. */
function ownParameters(location: string, separator: '?' | '#'): ReadonlyMap<string, string> {
  const own = new Map<string, string>();
  if (separator === '#') return own;
  for (const [name, value] of parametersIn(location) ?? []) {
    if (responseNames.has(name)) break;
    own.set(name, value);
  }
  return own;
}

const responseNames: ReadonlySet<string> = new Set(
  'code state iss error error_description error_uri access_token id_token token_type expires_in scope session_state response'.split(
    ' ',
  ),
);

function separatorOf(location: string): '?' | '#' {
  return location.includes('#') ? '#' : '?';
}

function parametersIn(location: string): URLSearchParams | undefined {
  const at = location.indexOf(separatorOf(location));
  return at < 0 ? undefined : new URLSearchParams(location.slice(at + 1));
}
