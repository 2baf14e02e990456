import type { SelfRequest } from '../../sandbox/self-request.ts';
import { isCopied } from '../copy-as/http-call.ts';
import type { ReplayFields } from './replay-form.ts';
import { replayHeader, toolHeader } from './request-facts.ts';

/** A request that can be sent, or its faults as sentences. */
export type ReplayRequest =
  | { readonly ok: true; readonly request: SelfRequest }
  | { readonly ok: false; readonly faults: readonly string[] };

const methodForm = /^[A-Z]{3,12}$/;
const nameForm = /^[!#$%&'*+.^_`|~\w-]+$/;
/** A valid header value (RFC 9110 §5.5). Characters up to U+00FF are allowed, because Node sends each as one byte. */
const valueForm = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Makes the request of a form, marked as a replay of `requestId`. The sandbox sends it to itself. */
export function replayRequest({ method, path, headers, body }: ReplayFields, requestId: string): ReplayRequest {
  const lines = headers.split(/\r?\n/).filter(line => line.trim() !== '');
  const faults = [...methodFaults(method), ...pathFaults(path), ...lines.flatMap(headerFaults)];
  if (faults.length > 0) return { ok: false, faults };
  const sent = { ...headersIn(lines), [toolHeader]: 'dashboard', [replayHeader]: requestId };
  if (body === '') return { ok: true, request: { method, path, headers: sent } };
  const length = { 'Content-Length': String(Buffer.byteLength(body)) };
  return { ok: true, request: { method, path, headers: { ...sent, ...length }, body } };
}

function methodFaults(method: string): string[] {
  if (methodForm.test(method) && method !== 'CONNECT') return [];
  return ['The method must be a word in capitals, such as GET or POST.'];
}

function pathFaults(path: string): string[] {
  if (!path.startsWith('/') || path.startsWith('//')) {
    return ['The path must begin with one slash, because requests go to this sandbox only.'];
  }
  return /^[\x21-\x7e]+$/.test(path) ? [] : ['The path has characters that must be percent-encoded.'];
}

function headerFaults(line: string): string[] {
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
