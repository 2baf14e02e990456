import type { LookupFunction } from 'node:net';
import { send, type WireAnswer } from '../../../server/wire/send.ts';
import type { ExamSteps } from '../driver.ts';
import { attributeOf } from './html-attribute.ts';
import { type FillForm, RecordMisfit, replayOf, type SignInRecord } from './recorded-login.ts';

/** A walk through an app without scripts. */
export interface Walk {
  /** The address that begins a sign-in, such as the one behind the button *Sign in*. */
  readonly url: string;
  /** A text that only a page for somebody signed in has. */
  readonly signedIn: string;
  /** The address that signs out, such as the one behind the button *Sign out*. */
  readonly logoutUrl?: string | undefined;
  /** The forms that are sent at the pages of the provider. Default: it has to sign somebody in without a click. */
  readonly forms?: SignInRecord['forms'] | undefined;
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
 * Walks as a browser without scripts does: it follows redirects, keeps cookies by host, loads the frames of the logout page of the
 * provider, and submits the form that takes a response to the app (`form_post`). The provider must sign somebody in without
 * a click, or its forms were recorded. Whether somebody is signed in says the page where the sign-in ended: it is opened again for each later step.
 */
export function walkSteps(walk: Walk): ExamSteps {
  const { url, signedIn, logoutUrl, forms } = walk;
  const visits = new Map<string, { readonly browser: Browser; readonly home: URL }>(); // by module
  const tell = ({ status, url, text }: WalkedPage) => {
    return {
      believed: status < 400 && text.includes(signedIn),
      said: `${status} ${url.origin}${url.pathname}`,
      page: { url: url.href },
    };
  };
  const visitOf = (module: string) => {
    const visit = visits.get(module);
    if (visit === undefined) throw new Error('nobody has signed in before');
    return visit;
  };
  return {
    async login({ module, issuer, signal }) {
      const browser = createBrowser(walk);
      try {
        const page = await browser.open(url, { issuer, signal, fill: forms && replayOf({ forms }) });
        visits.set(module, { browser, home: page.url });
        return tell(page);
      } catch (error) {
        if (error instanceof RecordMisfit) return { believed: undefined, said: error.message }; // which says nothing about the app
        throw error;
      }
    },
    async check({ module, open, ...at }) {
      const { browser, home } = visitOf(module);
      if (open !== undefined) await browser.open(open, at);
      return tell(await browser.open(home, { ...at, staysInApp: true }));
    },
    ...(logoutUrl !== undefined && {
      async logout({ module, ...at }) {
        const { browser, home } = visitOf(module);
        await browser.open(logoutUrl, at);
        return tell(await browser.open(home, { ...at, staysInApp: true }));
      },
    }),
  };
}

type Browser = ReturnType<typeof createBrowser>;

interface WalkedWay {
  readonly issuer: string;
  readonly signal: AbortSignal;
  /** Stops before the provider, because a page that leads there is one for nobody. */
  readonly staysInApp?: boolean;
  /** Fills in the form of a page of the provider. */
  readonly fill?: FillForm | undefined;
}

/** The next request of a browser. */
interface At {
  readonly url: URL;
  readonly form: URLSearchParams | undefined;
}

function isProvider({ origin }: URL, { issuer }: WalkedWay): boolean {
  return origin === new URL(issuer).origin;
}

interface WalkedPage {
  readonly url: URL;
  readonly status: number;
  readonly text: string;
}

function createBrowser({ isInsecure = false, lookup }: Walk) {
  const jar = new Map<string, Map<string, string>>();

  async function ask(url: URL, signal: AbortSignal, form?: URLSearchParams): Promise<WireAnswer> {
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
  /** Where the browser goes from a page by itself; it loads the frames of a page of the provider before. */
  async function onwardFrom(answer: WireAnswer, { url, form }: At, way: WalkedWay): Promise<Next | undefined> {
    const next = nextOf(answer, form);
    if (next !== undefined || !isProvider(url, way)) return next;
    for (const frame of framesIn(answer.text)) await ask(new URL(frame, url), way.signal);
    return goesOnIn(answer.text) ?? way.fill?.(answer.text);
  }
  async function open(address: string | URL, way: WalkedWay): Promise<WalkedPage> {
    let at: At = { url: new URL(address), form: undefined };
    for (let hop = 0; hop < mostHops; hop++) {
      const answer = await ask(at.url, way.signal, at.form);
      const next = await onwardFrom(answer, at, way);
      if (next === undefined) return { url: at.url, status: answer.status, text: answer.text };
      at = { url: new URL(next.to, at.url), form: next.form };
      if (way.staysInApp && isProvider(at.url, way)) return { url: at.url, status: answer.status, text: '' };
    }
    throw new Error(`more than ${mostHops} redirects, the last to ${at.url.origin}${at.url.pathname}`);
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

/** The addresses of the frames of a page, such as the logout page of the provider (OIDC Front-Channel Logout §2). */
function framesIn(html: string): readonly string[] {
  return [...html.matchAll(/<iframe\b([^>]*)>/gi)].flatMap(([, tag = '']) => attributeOf(tag, 'src') ?? []);
}

/** Where the logout page goes by itself once its frames are loaded. */
function goesOnIn(html: string): Next | undefined {
  const to = attributeOf(/<a\b([^>]*\bdata-goes-on\b[^>]*)>/i.exec(html)?.[1] ?? '', 'href');
  return to === undefined ? undefined : { to, form: undefined };
}
