import { headerOf, headersOf } from '../../base/events/exchange.ts';
import type { Completed } from '../../record/flows/recorded-request.ts';
import type { SelfRequest } from '../../sandbox/self-request.ts';
import { isCopied } from '../http-call.ts';
import { replayHeader, toolHeader } from './request-facts.ts';

/** The editable parts of a request. */
export interface ReplayFields {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** `Name: value`, one per line. */
  readonly headers: string;
  readonly body: string;
}

/** The form for a recorded request. `origin` is that of this sandbox; its own pages send no Origin header. */
export function replayForm(event: Completed, { hidden, origin }: { hidden: boolean; origin: string }) {
  const { requestBody } = event.exchange;
  return {
    ...replayFields(event, origin),
    warnings: warningsOf(event),
    // why it cannot be replayed unchanged; empty if it can
    incomplete: requestBody?.cut
      ? 'Only the first 64 KiB of its body were recorded, so it cannot be replayed unchanged.'
      : '',
    // whether its fields are shown; they contain secrets
    editable: !hidden,
    problems: [],
  };
}

/** A recorded request for a replay, without the headers of its connection. */
export function replayFields({ method, exchange }: Completed, origin: string): ReplayFields {
  const headers = headersOf(exchange.requestHeaders).filter(([name, value]) => {
    const plain = name.toLowerCase();
    if (plain === toolHeader.toLowerCase() || plain === replayHeader.toLowerCase()) return false;
    return isCopied(name, value) && !(plain === 'origin' && value === origin);
  });
  return {
    method,
    path: exchange.url,
    headers: headers.map(([name, value]) => `${name}: ${value}`).join('\n'),
    body: exchange.requestBody?.text ?? '',
  };
}

function warningsOf({ exchange }: Completed): string[] {
  const form = new URLSearchParams(exchange.requestBody?.text ?? '');
  const grant = form.get('grant_type');
  const proof = headerOf(exchange.requestHeaders, 'dpop');
  return [
    ...(grant === 'authorization_code'
      ? ['A code works only once. The server will refuse it and revoke the tokens issued for it (RFC 6749 §4.1.2).']
      : []),
    ...(grant === 'refresh_token'
      ? ['A refresh token that was replaced ends its whole family when it is used again (RFC 9700 §4.14.2).']
      : []),
    ...(form.has('client_assertion') || form.has('assertion')
      ? ['An assertion with a jti works only once, and may have expired by now (RFC 7523 §3).']
      : []),
    ...(proof === undefined ? [] : ['A DPoP proof works only once, and only for this address (RFC 9449 §11.1).']),
  ];
}

/** A request that can be sent, or its problems as sentences. */
export type ReplayRequest =
  | { readonly ok: true; readonly request: SelfRequest }
  | { readonly ok: false; readonly problems: readonly string[] };

const methodForm = /^[A-Z]{3,12}$/;
const nameForm = /^[!#$%&'*+.^_`|~\w-]+$/;
/** A valid header value (RFC 9110 §5.5). Characters up to U+00FF are allowed, because Node sends each as one byte. */
const valueForm = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Makes the request of a form, marked as a replay of `requestId`. The sandbox sends it to itself. */
export function replayRequest({ method, path, headers, body }: ReplayFields, requestId: string): ReplayRequest {
  const lines = headers.split(/\r?\n/).filter(line => line.trim() !== '');
  const problems = [...methodProblems(method), ...pathProblems(path), ...lines.flatMap(headerProblems)];
  if (problems.length > 0) return { ok: false, problems };
  const sent = { ...headersIn(lines), [toolHeader]: 'dashboard', [replayHeader]: requestId };
  if (body === '') return { ok: true, request: { method, path, headers: sent } };
  const length = { 'Content-Length': String(Buffer.byteLength(body)) };
  return { ok: true, request: { method, path, headers: { ...sent, ...length }, body } };
}

function methodProblems(method: string): string[] {
  if (methodForm.test(method) && method !== 'CONNECT') return [];
  return ['The method must be a word in capitals, such as GET or POST.'];
}

function pathProblems(path: string): string[] {
  if (!path.startsWith('/') || path.startsWith('//')) {
    return ['The path must begin with one slash, because requests go to this sandbox only.'];
  }
  return /^[\x21-\x7e]+$/.test(path) ? [] : ['The path has characters that must be percent-encoded.'];
}

function headerProblems(line: string): string[] {
  const colon = line.indexOf(':');
  if (colon < 1 || !nameForm.test(line.slice(0, colon)))
    return [`A header must have the form Name: value. This line does not: ${line}`];
  return valueForm.test(line) ? [] : [`A header has characters that cannot be sent: ${line}`];
}

/** Headers with the same name are joined to one list (RFC 9110 §5.3), or to one line of cookies. */
function headersIn(lines: readonly string[]): Record<string, string> {
  const headers = new Map<string, readonly [name: string, value: string]>();
  for (const line of lines) {
    const name = line.slice(0, line.indexOf(':'));
    const value = line.slice(line.indexOf(':') + 1).trim();
    if (!isCopied(name, value)) continue;
    const key = name.toLowerCase();
    const [first, before] = headers.get(key) ?? [name];
    headers.set(key, [first, before === undefined ? value : `${before}${key === 'cookie' ? '; ' : ', '}${value}`]);
  }
  return Object.fromEntries(headers.values());
}
