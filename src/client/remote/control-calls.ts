import { defined } from '../../base/defined.ts';
import { isRecord, jsonIn } from '../../base/text/record.ts';
import { grantboxIn, reachedAt } from '../../server/wire/health.ts';
import { send, type WireAnswer, type WireRequest } from '../../server/wire/send.ts';

/** Options of a connection to a sandbox that runs elsewhere. */
export interface ConnectOptions {
  /** CA certificates, PEM, that replace the ones Node trusts. */
  readonly ca?: string;
  /** The `CONTROL_TOKEN` of the sandbox, if it has one. */
  readonly controlToken?: string;
  /** Accepts any certificate of the sandbox. Default: false. */
  readonly insecure?: boolean;
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
  /** More headers. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Treats status 404 as an answer without content, not as an error. */
  readonly mayBeMissing?: true;
  /** Seconds until the call times out. Default 30. */
  readonly timeoutSeconds?: number;
  /** Ends the call early. */
  readonly signal?: AbortSignal;
}

/** A successful answer of the control API. */
export interface ControlAnswer {
  readonly status: number;
  /** Undefined if there was no body. */
  readonly content: unknown;
}

/**
 * Calls the control API of one issuer.
 * @throws TypeError with the reason of a refusal, Error if there was no answer or the answer is not from a sandbox
 */
export type ControlCalls = (call: ControlCall) => Promise<ControlAnswer>;

/** `base` is the URL of the issuer, without a trailing slash. */
export function createControlCalls(base: string, options: ConnectOptions): ControlCalls {
  return async ({ name, method, path, body, headers, mayBeMissing = false, timeoutSeconds = 30, signal }) => {
    if (leadsElsewhere(path)) {
      if (mayBeMissing) return { status: 404, content: undefined };
      throw new TypeError(`${name}: expected an id other than \`.\`, \`..\` and the empty one: no address can have it`);
    }
    const url = new URL(`${base}/_sandbox${path}`);
    const ofJson = { headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body) };
    const content = body === undefined ? defined({ headers }) : ofJson;
    const answered = await reach(name, url, options, { method, timeoutSeconds, signal, ...content });
    return mayBeMissing && answered.status === 404
      ? { status: 404, content: undefined }
      : answerOf(name, url, answered);
  };
}

/** An id that is empty, `.` or `..`, also if encoded, would change the path of the URL (RFC 3986 §5.2.4). */
function leadsElsewhere(path: string): boolean {
  const [, ...segments] = path.replace(/\?.*/s, '').split('/');
  return segments.some(segment => ['', '.', '..'].includes(segment));
}

/**
 * Fetches a page or a file of one issuer as text.
 * @throws Error if it does not exist
 */
export async function readText(name: string, base: string, path: string, options: ConnectOptions): Promise<string> {
  const { status, text } = await readPage(name, base, path, options);
  if (status === 200) return text;
  throw new Error(`${name}: ${base + path} answered ${status}; is the dashboard off?`);
}

/** Fetches a page or a file of one issuer, whatever its status. */
export function readPage(
  name: string,
  base: string,
  path: string,
  { signal, ...options }: ConnectOptions & Pick<ControlCall, 'signal'>,
): Promise<WireAnswer> {
  return reach(name, new URL(base + path), options, { timeoutSeconds: 10, signal });
}

/**
 * Goes from the URL of a sandbox to its issuer, which a preset or `ISSUER` may have put at a path.
 * @throws Error if nothing answers
 */
export async function issuerUrl(
  name: string,
  url: string,
  options: ConnectOptions & Pick<ControlCall, 'signal'>,
): Promise<string> {
  const { status, text } = await readPage(name, url, '/health', options);
  const at = status === 200 ? grantboxIn(text)?.at : undefined;
  return at === undefined ? url : reachedAt(url, at);
}

/** Limits the length of quoted text: a server that is not a sandbox may send anything. */
const maxBytes = 8_000_000;

async function reach(
  name: string,
  url: URL,
  { ca, controlToken, insecure = false }: ConnectOptions,
  { headers, ...sent }: WireRequest,
): Promise<WireAnswer> {
  const authorization: Record<string, string> =
    controlToken === undefined ? {} : { Authorization: `Bearer ${controlToken}` };
  const trust = { ...(insecure ? { rejectUnauthorized: false } : {}), ...defined({ ca }) };
  try {
    return await send(url, { ...sent, headers: { ...authorization, ...headers }, maxBytes, ...trust });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const reason = code || (error instanceof Error ? error.message : String(error));
    const isDistrusted = /CERT|SIGNATURE/.test(reason);
    const says = isDistrusted
      ? `has a certificate that is not trusted (${reason}); give its CA as \`ca\`, or in NODE_EXTRA_CA_CERTS`
      : `did not answer (${reason}); is the sandbox running?`;
    throw new Error(`${name}: ${url.origin} ${says}`, { cause: error });
  }
}

function answerOf(name: string, url: URL, { status, text }: WireAnswer): ControlAnswer {
  const content = jsonIn(text);
  if (status >= 200 && status < 300 && (content !== undefined || text === '')) return { status, content };
  const said = problemIn(content);
  if (said !== undefined) throw new TypeError(`${name}: ${said}`, { cause: content });
  throw new Error(`${name}: ${url.origin + url.pathname} answered ${status}, but the response is not from a sandbox`);
}

/** Every problem of an answer as a sentence (RFC 9457); undefined for any other answer. */
function problemIn(content: unknown): string | undefined {
  if (!isRecord(content) || typeof content.detail !== 'string') return undefined;
  const { detail, sent, expected, errors } = content;
  if (Array.isArray(errors)) return errors.filter(isRecord).map(wordsOf).join('; ');
  const isNews = (text: unknown): text is string => typeof text === 'string' && !detail.includes(text);
  return `${detail}${isNews(sent) ? `: found ${sent}` : ''}${isNews(expected) ? `, expected ${expected}` : ''}`;
}

function wordsOf({ member, sent, expected, nearest }: Readonly<Record<string, unknown>>): string {
  const found = typeof sent === 'string' ? `found ${sent}, ` : '';
  const hint = typeof nearest === 'string' ? ` (did you mean ${nearest}?)` : '';
  return `${member === '' ? '' : `${member}: `}${found}expected ${expected}${hint}`;
}
