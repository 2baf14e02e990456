import { clientClosedRequest, connectionDropped, type RequestCompleted } from '../../base/events/event.ts';
import { type Exchange, headerOf, headersOf } from '../../base/events/exchange.ts';
import type { Completed } from '../../record/flows/recorded-request.ts';
import { redact, redactText, secretsOf } from '../../record/flows/redaction.ts';
import { problemOf } from '../../record/words/event-words.ts';
import { callOf, copiesOf } from '../http-call.ts';
import { momentOf } from '../moment.ts';
import type { PageContext } from '../page.ts';
import { statusBadge } from '../status-badge.ts';
import { bodyView, type Parameter, type ParameterContext, parametersOf } from './body-view.ts';
import { replayForm } from './replay.ts';
import { createFactsOf, replayHeader } from './request-facts.ts';

/** The model of the page of a request; undefined if the history does not have it. */
export function requestPage(context: PageContext, requestId: string, hidden: boolean) {
  const { events, clock } = context;
  const now = clock();
  const happened = events.ofRequest(requestId);
  const first = happened[0];
  if (first === undefined) return undefined;
  const completed = happened.find(event => event.type === 'request.completed' || event.type === 'page.served');
  const refusal = happened.find(event => event.type === 'error.returned');
  const mask = completed?.type === 'request.completed' && hidden ? maskFor(completed.exchange) : (text: string) => text;
  return {
    requestId,
    title: completed === undefined ? requestId : `${completed.method} ${completed.path}`,
    ...(completed?.type === 'request.completed' ? { badge: statusBadge(context, completed) } : {}),
    // `Answered in 1.5 ms`; empty while it is not complete
    answer: completed === undefined ? '' : answerOf(completed),
    ...(refusal === undefined ? {} : { problem: masked(problemOf(refusal), mask) }),
    faults: completed?.type === 'request.completed' ? (completed.faults?.join(', ') ?? '') : '',
    at: momentOf(first.at, now),
    events: happened.map(event => ({ ...masked(context.describe(event), mask), at: momentOf(event.at, now) })),
    ...(completed?.type === 'request.completed' ? { wire: wireOf(context, completed, hidden) } : {}),
  };
}

function answerOf({ status, milliseconds }: Pick<RequestCompleted, 'status' | 'milliseconds'>): string {
  const took = `${milliseconds.toFixed(1)} ms`;
  if (status === connectionDropped) return `A fault closed the connection after ${took}`;
  return status === clientClosedRequest ? `The client hung up after ${took}` : `Answered in ${took}`;
}

/** Hides the secrets of an exchange in any text. */
export function maskFor(exchange: Exchange): (text: string) => string {
  const secrets = secretsOf(exchange);
  return text => redactText(text, secrets);
}

/** The same with other texts. */
export function masked<T extends object>(words: T, mask: (text: string) => string): T {
  const maskAny = (value: unknown): unknown => {
    if (typeof value === 'string') return mask(value);
    if (Array.isArray(value)) return value.map(maskAny);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, maskAny(each)]));
  };
  return maskAny(words) as T; // the same shape with different texts
}

function wireOf(context: PageContext, event: Completed, hidden: boolean) {
  const { issuer, base } = context;
  const { requestId } = event;
  const exchange = hidden ? redact(event.exchange) : event.exchange;
  const { flow, client_id = '', sub = '', actor, tokenIds, tokens, replayOf = '' } = createFactsOf(context)(event);
  return {
    request: requestMessage(event, exchange),
    response: responseMessage(event, exchange),
    actor,
    ip: exchange.ip,
    client_id,
    sub,
    flow,
    tokenIds,
    // the pages of the codes and tokens in headers and bodies, by their raw values; a masked value has none
    links: Object.fromEntries([...tokens()].map(([token, id]) => [token, `${base}/dashboard/tokens/${id}`])),
    copies: copiesOf(callOf({ method: event.method, exchange }, new URL(issuer).origin)),
    // whether secrets are masked, and where the page is with the other choice
    hidden,
    otherView: `${base}/dashboard/requests/${requestId}?hide=${hidden ? '0' : '1'}`,
    replayOf,
    replays: replaysOf(context, event),
    ...(context.access === 'on' ? { replay: replayForm(event, { hidden, origin: new URL(issuer).origin }) } : {}),
  };
}

const mostSearched = 5000;

function replaysOf({ events }: PageContext, { id, requestId }: Completed): string[] {
  const line = `${replayHeader}\n${requestId}`;
  const later = events.latest('request.completed', mostSearched).filter(event => event.id > id);
  const replays = later.filter(({ exchange }) => exchange.requestHeaders.includes(line));
  return replays.map(event => event.requestId).reverse();
}

function requestMessage({ method, endpoint }: Completed, exchange: Exchange) {
  const context = { place: 'request', endpoint } as const;
  const mark = exchange.url.indexOf('?');
  return {
    firstLine: `${method} ${mark < 0 ? exchange.url : exchange.url.slice(0, mark)}`,
    parameters: mark < 0 ? [] : parametersOf(exchange.url.slice(mark + 1), context),
    headers: headersOf(exchange.requestHeaders),
    ...bodyPart(exchange.requestBody, exchange.requestHeaders, context),
  };
}

function responseMessage({ status, endpoint }: Completed, exchange: Exchange) {
  const context = { place: 'response', endpoint } as const;
  return {
    firstLine: `HTTP ${status}`,
    parameters: redirectParameters(headerOf(exchange.responseHeaders, 'location'), context),
    headers: headersOf(exchange.responseHeaders),
    ...bodyPart(exchange.responseBody, exchange.responseHeaders, context),
  };
}

function redirectParameters(location: string | undefined, context: ParameterContext): readonly Parameter[] {
  const [, carried] = /[?#](.*)$/s.exec(location ?? '') ?? [];
  return carried === undefined ? [] : parametersOf(carried, context);
}

function bodyPart(body: Exchange['requestBody'], headers: string, context: ParameterContext) {
  return body === undefined ? {} : { body: bodyView(body, headerOf(headers, 'content-type') ?? '', context) };
}
