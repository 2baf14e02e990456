import { defined } from '../../defined.ts';
import { headersOf, type RecordedBody } from '../../events/exchange.ts';
import type { TextPieces } from '../../turns/text.ts';
import type { Export, ExportedRequest } from './export.ts';
import { modelsOf, withLists } from './json-list.ts';

/** Writes the full model for scripts and agents. */
export function asJson({ issuer, exportedAt, redacted, flows, requests, stringify }: Export): TextPieces {
  const around = { format: 'grantbox-session', version: 1, issuer, exportedAt, redacted, flows: [], requests: [] };
  return withLists({ around, depth: 1, stringify }, { flows, requests: modelsOf(requests, requestOf) });
}

/** Writes one request per line, oldest first (NDJSON). */
export function* asNdjson({ requests, stringify }: Export): TextPieces {
  for (const request of requests) yield `${stringify(requestOf(request))}\n`;
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
  return { headers: headersOf(headers), ...defined({ body }) };
}
