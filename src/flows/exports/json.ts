import { headersOf, type RecordedBody } from '../../events/exchange.ts';
import type { Export, ExportedRequest } from './export.ts';

/** The full model, for scripts and agents. */
export function asJson(exported: Export): string {
  const { issuer, exportedAt, redacted, flows, requests, stringify } = exported;
  const model = { format: 'grantbox-session', version: 1, issuer, exportedAt, redacted, flows };
  return `${stringify({ ...model, requests: requests.map(requestOf) }, 2)}\n`;
}

/** One request a line, oldest first (NDJSON). */
export function asNdjson({ requests, stringify }: Export): string {
  return requests.map(request => `${stringify(requestOf(request))}\n`).join('');
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
