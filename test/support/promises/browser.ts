import { attributesOf, findForm } from '../../../src/base/text/html.ts';
import { type CookieJar, cookieHeader, keepCookies } from '../../../src/server/wire/cookie-jar.ts';
import { demand } from './demand.ts';
import type { Http, TestRequest } from './http.ts';
import { describe } from './json.ts';

/** The current page of the browser, or the external URL it was redirected to. */
export interface Visit {
  readonly url: URL;
  readonly status: number;
  /** Empty for an external URL. */
  readonly html: string;
  /** The form that a page would post to an external URL. */
  readonly body?: URLSearchParams;
  readonly isOutside: boolean;
}

/** A browser without scripts: it keeps cookies, follows redirects and submits forms, but never opens an external URL. */
export type Browser = ReturnType<typeof createBrowser>;

const mostRedirects = 10;

/** Creates a browser with an empty cookie jar. */
export function createBrowser(http: Http, issuer: string) {
  const { origin } = new URL(issuer);
  const jar: CookieJar = new Map();

  async function request(url: URL, sent: TestRequest) {
    const headers = { ...sent.headers, Accept: 'text/html,*/*;q=0.8', ...cookieHeader(jar) };
    const answer = await http.send(url, { ...sent, headers });
    keepCookies(jar, answer.headers['set-cookie']);
    return answer;
  }

  async function walk(start: URL, sent: TestRequest): Promise<Visit> {
    let url = start;
    let answer = await request(url, sent);
    for (let hops = 0; answer.status >= 300 && answer.status < 400; hops++) {
      demand(hops < mostRedirects, `more than ${mostRedirects} redirects, the last to ${url}`);
      url = new URL(answer.headers.location ?? '', url);
      if (url.origin !== origin) return { url, status: answer.status, html: '', isOutside: true };
      answer = await request(url, {});
    }
    return { url, status: answer.status, html: answer.text, isOutside: false };
  }

  return {
    open: (url: string | URL) => walk(new URL(url), {}),
    /** Submits the form that contains the named element, with the typed values. */
    async submit(page: Visit, name: string, typed: Readonly<Record<string, string>> = {}): Promise<Visit> {
      const form = findForm(page.html, name);
      demand(form !== undefined, `the page does not contain ${name}: ${describePage(page)}`);
      const action = new URL(form.action, page.url);
      const body = new URLSearchParams({ ...form.fields, ...typed });
      if (action.origin !== origin) {
        return { url: action, status: page.status, html: '', body, isOutside: true };
      }
      if (form.method === 'get') return walk(new URL(`?${body}`, action), {});
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Origin: origin };
      return walk(action, { method: 'POST', body: body.toString(), headers });
    },
  };
}

/** A page in a few words for messages. */
export function describePage({ status, html }: Visit): string {
  return describe({ status, text: html, headers: {} });
}

/** The answer that a page posts to the window that asked, if that one is of this origin. */
export function messageIn(html: string): { readonly origin: string; readonly message: string } | undefined {
  const tag = /<p id="message"((?:"[^"]*"|[^">])*)>/.exec(html)?.[1];
  const { 'data-origin': origin, 'data-message': message } = attributesOf(tag ?? '');
  return origin === undefined || message === undefined ? undefined : { origin, message };
}

export function framesOf(html: string): readonly string[] {
  return [...html.matchAll(/<iframe\b((?:"[^"]*"|[^">])*)>/g)].flatMap(
    ([, text]) => attributesOf(text ?? '').src ?? [],
  );
}
