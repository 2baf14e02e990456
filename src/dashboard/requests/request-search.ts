import type { Searchable } from '../../events/search/match.ts';
import type { Completed } from '../../flows/recorded-request.ts';
import type { RequestFacts } from './request-facts.ts';

/** What the list of requests can be searched by. */
export function requestSearch(factsOf: (event: Completed) => RequestFacts): Searchable<Completed> {
  return {
    fields: {
      endpoint: { suggested: true, of: event => event.endpoint },
      client: { suggested: true, slow: true, of: event => factsOf(event).client_id },
      user: { suggested: true, slow: true, of: event => factsOf(event).sub },
      status: { suggested: true, of: ({ status }) => [status, `${Math.floor(status / 100)}xx`] },
      method: { suggested: true, of: event => event.method },
      path: { of: event => event.path },
      ip: { suggested: true, of: event => event.exchange.ip },
      code: { suggested: true, slow: true, of: event => codesOf(factsOf(event)) },
      flow: { slow: true, of: event => factsOf(event).flow?.id },
      actor: { values: ['browser', 'client', 'api', 'tool', 'unknown'], slow: true, of: event => factsOf(event).actor },
      ms: { of: event => event.milliseconds },
      has: { values: ['problem', 'token', 'flow'], slow: true, of: event => partsOf(factsOf(event)) },
      is: { values: ['replay'], slow: true, of: event => (factsOf(event).replayOf === undefined ? [] : ['replay']) },
    },
    words: event => [
      event.requestId,
      event.endpoint,
      event.exchange.url,
      ...textsOf(factsOf(event)),
      event.exchange.requestBody?.text,
      event.exchange.responseBody?.text,
    ],
    at: event => event.at,
  };
}

/** On the wire, and the reason behind it. */
function codesOf({ refusal }: RequestFacts): string[] {
  return refusal === undefined ? [] : [refusal.error, refusal.reason];
}

function partsOf({ refusal, tokenIds, flow }: RequestFacts): string[] {
  return [
    ...(refusal === undefined ? [] : ['problem']),
    ...(tokenIds.length === 0 ? [] : ['token']),
    ...(flow === undefined ? [] : ['flow']),
  ];
}

function textsOf({ client_id, sub, refusal, tokenIds, flow }: RequestFacts): (string | undefined)[] {
  return [client_id, sub, refusal?.error, refusal?.reason, refusal?.description, flow?.id, ...tokenIds];
}
