import { defined } from '../defined.ts';
import { isRecord } from '../text/record.ts';
import { send, type WireAnswer, type WireRequest } from '../wire/send.ts';

/** How a sandbox is reached that runs elsewhere. */
export interface ConnectOptions {
  /** PEM of certificates that are trusted in place of those that Node knows. */
  readonly ca?: string;
  /** Where it was started with `CONTROL_TOKEN`. */
  readonly controlToken?: string;
}

/** A call of the control API of one issuer (`/_sandbox/openapi.json`). */
export interface ControlCall {
  /** The name of the function for the caller, such as `clients.create`. Errors begin with it. */
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Under `/_sandbox`, with its query. */
  readonly path: string;
  /** Sent as JSON; members that are undefined are left out. */
  readonly body?: unknown;
  /** That there is no such thing is an answer: status 404, without content. */
  readonly mayBeMissing?: true;
  /** How long the sandbox may take for it. Default 30. */
  readonly timeoutSeconds?: number;
}

export interface ControlAnswer {
  readonly status: number;
  /** Undefined where there was no body. */
  readonly content: unknown;
}

/**
 * Asks the control API of one issuer.
 * @throws TypeError in one sentence for what was refused, Error where there was no answer or one that is no sandbox's
 */
export type ControlCalls = (call: ControlCall) => Promise<ControlAnswer>;

/** `base` is where the issuer is reached, without a slash at its end. */
export function createControlCalls(base: string, options: ConnectOptions): ControlCalls {
  return async ({ name, method, path, body, mayBeMissing = false, timeoutSeconds = 30 }) => {
    if (leadsElsewhere(path)) {
      if (mayBeMissing) return { status: 404, content: undefined };
      throw new TypeError(`${name}: expected an id other than \`.\`, \`..\` and the empty one: no address can have it`);
    }
    const url = new URL(`${base}/_sandbox${path}`);
    const content =
      body === undefined ? {} : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
    const answered = await reach(name, url, options, { method, timeoutSeconds, ...content });
    return mayBeMissing && answered.status === 404
      ? { status: 404, content: undefined }
      : answerOf(name, url, answered);
  };
}

/** Where an id is empty, `.` or `..`, also when it is encoded, the address is that of something else (RFC 3986 §5.2.4). */
function leadsElsewhere(path: string): boolean {
  const [, ...segments] = path.replace(/\?.*/s, '').split('/');
  return segments.some(segment => ['', '.', '..'].includes(segment));
}

/**
 * A page or a file of one issuer, as text.
 * @throws Error where there is none
 */
export async function readText(name: string, base: string, path: string, options: ConnectOptions): Promise<string> {
  const url = new URL(base + path);
  const { status, text } = await reach(name, url, options, { timeoutSeconds: 10 });
  if (status === 200) return text;
  throw new Error(`${name}: ${url.href} answered ${status}; is the dashboard off?`);
}

/** No sandbox says as much, and what is not one may say anything. */
const maxBytes = 8_000_000;

async function reach(
  name: string,
  url: URL,
  { ca, controlToken }: ConnectOptions,
  { headers, ...sent }: WireRequest,
): Promise<WireAnswer> {
  const authorization = controlToken === undefined ? {} : { Authorization: `Bearer ${controlToken}` };
  try {
    return await send(url, { ...sent, headers: { ...authorization, ...headers }, maxBytes, ...defined({ ca }) });
  } catch (error) {
    const reason = error instanceof Error ? codeOf(error) || error.message : String(error);
    const isDistrusted = /CERT|SIGNATURE/.test(reason);
    const says = isDistrusted
      ? `has a certificate that is not trusted (${reason}); give its CA as \`ca\`, or in NODE_EXTRA_CA_CERTS`
      : `did not answer (${reason}); is the sandbox running?`;
    throw new Error(`${name}: ${url.origin} ${says}`, { cause: error });
  }
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : '';
}

function answerOf(name: string, url: URL, { status, text }: WireAnswer): ControlAnswer {
  const content = jsonIn(text);
  if (status >= 200 && status < 300 && (content !== undefined || text === '')) return { status, content };
  const said = problemIn(content);
  if (said !== undefined) throw new TypeError(`${name}: ${said}`, { cause: content });
  throw new Error(`${name}: ${url.origin + url.pathname} answered ${status}, but the answer is not from a sandbox`);
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Every fault of an answer as a sentence (RFC 9457); undefined for what is no such answer. */
function problemIn(content: unknown): string | undefined {
  if (!isRecord(content) || typeof content.detail !== 'string') return undefined;
  const { detail, sent, expected, errors } = content;
  if (Array.isArray(errors)) return errors.filter(isRecord).map(faultIn).join('; ');
  const isNews = (text: unknown): text is string => typeof text === 'string' && !detail.includes(text);
  return `${detail}${isNews(sent) ? `: found ${sent}` : ''}${isNews(expected) ? `, expected ${expected}` : ''}`;
}

function faultIn({ member, sent, expected, nearest }: Readonly<Record<string, unknown>>): string {
  const found = typeof sent === 'string' ? `found ${sent}, ` : '';
  const hint = typeof nearest === 'string' ? ` (did you mean ${nearest}?)` : '';
  return `${member === '' ? '' : `${member}: `}${found}expected ${expected}${hint}`;
}
