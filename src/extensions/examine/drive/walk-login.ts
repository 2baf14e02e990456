import type { LookupFunction } from 'node:net';
import { send, type WireAnswer } from '../../../server/wire/send.ts';
import type { ExamLogin } from '../driver.ts';

/** A walk through an app without scripts. */
export interface Walk {
  /** The address that begins a sign-in, such as the one behind the button *Sign in*. */
  readonly url: string;
  /** A text that only a page for somebody signed in has. */
  readonly signedIn: string;
  /** Accepts any certificate. */
  readonly isInsecure?: boolean;
  /**
   * Finds the addresses of a host, for each request. Default: those that the system knows.
   * @throws Error for a host that must not be called
   */
  lookup?(url: URL): Promise<LookupFunction>;
}

const mostHops = 20;

/**
 * Signs in as a browser without scripts does: it follows redirects, keeps cookies by host, and submits the form that takes a response
 * to the app (`form_post`). The provider must sign somebody in without a click.
 */
export function walkLogin(walk: Walk): ExamLogin {
  return async ({ signal }) => {
    const page = await createBrowser(walk, signal).open(walk.url);
    const isSignedIn = page.status < 400 && page.text.includes(walk.signedIn);
    return { believed: isSignedIn, said: `${page.status} ${page.url.origin}${page.url.pathname}` };
  };
}

interface WalkedPage {
  readonly url: URL;
  readonly status: number;
  readonly text: string;
}

function createBrowser({ isInsecure = false, lookup }: Walk, signal: AbortSignal) {
  const jar = new Map<string, Map<string, string>>();

  async function ask(url: URL, form?: URLSearchParams): Promise<WireAnswer> {
    const cookies = [...(jar.get(url.hostname) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await send(url, {
      method: form === undefined ? 'GET' : 'POST',
      headers: {
        Accept: 'text/html',
        ...(cookies === '' ? {} : { Cookie: cookies }),
        ...(form === undefined ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' }),
      },
      body: form?.toString(),
      signal,
      ...(lookup === undefined ? {} : { lookup: await lookup(url) }),
      rejectUnauthorized: !isInsecure,
      maxBytes: 4_000_000,
    });
    keep(jar, url, answer.headersDistinct['set-cookie'] ?? []);
    return answer;
  }
  async function open(address: string): Promise<WalkedPage> {
    let url = new URL(address);
    let form: URLSearchParams | undefined;
    for (let hop = 0; hop < mostHops; hop++) {
      const answer = await ask(url, form);
      const next = nextOf(answer, form);
      if (next === undefined) return { url, status: answer.status, text: answer.text };
      form = next.form;
      url = new URL(next.to, url);
    }
    throw new Error(`more than ${mostHops} redirects, the last to ${url.origin}${url.pathname}`);
  }
  return { open };
}

/** Where a browser goes from a page by itself: a redirect, or the form of a response; undefined where it stays. */
function nextOf({ status, headers, text }: WireAnswer, form: URLSearchParams | undefined): Next | undefined {
  if (status === 200) return postedIn(text);
  if (status < 300 || status >= 400 || headers.location === undefined) return undefined;
  return { to: headers.location, form: status === 307 || status === 308 ? form : undefined };
}

/** Cookies are kept by host, because browsers share them between ports. One that has ended is removed. */
function keep(jar: Map<string, Map<string, string>>, { hostname }: URL, lines: readonly string[]): void {
  const cookies = jar.get(hostname) ?? new Map<string, string>();
  jar.set(hostname, cookies);
  for (const line of lines) {
    const [pair = ''] = line.split(';', 1);
    const at = pair.indexOf('=');
    const [name, value] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    if (/;\s*max-age=0*(;|$)/i.test(line) || value === '') cookies.delete(name);
    else if (at > 0) cookies.set(name, value);
  }
}

interface Next {
  readonly to: string;
  /** Posted there; undefined for a GET. */
  readonly form: URLSearchParams | undefined;
}

/** The form of `response_mode=form_post`, which a browser submits by itself. */
function postedIn(html: string): Next | undefined {
  const [, attributes = '', inside = ''] = /<form\b([^>]*)>(.*?)<\/form>/is.exec(html) ?? [];
  const action = attributeOf(attributes, 'action');
  const inputs = [...inside.matchAll(/<input\b([^>]*)>/gi)].map(([, input = '']) => input);
  const isResponse = inputs.some(input =>
    ['code', 'error', 'id_token', 'response'].includes(attributeOf(input, 'name') ?? ''),
  );
  if (action === undefined || !isResponse || !inputs.every(input => attributeOf(input, 'type') === 'hidden'))
    return undefined;
  const pairs = inputs.map(input => [attributeOf(input, 'name') ?? '', attributeOf(input, 'value') ?? '']);
  return { to: action, form: new URLSearchParams(pairs) };
}

function attributeOf(tag: string, name: string): string | undefined {
  const value = new RegExp(`\\b${name}\\s*=\\s*"([^"]*)"`, 'i').exec(tag)?.[1];
  return value?.replace(/&(#x[0-9a-f]+|#\d+|\w+);/gi, (whole, entity: string) => characterOf(entity) ?? whole);
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function characterOf(entity: string): string | undefined {
  if (/^#x/i.test(entity)) return String.fromCodePoint(Number.parseInt(entity.slice(2), 16));
  if (entity.startsWith('#')) return String.fromCodePoint(Number(entity.slice(1)));
  return named[entity.toLowerCase()];
}
