/** Where the agent stands: a page of the sandbox, or the address outside of it that it was sent to. */
export interface Visit {
  readonly url: URL;
  /** Of the page; of the redirect that led outside. */
  readonly status: number;
  /** Empty outside. */
  readonly html: string;
  /** What a form posted to the address outside. */
  readonly body?: URLSearchParams;
}

/** A browser without scripts and without eyes: a cookie jar, redirects, links and real forms. */
export interface Agent {
  open(url: string | URL): Promise<Visit>;
  /** Submits the form whose button, or which itself, has this `data-testid` or `id`. */
  submit(page: Visit, name: string, typed?: Readonly<Record<string, string>>): Promise<Visit>;
  /** What the jar holds now. */
  readonly cookies: ReadonlyMap<string, string>;
}

const mostRedirects = 10;

/** What an agent calls with: `fetch`, or one that trusts a CA of its own. */
type Fetch = (url: URL, init: RequestInit) => Promise<Response>;

/** An agent that stays at this origin: the first redirect or form that leads elsewhere ends the walk. */
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

  async function walk(start: URL, init: RequestInit): Promise<Visit> {
    let url = start;
    let response = await request(url, init);
    for (let hops = 0; response.status >= 300 && response.status < 400; hops++) {
      if (hops === mostRedirects) throw new Error(`more than ${mostRedirects} redirects, the last to ${url}`);
      await response.arrayBuffer();
      url = new URL(response.headers.get('Location') ?? '', url);
      if (url.origin !== origin) return { url, status: response.status, html: '' };
      response = await request(url, {});
    }
    return { url, status: response.status, html: await response.text() };
  }

  return {
    cookies,
    open: url => walk(new URL(url), {}),
    submit(page, name, typed = {}) {
      const form = findForm(page.html, name);
      const action = new URL(form.action, page.url);
      const body = new URLSearchParams({ ...form.fields, ...typed });
      if (form.method === 'get') {
        action.search = `?${body}`;
        return walk(action, {});
      }
      if (action.origin !== origin) return Promise.resolve({ url: action, status: page.status, html: '', body });
      return walk(action, { method: 'POST', body, headers: { Origin: origin } });
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

/** The hidden fields and ticked boxes of the form that holds the named button, and the button's own. */
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

/** Text of HTML, with its entities read. */
export function decode(text: string): string {
  return text.replace(/&(#?\w+);/g, (whole, name: string) => entities[name] ?? whole);
}
