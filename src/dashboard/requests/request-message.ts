import { type Exchange, headerOf, headersOf } from '../../base/events/exchange.ts';
import type { Completed } from '../../record/flows/recorded-request.ts';
import { bodyView, type Parameter, type ParameterContext, parametersOf } from './body-view.ts';

/** The request as it was recorded. */
export function requestMessage({ method, endpoint }: Completed, exchange: Exchange) {
  const context = { place: 'request', endpoint } as const;
  const mark = exchange.url.indexOf('?');
  return {
    firstLine: `${method} ${mark < 0 ? exchange.url : exchange.url.slice(0, mark)}`,
    parameters: mark < 0 ? [] : parametersOf(exchange.url.slice(mark + 1), context),
    headers: headersOf(exchange.requestHeaders),
    ...bodyPart(exchange.requestBody, exchange.requestHeaders, context),
  };
}

/** The response as it was recorded. */
export function responseMessage({ status, endpoint }: Completed, exchange: Exchange) {
  const context = { place: 'response', endpoint } as const;
  return {
    firstLine: `HTTP ${status}`,
    parameters: redirectParameters(headerOf(exchange.responseHeaders, 'location'), context),
    headers: headersOf(exchange.responseHeaders),
    ...bodyPart(exchange.responseBody, exchange.responseHeaders, context),
  };
}

/** The parameters of a redirect, in its query or its fragment. */
function redirectParameters(location: string | undefined, context: ParameterContext): readonly Parameter[] {
  const [, carried] = /[?#](.*)$/s.exec(location ?? '') ?? [];
  return carried === undefined ? [] : parametersOf(carried, context);
}

function bodyPart(body: Exchange['requestBody'], headers: string, context: ParameterContext) {
  return body === undefined ? {} : { body: bodyView(body, headerOf(headers, 'content-type') ?? '', context) };
}
