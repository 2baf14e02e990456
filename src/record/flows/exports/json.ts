import { defined } from '../../../base/defined.ts';
import { headersOf, type RecordedBody } from '../../../base/events/exchange.ts';
import type { TextPieces } from '../../../base/turns.ts';
import type { Export, ExportedRequest } from './export.ts';
import { jsonInPieces, modelsOf } from './json-pieces.ts';

/** Further members of a session file. */
interface SessionExtras {
  /** The problems of the exported requests with their explanations. */
  readonly problems: Iterable<object>;
  /** The parts of the configuration that repeat the session: clients, users, scopes, settings, clock. */
  readonly setup: object;
}

/** The `format` of a session file. */
export const sessionFormat = 'grantbox-session';

/** The `version` of a session file. */
export const sessionVersion = 1;

/** Writes the full model for scripts, agents and `grantbox open`. */
export function* asJson(exported: Export, { problems, setup }: SessionExtras = noExtras): TextPieces {
  const { issuer, exportedAt, redacted, flows, requests, stringify } = exported;
  const head = { format: sessionFormat, version: sessionVersion, issuer, exportedAt, redacted };
  yield* jsonInPieces({ ...head, flows, requests: modelsOf(requests, requestOf), problems, setup }, stringify);
  yield '\n';
}

const noExtras: SessionExtras = { problems: [], setup: {} };

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
