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
export interface Agent {
  open(url: string | URL): Promise<SolverVisit>;
  /**
   * Submits the form with this `data-testid` or `id` on the form or its button. `until` stops the walk at a redirect, which is not
   * opened.
   */
  submit(
    page: SolverVisit,
    name: string,
    typed?: Readonly<Record<string, string>>,
    until?: (url: URL) => boolean,
  ): Promise<SolverVisit>;
  /** The current cookies. */
  readonly cookies: ReadonlyMap<string, string>;
}

const mostRedirects = 10;

/** The function that sends requests: `fetch`, or one that trusts its own CA. */
export type Fetch = (url: URL, init: RequestInit) => Promise<Response>;

/** An agent that stays at this origin. The first redirect or form to a different origin ends the walk. */
export function createAgent(origin: string, fetchBy: Fetch = fetch): Agent {
  const cookies = new Map<string, string>();

  async function request(url: URL, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set('Accept', 'text/html,application/xhtml+xml,*/*;q=0.8');
    if (cookies.size > 0) headers.set('Cookie', [...cookies].map(pair => pair.join('=')).join('; '));
    const response = await fetchBy(url, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) store(cookies, line);
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
    open: url => walk(new URL(url), {}),
    submit(page, name, typed = {}, until = undefined) {
      const form = findForm(page.html, name);
      const action = new URL(form.action, page.url);
      const body = new URLSearchParams({ ...form.fields, ...typed });
      if (form.method === 'get') {
        action.search = `?${body}`;
        return walk(action, {}, until);
      }
      if (action.origin !== origin) return Promise.resolve({ url: action, status: page.status, html: '', body });
      return walk(action, { method: 'POST', body, headers: { Origin: origin } }, until);
    },
  };
}

function store(cookies: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split(';');
  const equals = pair.indexOf('=');
  const name = pair.slice(0, equals);
  const gone = attributes.some(attribute => /^\s*(max-age=0|expires=thu, 01 jan 1970)/i.test(attribute));
  if (gone) cookies.delete(name);
  else cookies.set(name, pair.slice(equals + 1));
}

interface Form {
  readonly action: string;
  /** In lower case. */
  readonly method: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** The hidden fields and ticked boxes of the form with the named button, and the value of that button. */
function findForm(html: string, name: string): Form {
  for (const [form] of html.matchAll(/<form\b[\s\S]*?<\/form>/g)) {
    const tags = [...form.matchAll(/<(form|input|button)\b((?:"[^"]*"|[^">])*)>/g)].map(([, tag, text]) => ({
      tag,
      attributes: attributesOf(text ?? ''),
    }));
    const isNamed = ({ attributes }: (typeof tags)[number]) =>
      attributes['data-testid'] === name || attributes.id === name;
    if (!tags.some(isNamed)) continue;
    const sent = tags.filter(each => isFilledIn(each.attributes) || (each.tag === 'button' && isNamed(each)));
    const fields = sent.filter(({ attributes }) => attributes.name !== undefined);
    return {
      action: tags[0]?.attributes.action ?? '',
      method: tags[0]?.attributes.method?.toLowerCase() ?? 'get',
      fields: Object.fromEntries(fields.map(({ attributes }) => [attributes.name, attributes.value ?? ''])),
    };
  }
  throw new Error(`no form with ${name} on the page:\n${html}`);
}

function isFilledIn({ type, checked, disabled }: Readonly<Record<string, string>>): boolean {
  return type === 'hidden' || (type === 'checkbox' && checked !== undefined && disabled === undefined);
}

function attributesOf(text: string): Record<string, string> {
  const found = [...text.matchAll(/([\w-]+)(?:="([^"]*)")?/g)];
  return Object.fromEntries(found.map(([, name, value]) => [name, decode(value ?? '')]));
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#34': '"', '#39': "'" };

/** Decodes the entities of HTML. */
export function decode(text: string): string {
  return text.replace(/&(#?\w+);/g, (whole, name: string) => entities[name] ?? whole);
}
