import { type Exchange, headersOf } from '../../base/events/exchange.ts';
import type { Contents } from '../../base/events/search.ts';
import { redact } from './redaction.ts';

/** Reads texts of an exchange for a search. A match counts only if it remains after redaction, so that no secret can be guessed. */
function contents(exchange: Exchange, read: (exchange: Exchange) => readonly string[]): Contents {
  return { recorded: read(exchange), withoutSecrets: () => read(redact(exchange)) };
}

/** URL, headers and bodies of the request and the response. */
export function contentsOf(exchange: Exchange): Contents {
  return contents(exchange, each => [
    ...addressIn(each),
    ...[each.requestHeaders, each.responseHeaders].map(headerLines),
    ...bodiesIn(each),
  ]);
}

/** The values of a header of the request or the response; the name is not case-sensitive. */
export function headerContents(exchange: Exchange, name: string): Contents {
  const wanted = name.toLowerCase();
  return contents(exchange, each =>
    headersIn(each).flatMap(([known, value]) => (known.toLowerCase() === wanted ? [value] : [])),
  );
}

/** The bodies of the request and the response. */
export function bodyContents(exchange: Exchange): Contents {
  return contents(exchange, bodiesIn);
}

function addressIn({ url }: Exchange): string[] {
  const mark = url.indexOf('?');
  return mark === -1 ? [url] : [url, ...decodedForm(url.slice(mark + 1))];
}

/** `Name: value` in each line. */
function headerLines(recorded: string): string {
  return recorded.replace(/\n(.*\n?)/g, ': $1');
}

function headersIn({ requestHeaders, responseHeaders }: Exchange) {
  return [...headersOf(requestHeaders), ...headersOf(responseHeaders)];
}

function bodiesIn({ requestBody, responseBody }: Exchange): string[] {
  return [requestBody, responseBody].flatMap(body =>
    body === undefined ? [] : [body.text, ...decodedForm(body.text)],
  );
}

/** The decoded pairs of a form, so that a search for `openid profile` finds `scope=openid+profile`. Empty for JSON and HTML. */
function decodedForm(text: string): string[] {
  if (!/^[^=&\s{<]+=/.test(text) || !/[+%]/.test(text)) return [];
  return [...new URLSearchParams(text)].map(([name, value]) => `${name}=${value}`);
}
