import { demand } from './demand.ts';
import { findForm } from './forms.ts';
import type { Http, TestRequest } from './http.ts';
import { describe } from './json.ts';

/** Where the browser stands: on a page of the server, or outside, where it was sent to. */
export interface Visit {
  readonly url: URL;
  readonly status: number;
  /** Empty outside. */
  readonly html: string;
  /** What a form posted to the address outside. */
  readonly body?: URLSearchParams;
  readonly isOutside: boolean;
}

/** A browser without scripts: a cookie jar, redirects and real forms. It never leaves the server. */
export interface Browser {
  open(url: string | URL): Promise<Visit>;
  /** Sends the form with the named element, with what was typed. */
  submit(page: Visit, name: string, typed?: Readonly<Record<string, string>>): Promise<Visit>;
}

const mostRedirects = 10;

export function createBrowser(http: Http, issuer: string): Browser {
  const { origin } = new URL(issuer);
  const jar = new Map<string, string>();

  async function request(url: URL, sent: TestRequest) {
    const cookie = jar.size === 0 ? {} : { Cookie: [...jar].map(pair => pair.join('=')).join('; ') };
    const headers = { ...sent.headers, Accept: 'text/html,*/*;q=0.8', ...cookie };
    const answer = await http.send(url, { ...sent, headers });
    for (const line of answer.headers['set-cookie'] ?? []) keep(jar, line);
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
    open: url => walk(new URL(url), {}),
    submit(page, name, typed = {}) {
      const form = findForm(page.html, name);
      demand(form !== undefined, `the page has no ${name}: ${describePage(page)}`);
      const action = new URL(form.action, page.url);
      const body = new URLSearchParams({ ...form.fields, ...typed });
      if (action.origin !== origin) {
        return Promise.resolve({ url: action, status: page.status, html: '', body, isOutside: true });
      }
      if (form.method === 'get') return walk(new URL(`?${body}`, action), {});
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Origin: origin };
      return walk(action, { method: 'POST', body: body.toString(), headers });
    },
  };
}

/** A page in a few words. */
export function describePage({ status, html }: Visit): string {
  return describe({ status, text: html, headers: {} });
}

function keep(jar: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split(';');
  const equals = pair.indexOf('=');
  const name = pair.slice(0, equals).trim();
  const isGone = attributes.some(attribute => /^\s*(max-age=0|expires=thu, 01 jan 1970)/i.test(attribute));
  if (isGone) jar.delete(name);
  else jar.set(name, pair.slice(equals + 1));
}
