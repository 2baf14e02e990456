import { findForm } from '../../../base/text/html.ts';
import { type CookieJar, cookieHeader, keepCookies } from '../../../server/wire/cookie-jar.ts';

/** The position of the agent: a page of the sandbox, or the URL outside that it was redirected to. */
export interface SolverVisit {
  readonly url: URL;
  /** The URL of the page, or of the redirect to outside. */
  readonly status: number;
  /** The HTML of the page; empty outside. */
  readonly html: string;
  /** The form fields that were posted to the URL outside. */
  readonly body?: URLSearchParams;
}

/** A browser without scripts and layout: a cookie jar, redirects, links and real forms. */
export type Agent = ReturnType<typeof createAgent>;

const mostRedirects = 10;

/** The function that sends requests: `fetch`, or one that trusts its own CA. */
export type Fetch = (url: URL, init: RequestInit) => Promise<Response>;

/** An agent that stays at this origin. The first redirect or form to a different origin ends the walk. */
export function createAgent(origin: string, fetchBy: Fetch = fetch) {
  const cookies: CookieJar = new Map();

  async function request(url: URL, init: RequestInit): Promise<Response> {
    const accept = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    const headers = { ...init.headers, ...accept, ...cookieHeader(cookies) };
    const response = await fetchBy(url, { ...init, headers, redirect: 'manual' });
    keepCookies(cookies, response.headers.getSetCookie());
    return response;
  }

  async function walk(start: URL, init: RequestInit, until?: (url: URL) => boolean): Promise<SolverVisit> {
    let url = start;
    let response = await request(url, init);
    for (let hops = 0; response.status >= 300 && response.status < 400; hops++) {
      if (hops === mostRedirects) throw new Error(`more than ${mostRedirects} redirects, the last to ${url}`);
      await response.arrayBuffer();
      url = new URL(response.headers.get('Location') ?? '', url);
      if (url.origin !== origin || until?.(url) === true) return { url, status: response.status, html: '' };
      response = await request(url, {});
    }
    return { url, status: response.status, html: await response.text() };
  }

  return {
    cookies,
    open: (url: string | URL) => walk(new URL(url), {}),
    /**
     * Submits the form with this `data-testid` or `id` on the form or its button. `until` stops the walk at a redirect, which is
     * not opened.
     */
    async submit(
      page: SolverVisit,
      name: string,
      typed: Readonly<Record<string, string>> = {},
      until?: (url: URL) => boolean,
    ): Promise<SolverVisit> {
      const form = findForm(page.html, name);
      if (form === undefined) throw new Error(`no form with ${name} on the page:\n${page.html}`);
      const action = new URL(form.action, page.url);
      const body = new URLSearchParams({ ...form.fields, ...typed });
      if (form.method === 'get') {
        action.search = `?${body}`;
        return walk(action, {}, until);
      }
      if (action.origin !== origin) return { url: action, status: page.status, html: '', body };
      return walk(action, { method: 'POST', body, headers: { Origin: origin } }, until);
    },
  };
}
