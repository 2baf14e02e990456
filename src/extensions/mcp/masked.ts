import { headersOf } from '../../base/events/exchange.ts';
import { isRecord } from '../../base/text/record.ts';
import { redact } from '../../record/flows/redaction.ts';
import { maskJson, maskText, maskToken } from '../../record/flows/redaction-text.ts';

type Members = Readonly<Record<string, unknown>>;

/** Longest text of a result. A body may have 64 KiB, and a context has room for few of them. */
const longestText = 4000;

/** An entry of the configuration without secrets and passwords. */
export function maskedEntry(entry: unknown): unknown {
  return JSON.parse(maskJson(JSON.stringify(entry)));
}

/** A code or token as the control API lists it: a JWT without its signature, an opaque one as `[redacted]`. */
export function maskedToken(token: unknown): Members {
  return isRecord(token) ? withoutRaw(token) : {};
}

/** An event. Its token, and secrets in its texts, are masked; the exchange of a request is redacted as a whole. */
export function maskedEvent(event: unknown): Members {
  if (!isRecord(event)) return {};
  const { exchange, ...facts } = event;
  const shown = exchange === undefined ? {} : { exchange: maskedExchange(exchange) };
  return { ...eachText(withoutRaw(facts), maskText), ...shown };
}

function withoutRaw(issued: Members): Members {
  const raw = ['token', 'signed'].filter(name => typeof issued[name] === 'string');
  return { ...issued, ...Object.fromEntries(raw.map(name => [name, maskToken(String(issued[name]))])) };
}

/** Only the texts at the top: the members of an event that quote requests are texts. */
function eachText(members: Members, write: (text: string) => string): Members {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, typeof value === 'string' ? write(value) : value]),
  );
}

type Header = readonly [name: string, value: string];

interface ExchangeJson {
  readonly url: string;
  readonly ip: string;
  readonly requestHeaders: readonly Header[];
  readonly responseHeaders: readonly Header[];
  readonly requestBody?: { readonly text: string; readonly bytes: number };
  readonly responseBody?: { readonly text: string; readonly bytes: number };
}

function maskedExchange(exchange: unknown): Members {
  const { requestHeaders, responseHeaders, ...rest } = exchange as ExchangeJson; // the form of the control API
  const recorded = (headers: readonly Header[]) => headers.flat().join('\n');
  const clean = redact({
    ...rest,
    requestHeaders: recorded(requestHeaders),
    responseHeaders: recorded(responseHeaders),
  });
  return {
    url: clean.url,
    ip: clean.ip,
    requestHeaders: headerLines(clean.requestHeaders),
    ...(clean.requestBody === undefined ? {} : { requestBody: shortText(clean.requestBody.text) }),
    responseHeaders: headerLines(clean.responseHeaders),
    ...(clean.responseBody === undefined ? {} : { responseBody: shortText(clean.responseBody.text) }),
  };
}

function headerLines(recorded: string): string[] {
  return headersOf(recorded).map(([name, value]) => `${name}: ${value}`);
}

/** A text that fits into a result. */
export function shortText(text: string): string {
  const more = text.length - longestText;
  return more <= 0 ? text : `${text.slice(0, longestText)}… (${more} more characters)`;
}
