import { headerOf, headersOf, type RecordedBody } from '../../../base/events/exchange.ts';
import type { TextPieces } from '../../../base/turns.ts';
import type { Export, ExportedRequest } from './export.ts';
import { jsonInPieces, modelsOf } from './json.ts';

/** Writes HAR 1.2 for the developer tools of browsers. */
export function* asHar(exported: Export, version: string): TextPieces {
  const { issuer, requests, redacted, stringify } = exported;
  const { origin } = new URL(issuer);
  const log = {
    version: '1.2',
    creator: { name: 'Grantbox', version },
    comment: redacted ? 'secrets are redacted' : 'secrets are included',
    entries: modelsOf(requests, each => entryOf(each, origin)),
  };
  yield* jsonInPieces({ log }, stringify);
  yield '\n';
}

function entryOf(request: ExportedRequest, origin: string): object {
  const { exchange, at, milliseconds, requestId, endpoint } = request;
  const { requestHeaders, requestBody, responseHeaders, responseBody } = exchange;
  return {
    startedDateTime: new Date(at * 1000 - milliseconds).toISOString(),
    time: milliseconds,
    request: {
      method: request.method,
      url: origin + exchange.url,
      httpVersion: 'HTTP/1.1',
      ...messageOf(requestHeaders, requestBody),
      queryString: pairs([...new URLSearchParams(exchange.url.split('?', 2)[1])]),
      ...(requestBody === undefined ? {} : { postData: contentOf(requestHeaders, requestBody) }),
    },
    response: {
      status: request.status,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      ...messageOf(responseHeaders, responseBody),
      content: { size: responseBody?.bytes ?? 0, ...contentOf(responseHeaders, responseBody) },
      redirectURL: headerOf(responseHeaders, 'location') ?? '',
    },
    cache: {},
    timings: { send: 0, wait: milliseconds, receive: 0 },
    comment: `${endpoint} ${requestId}`,
  };
}

/** `cookies` stays empty, because the headers already have the cookies in redacted form. */
function messageOf(headers: string, body: RecordedBody | undefined): object {
  return { headers: pairs(headersOf(headers)), cookies: [], headersSize: -1, bodySize: body?.bytes ?? 0 };
}

function contentOf(headers: string, body: RecordedBody | undefined): object {
  const comment = body?.cut === true ? { comment: `cut after ${body.text.length} characters` } : {};
  return { mimeType: headerOf(headers, 'content-type') ?? '', text: body?.text ?? '', ...comment };
}

function pairs(all: readonly (readonly [string, string])[]): object[] {
  return all.map(([name, value]) => ({ name, value }));
}
