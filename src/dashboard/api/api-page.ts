import { defined } from '../../defined.ts';
import type { EventOf } from '../../events/event.ts';
import type { IssuedEvent } from '../../events/event-log.ts';
import { headerOf } from '../../events/exchange.ts';
import { createStatusOf, tokenTypeOf } from '../../flows/token-status.ts';
import { parseScope } from '../../oauth/scope.ts';
import { asCurl } from '../copy-as/curl.ts';
import type { Desk } from '../desk.ts';
import { ago, left } from '../duration.ts';
import { bodyView } from '../requests/body-view.ts';
import { claimsOf } from '../search/claim-values.ts';
import { bindingOf } from '../tokens/binding.ts';
import { type ApiEndpoint, apiEndpoints } from './api-endpoints.ts';
import { callWith, type Tried } from './try-request.ts';

/** A call of the sample backend, by whomever. */
export interface ApiCall {
  readonly requestId: string;
  readonly ago: string;
  readonly at: number;
  readonly words: string;
  readonly status: number;
  readonly client_id: string;
  readonly reason: string;
}

/** The page with a filled form, and with what came of a call. */
export async function apiPage(desk: Desk, form: Tried, requestId: string) {
  const tokens = validTokens(desk);
  const result = resultOf(desk, requestId);
  return {
    endpoints: apiEndpoints(desk).map(endpoint => ({ ...endpoint, curl: curlOf(desk, endpoint, tokens) })),
    rules: (await desk.settings()).filter(({ name }) => ruleNames.has(name)),
    words: ruleWords(desk),
    environment,
    tokens: tokens.map(event => choiceOf(event, desk.clock())),
    form: result === undefined && form.tokenId === '' ? withToken(desk, form, tokens) : form,
    ...defined({ result }),
    calls: lastCalls(desk),
  };
}

const mostTokens = 50;

/** Access tokens nobody has to refuse for their age, newest first. */
export function validTokens({ events, clock }: Desk): IssuedEvent[] {
  const statusOf = createStatusOf(events, clock());
  const found: IssuedEvent[] = [];
  for (const event of events.latestIssued(Number.POSITIVE_INFINITY)) {
    if (found.length === mostTokens) break;
    if (tokenTypeOf(event) === 'access' && statusOf(event) === 'valid') found.push(event);
  }
  return found;
}

/** A token that can be tried, in the words of a list of choices. */
function choiceOf(event: IssuedEvent, now: number) {
  const { tokenId, sub, client_id, scope, exp } = event;
  const bound = bindingOf(claimsOf(event)) === undefined ? '' : ', bound to a key: it will be refused from here';
  const who = sub === undefined ? client_id : `${sub} at ${client_id}`;
  return { tokenId, words: `${who}, ${scope ?? 'no scope'}, ${left(exp - now)}${bound} (${tokenId})` };
}

/** With the newest token that opens the endpoint, or else the newest. */
function withToken(desk: Desk, form: Tried, tokens: readonly IssuedEvent[]): Tried {
  const scope = apiEndpoints(desk).find(({ id }) => id === form.endpoint)?.scope ?? '';
  const token = tokens.find(event => parseScope(event.scope).includes(scope)) ?? tokens[0];
  return { ...form, tokenId: token?.tokenId ?? '' };
}

/** With the newest token that opens it. */
function curlOf(desk: Desk, endpoint: ApiEndpoint, tokens: readonly IssuedEvent[]): string {
  const fits = (event: IssuedEvent) =>
    parseScope(event.scope).includes(endpoint.scope) && bindingOf(claimsOf(event)) === undefined;
  const token = tokens.find(fits)?.token ?? '<access_token>';
  const { method, path, headers, body } = callWith(endpoint, { id: '1', body: endpoint.body, token });
  return asCurl({ method, url: new URL(desk.issuer).origin + path, headers: Object.entries(headers), body });
}

const ruleNames = new Set(['API_AUDIENCE', 'API_TOKEN_CHECK', 'API_CLOCK_SKEW']);

function ruleWords({ api, issuer }: Desk): string[] {
  return [
    `The token is a JWT that ${issuer} signed, or one it knows, and is not expired.`,
    api.audience.length === 0
      ? 'Its aud is compared only where a resource was asked for (RFC 8707).'
      : `Its aud has one of: ${api.audience.join(', ')}.`,
    api.tokenCheck === 'introspection'
      ? 'Each call asks whether the token is still good, so that a revoked one is refused, and an opaque one accepted.'
      : 'The signature is checked on the spot: a revoked token is accepted until it expires, as by most APIs.',
  ];
}

const environment = [
  '# only tokens for this audience',
  'API_AUDIENCE=http://localhost:9000/api',
  '# ask about each token, so that revoked ones are refused',
  'API_TOKEN_CHECK=introspection',
  '# forgive a clock that is 30 seconds off',
  'API_CLOCK_SKEW=30',
].join('\n');

/** What came of a call from this page. */
function resultOf({ events }: Desk, requestId: string) {
  const happened = events.ofRequest(requestId);
  const event = happened.find(each => each.type === 'request.completed');
  if (event === undefined) return undefined;
  const { responseBody, responseHeaders } = event.exchange;
  const type = headerOf(responseHeaders, 'content-type') ?? '';
  return {
    requestId,
    firstLine: `${event.method} ${event.path}`,
    status: event.status,
    ...(responseBody === undefined
      ? {}
      : { body: bodyView(responseBody, type, { place: 'response', endpoint: 'api' }) }),
    // `WWW-Authenticate`; empty for none
    challenge: headerOf(responseHeaders, 'www-authenticate') ?? '',
    // why it was refused; empty where it was not
    refusal: reasonOf(happened),
  };
}

function reasonOf(happened: ReturnType<Desk['events']['ofRequest']>): string {
  const refusal = happened.find((each): each is EventOf<'error.returned'> => each.type === 'error.returned');
  return refusal === undefined ? '' : refusal.description;
}

const mostCalls = 20;

function lastCalls({ events, clock }: Desk): ApiCall[] {
  const calls: ApiCall[] = [];
  for (const event of events.latest('request.completed', Number.POSITIVE_INFINITY)) {
    if (calls.length === mostCalls) break;
    if (event.endpoint !== 'api') continue;
    const happened = events.ofRequest(event.requestId);
    const about = happened.find(each => each.type === 'token.used' || each.type === 'error.returned');
    calls.push({
      requestId: event.requestId,
      ago: ago(clock() - event.at),
      at: event.at,
      words: `${event.method} ${event.path.slice(0, 80)}`,
      status: event.status,
      client_id: about?.client_id ?? '',
      reason: reasonOf(happened),
    });
  }
  return calls;
}
