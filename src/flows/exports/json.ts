import { headersOf, type RecordedBody } from '../../events/exchange.ts';
import type { Pieces } from '../../turns/in-turns.ts';
import type { Export, ExportedRequest } from './export.ts';
import { withList } from './json-list.ts';

/** The full model, for scripts and agents. */
export function asJson(exported: Export): Pieces<string> {
  const { issuer, exportedAt, redacted, flows, requests } = exported;
  const around = { format: 'grantbox-session', version: 1, issuer, exportedAt, redacted, flows, requests: [] };
  return withList(exported, { around, name: 'requests', depth: 1 }, requests, requestOf);
}

/** One request a line, oldest first (NDJSON). */
export function* asNdjson({ requests, stringify }: Export): Pieces<string> {
  const lines: string[] = [];
  for (const request of requests) {
    lines.push(`${stringify(requestOf(request))}\n`);
    yield;
  }
  return lines.join('');
}

function requestOf({ exchange, facts, type: _, ...request }: ExportedRequest): object {
  const { url, ip, requestHeaders, requestBody, responseHeaders, responseBody } = exchange;
  return {
    ...request,
    url,
    ip,
    request: message(requestHeaders, requestBody),
    response: message(responseHeaders, responseBody),
    events: facts.map(({ requestId: _id, ...fact }) => fact),
  };
}

function message(headers: string, body: RecordedBody | undefined): object {
  return { headers: headersOf(headers), ...(body === undefined ? {} : { body }) };
}
