import { describe, expect, it } from 'vitest';
import { clientClosedRequest, type ErrorReturned, type RequestCompleted } from '../../src/base/events/event.ts';
import { pages } from '../../src/dashboard/navigation.ts';
import {
  codeFact,
  createLog,
  frontend,
  hostile,
  issue,
  issuer,
  jwt,
  now,
  optionsFor,
  refreshFact,
  runDashboard,
  sensor,
  tokenFact,
} from './running-dashboard.ts';

const refusal: ErrorReturned = {
  type: 'error.returned',
  endpoint: 'token',
  status: 400,
  error: 'invalid_grant',
  reason: 'pkce_mismatch',
  description: 'code_verifier does not match the code_challenge',
  sent: 'one-hash',
  expected: 'another-hash',
  client_id: 'frontend',
  form: 'json',
};
const completed: RequestCompleted = {
  type: 'request.completed',
  endpoint: 'discovery',
  method: 'GET',
  path: '/.well-known/openid-configuration',
  status: 200,
  milliseconds: 1.5,
  exchange: { url: '/.well-known/openid-configuration', ip: '127.0.0.1', requestHeaders: '', responseHeaders: '' },
};

type Running = Awaited<ReturnType<typeof runDashboard>>;

async function currentCircle(dashboard: Running): Promise<string | undefined> {
  return /aria-current="step">.*?<b>(.*?)<\/b>/s.exec(await dashboard.text('/dashboard'))?.[1];
}

async function valuesOn(dashboard: Running, path: string): Promise<(string | undefined)[]> {
  const html = await dashboard.text(path);
  return [...html.matchAll(/<code id="value-\w+">(.*?)<\/code>/g)].map(([, text]) => text);
}

describe('home', () => {
  it('waits for an app, with snippets from the running configuration', async () => {
    await using dashboard = await runDashboard();
    const html = await dashboard.text('/dashboard');
    expect(html).toContain('<title>Home · localhost:9000</title>');
    expect(html).toContain('Ready. Waiting for your app.');
    expect(html).toContain('test-label');
    expect(html).toContain('authority: &#39;http://localhost:9000&#39;');
    expect(html).toContain('new JwtIssuerValidator(&#34;http://localhost:9000&#34;)');
    expect(html).toContain('sensor:it&#39;\\&#39;&#39;s secret');
    expect(html).toContain('href="/dashboard/demo?user=alice"');
  });

  it('offers no demo where no client may come back', async () => {
    await using dashboard = await runDashboard({ clients: [sensor], registered: () => [sensor] });
    const html = await dashboard.text('/dashboard');
    expect(html).not.toContain('/dashboard/demo');
    expect(html).not.toContain('oidc-client-ts');
  });

  it('fills the circles of what it has seen, and the next one glows', async () => {
    await using dashboard = await runDashboard();
    dashboard.append({ ...completed, status: 404 });
    dashboard.append({ ...completed, endpoint: 'dashboard' });
    const html = await dashboard.text('/dashboard');
    expect(html).not.toContain('✓');
    expect(html).toContain('waiting for your app');
    dashboard.append(completed, 'req_2');
    expect(await dashboard.text('/dashboard')).toContain('<a href="/dashboard/requests/req_2">Finds the server</a>');
    expect(await currentCircle(dashboard)).toBe('Sends the user');
  });

  it('forgets what it has seen at a reset', async () => {
    await using dashboard = await runDashboard();
    dashboard.append(completed);
    expect(await dashboard.text('/dashboard')).toContain('✓');
    dashboard.events.clear();
    dashboard.append({ type: 'sandbox.reset' });
    expect(await dashboard.text('/dashboard')).not.toContain('✓');
    dashboard.append({ ...completed, endpoint: 'authorize' }, 'req_3');
    expect(await dashboard.text('/dashboard')).toContain('<a href="/dashboard/requests/req_3">Sends the user</a>');
    expect(await currentCircle(dashboard)).toBe('Gets its tokens');
  });

  it.each([
    ['any http://localhost:… works', { redirect_uris: [], loopback_redirects: true }],
    ['or <code>https://b.example/</code>', { redirect_uris: ['https://a.example/', 'https://b.example/'] }],
    ['any port works', { redirect_uris: ['http://127.0.0.1:3000/callback'] }],
    ['any port works', { redirect_uris: ['http://localhost:3000/callback'], application_type: 'native' }],
    ['no other works. <a href="/dashboard/clients/frontend">Add yours</a>', { redirect_uris: ['https://a.example/'] }],
  ] as const)('says which redirect URIs the client accepts: %s', async (words, members) => {
    const client = { ...frontend, loopback_redirects: false, ...members };
    await using dashboard = await runDashboard({ registered: () => [client] });
    const note = /data-testid="home-redirect-note">(.*?)<\/small>/s.exec(await dashboard.text('/dashboard'))?.[1];
    expect(note).toBe(words);
  });

  it('shows the values of the first client of a browser, and a choice if there are several', async () => {
    const shop = { ...frontend, client_id: 'shop' };
    await using dashboard = await runDashboard({ registered: () => [sensor, frontend, shop] });
    expect(await valuesOn(dashboard, '/dashboard')).toEqual([issuer, 'frontend', 'http://localhost:3000/callback']);
    expect(await valuesOn(dashboard, '/dashboard?client=shop')).toContain('shop');
    expect(await dashboard.text('/dashboard')).toContain('data-testid="home-client"');
    await using alone = await runDashboard({ registered: () => [sensor, frontend] });
    expect(await alone.text('/dashboard')).not.toContain('data-testid="home-client"');
  });

  it('shows the first client of another app where no browser has one, with its secret unless that is hidden', async () => {
    await using dashboard = await runDashboard({ registered: () => [sensor] });
    expect(await valuesOn(dashboard, '/dashboard')).toEqual([issuer, 'sensor', 'it&#39;s secret']);
    expect(await valuesOn(dashboard, '/dashboard?secrets=hidden')).toEqual([issuer, 'sensor', '***']);
    expect(await dashboard.text('/dashboard')).toContain('Put these three values into your app');
  });

  it('shows the latest login, refusal and tokens once it is used', async () => {
    await using dashboard = await runDashboard();
    dashboard.append({ type: 'login.succeeded', sub: 'alice', sid: 's', amr: ['user'], client_id: 'frontend' });
    dashboard.append(tokenFact('tok_1'));
    dashboard.append(refusal, 'req_9');
    const html = await dashboard.text('/dashboard');
    expect(html).not.toContain('Waiting for your app');
    expect(html).toContain('href="/dashboard/problems/req_9" data-testid="home-explain">Explain');
    expect(html).toContain('href="/dashboard/tokens/tok_1"');
    expect(await dashboard.text('/dashboard/api/v1/home')).toContain('<mark>another</mark>-hash');
  });
});

describe('the list of tokens', () => {
  it('shows the newest first, codes included, with their status in words', async () => {
    await using dashboard = await runDashboard();
    dashboard.append(codeFact('tok_c'));
    dashboard.append(tokenFact('tok_a', { parentTokenId: 'tok_c' }));
    dashboard.append(refreshFact('tok_r', { parentTokenId: 'tok_c', exp: now }));
    const html = await dashboard.text('/dashboard/tokens/list');
    expect([...html.matchAll(/<tr role="row" id="(\w+)"/g)].map(([, id]) => id)).toEqual(['tok_r', 'tok_a', 'tok_c']);
    expect([...html.matchAll(/badge status \w+"[^>]*>([^<]+)</g)].map(([, words]) => words)).toEqual([
      'expired',
      '5 min left',
      'used',
    ]);
  });

  it('holds 100 rows in less than 120 kB, whatever is in them, and pages', async () => {
    await using dashboard = await runDashboard();
    for (let n = 0; n < 450; n++) {
      const long = { client_id: `https://${'long.'.repeat(40)}example/`, scope: 'a-long-scope '.repeat(50).trim() };
      dashboard.append(tokenFact(`tok_${String(n).padStart(12, '0')}`, { authorizationId: `a${n}`, ...long }));
    }
    const seen: number[] = [];
    let path: string | undefined = '/dashboard/tokens/list?q=user%3Aalice';
    while (path !== undefined) {
      const html: string = await dashboard.text(path);
      expect(html.length).toBeLessThan(120_000);
      seen.push([...html.matchAll(/<tr role="row" id=/g)].length);
      path = /id="older" href="([^"]+)">/.exec(html)?.[1]?.replaceAll('&amp;', '&');
    }
    expect(seen).toEqual([100, 100, 100, 100, 50]);
  });

  it('filters with scripts off, keeps the query, and says what it did not understand', async () => {
    await using dashboard = await runDashboard();
    dashboard.append(tokenFact('tok_1'));
    dashboard.append(tokenFact('tok_2', { sub: 'bob', authorizationId: 'auth-2' }));
    expect(await dashboard.text('/dashboard/tokens?q=user%3Abob')).toMatch(/^(?![\s\S]*tok_1)[\s\S]*tok_2/);
    const html = await dashboard.text('/dashboard/tokens?q=user%3Abob+usr%3Ax');
    expect(html).not.toMatch(/tok_[12]/);
    expect(html).toContain('Did you mean <code>user:</code>?');
    expect(html).toContain('value="user:bob usr:x"');
    expect(html).toContain('href="/dashboard/tokens?q=type%3Aaccess+user%3Abob"');
  });

  it('says so when nothing matches', async () => {
    await using dashboard = await runDashboard();
    expect(await dashboard.text('/dashboard/tokens')).toContain('No token yet.');
    dashboard.append(tokenFact('tok_1'));
    expect(await dashboard.text('/dashboard/tokens?q=user%3Anobody')).toContain('No token matches');
  });

  it.each(['tok_1', jwt({ jti: 'pasted' })])('opens what is pasted into the filter: %s', async pasted => {
    await using dashboard = await runDashboard();
    dashboard.append(tokenFact('tok_1', { token: jwt({ jti: 'pasted' }) }));
    const response = await dashboard.get(`/dashboard/tokens?q=${encodeURIComponent(` ${pasted} `)}`);
    expect([response.status, response.headers.get('location')]).toEqual([303, '/dashboard/tokens/tok_1']);
  });

  it.each(['?q=a&q=b', '?before=x', '?before=-1', '?before=9e99', '?q[]=1', '?before=1&before=2', '?q=%00'])(
    'stands %s',
    async query => {
      await using dashboard = await runDashboard();
      dashboard.append(tokenFact('tok_1'));
      expect((await dashboard.get(`/dashboard/tokens${query}`)).status).toBe(200);
    },
  );

  it('leads to the latest access token, or to what there is', async () => {
    await using dashboard = await runDashboard();
    const latest = async () => (await dashboard.get('/dashboard/tokens/latest')).headers.get('location');
    expect(await latest()).toBe('/dashboard/tokens');
    dashboard.append(codeFact('tok_c'));
    expect(await latest()).toBe('/dashboard/tokens/tok_c');
    dashboard.append(tokenFact('tok_1'));
    dashboard.append(tokenFact('tok_i', { tokenType: 'id' }));
    dashboard.append(codeFact('tok_d'));
    expect(await latest()).toBe('/dashboard/tokens/tok_1');
  });
});

describe('the interface of the script', () => {
  it('gives rows newer than an event, filtered', async () => {
    await using dashboard = await runDashboard();
    const first = issue(dashboard.events, tokenFact('tok_1'));
    dashboard.append(tokenFact('tok_2', { sub: 'bob' }));
    dashboard.append(tokenFact('tok_3'));
    const response = await dashboard.get(`/dashboard/api/v1/tokens/rows?after=${first.id}&q=user%3Aalice`);
    const html = await response.text();
    expect([...html.matchAll(/ id="(\w+)"/g)].map(([, id]) => id)).toEqual(['tok_3']);
    expect(response.headers.get('grantbox-newest')).toBe('3');
    expect(response.headers.get('grantbox-more')).toBeNull();
  });

  it('says when there are more than fit', async () => {
    await using dashboard = await runDashboard();
    for (let n = 0; n < 201; n++) dashboard.append(tokenFact(`tok_${n}`, { authorizationId: `a${n}` }));
    const response = await dashboard.get('/dashboard/api/v1/tokens/rows?after=0');
    expect(response.headers.get('grantbox-more')).toBe('true');
  });

  it('gives tokens as JSON, without the raw tokens', async () => {
    await using dashboard = await runDashboard();
    dashboard.append(refreshFact('tok_1'));
    const body = await (await dashboard.get('/dashboard/api/v1/tokens?q=type%3Arefresh')).json();
    expect(body).toMatchObject({ tokens: [{ tokenId: 'tok_1', status: 'valid', sub: 'alice' }], problems: [] });
    expect(JSON.stringify(body)).not.toContain('raw-tok_1');
  });

  it.each([
    [{ origin: 'https://evil.test' }, 403],
    [{ origin: 'null' }, 403],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ 'sec-fetch-site': 'same-origin' }, 200],
    [{}, 200],
  ])('answers %j with %s', async (headers, status) => {
    await using dashboard = await runDashboard();
    expect((await dashboard.get('/dashboard/api/v1/tokens', headers as Record<string, string>)).status).toBe(status);
    expect((await dashboard.get('/dashboard/api/v1/tokens', { origin: dashboard.url })).status).toBe(200);
  });
});

describe('an application that a login can be started at (OIDC Core §4)', () => {
  it.each([
    ['https://shop.example/login', 'https://shop.example/login?'],
    ['https://shop.example/login?tenant=1', 'https://shop.example/login?tenant=1&amp;'],
  ])('is a link to %s, with the issuer', async (initiate_login_uri, start) => {
    const shop = { ...frontend, client_id: 'shop', client_name: hostile, initiate_login_uri };
    await using dashboard = await runDashboard({ registered: () => [frontend, shop] });
    const html = await dashboard.text('/dashboard');
    expect(html).toContain(`<a href="${start}iss=http%3A%2F%2Flocalhost%3A9000" rel="noreferrer">`);
    expect(html).toContain('<code>shop</code>');
    expect(html).not.toContain('<script>alert');
  });

  it('is not spoken of where there is none', async () => {
    await using dashboard = await runDashboard();
    expect(await dashboard.text('/dashboard')).not.toContain('initiate_login_uri');
  });

  it('is one of the last twenty where there are many', async () => {
    const initiate_login_uri = 'https://shop.example/login';
    const many = Array.from({ length: 25 }, (_, at) => ({
      ...{ ...frontend, client_id: `shop-${at}`, initiate_login_uri },
      loopback_redirects: false,
    }));
    await using dashboard = await runDashboard({ registered: () => many });
    const shown = [...(await dashboard.text('/dashboard')).matchAll(/<code>(shop-\d+)<\/code>/g)].map(([, id]) => id);
    expect(shown).toEqual(many.slice(5).map(({ client_id }) => client_id));
  });
});

describe('the page of one token', () => {
  it('decodes, checks, and leads to where it came from', async () => {
    await using dashboard = await runDashboard();
    dashboard.append(codeFact('tok_c'), 'req_login');
    dashboard.append(tokenFact('tok_a', { parentTokenId: 'tok_c' }), 'req_token');
    const html = await dashboard.text('/dashboard/tokens/tok_a');
    expect(html).toContain('Access token for alice');
    expect(html).toContain('verified with key key-1');
    expect(html).toContain('https://www.rfc-editor.org/rfc/rfc7519#section-4.1.1');
    expect(html).toContain('href="/dashboard/requests/req_token"');
    expect(html).toContain('href="/dashboard/tokens/tok_c"');
    expect(html).toMatch(/<span class="part-header">eyJ[\w-]+\.<\/span><span class="part-payload">eyJ/);
    expect(html).toContain(`${issuer}/api/products`);
  });

  it('offers to copy what it is of: a code or a token', async () => {
    await using dashboard = await runDashboard();
    dashboard.append(codeFact('tok_c'));
    dashboard.append(tokenFact('tok_a', { parentTokenId: 'tok_c' }));
    expect(await dashboard.text('/dashboard/tokens/tok_c')).toMatch(/>Copy code<(?![\s\S]*Copy token)/);
    expect(await dashboard.text('/dashboard/tokens/tok_a')).toMatch(/>Copy token<(?![\s\S]*Copy code)/);
  });

  it('says of a refreshed token by which grant it came, and with which the authorization began', async () => {
    await using dashboard = await runDashboard();
    dashboard.append(refreshFact('tok_r1'));
    dashboard.append(tokenFact('tok_a2', { grant_type: 'refresh_token', began: 'authorization_code' }));
    const html = await dashboard.text('/dashboard/tokens/tok_a2');
    expect(html).toContain('refresh_token <span class="aside">began with <code>authorization_code</code></span>');
  });

  it.each(['/dashboard/tokens/tok_x', '/dashboard/requests/req_x', '/dashboard/nothing'])(
    'is 404 at %s',
    async path => {
      await using dashboard = await runDashboard();
      const response = await dashboard.get(path);
      expect(response.status).toBe(404);
      expect(await response.text()).toContain('<h1>No such');
    },
  );
});

describe('the page of one request', () => {
  it('says what was sent, what was expected and how to fix it', async () => {
    await using dashboard = await runDashboard();
    dashboard.append({ type: 'client.authenticated', client_id: 'frontend', method: 'none' }, 'req_7');
    dashboard.append(refusal, 'req_7');
    dashboard.append({ ...completed, method: 'POST', path: '/oauth2/token', status: 400 }, 'req_7');
    const html = await dashboard.text('/dashboard/requests/req_7');
    expect(html).toContain('<code data-testid="problem-code">invalid_grant</code>');
    expect(html).toMatch(/Your app sent<\/dt><dd>one-hash[\s\S]*Expected<\/dt><dd>another-hash/);
    expect(html).toContain('Send the <code>code_verifier</code> of this sign-in');
    expect(html).toContain('rfc7636#section-4.6');
    expect(html).toContain('POST /oauth2/token');
    expect(html).toContain('Public client frontend identified itself (no authentication)');
  });

  it('says that the client hung up before the answer', async () => {
    await using dashboard = await runDashboard();
    dashboard.append({ ...completed, path: '/api/products', status: clientClosedRequest }, 'req_8');
    const html = await dashboard.text('/dashboard/requests/req_8');
    expect(html).toContain('The client hung up after 1.5 ms');
    expect(html).toContain('The client hung up before GET /api/products was answered');
  });

  it('has words for every type of event', async () => {
    await using dashboard = await runDashboard();
    dashboard.append({ type: 'token.requested', client_id: 'c', grant_type: 'g', ignored: ['what'] });
    dashboard.append({
      type: 'authorization.requested',
      client_id: 'c',
      redirect_uri: 'r',
      response_type: 'code',
      response_mode: 'query',
      ignored: [],
    });
    dashboard.append({ type: 'token.revoked', authorizationId: 'a', client_id: 'c', reason: 'code_replayed' });
    dashboard.append({ type: 'session.ended', sub: 'alice', sid: 's' });
    dashboard.append({ type: 'key.created', kid: 'k', alg: 'RS256' });
    dashboard.append({ type: 'sandbox.reset' });
    dashboard.append(codeFact('tok_c'));
    dashboard.append(tokenFact('tok_a'));
    const html = await dashboard.text('/dashboard/requests/req_1');
    expect([...html.matchAll(/<li>\s*<time/g)]).toHaveLength(8);
    expect(html).toContain('A code was used twice');
    expect(html).not.toContain('undefined');
  });
});

describe('whatever strangers send', () => {
  const paths = ['', '/tokens', '/tokens?q=', '/tokens/tok_h', '/tokens/tok_hc', '/tokens/tok_hr', '/requests/req_h'];

  it.each([...paths, '/api/v1/home', '/api/v1/tokens/rows?after=0'])('is text on /dashboard%s', async path => {
    const label = { client_id: hostile, client_name: hostile };
    const user = {
      sub: hostile,
      username: hostile,
      claims: { name: hostile, roles: [hostile] },
      access_token_claims: {},
    };
    await using dashboard = await runDashboard({
      clients: [{ ...sensor, ...label, token_endpoint_auth_methods: ['none'], grant_types: ['authorization_code'] }],
      users: [user],
      collections: [{ name: hostile, readScope: hostile, fields: {} }],
      verify: async () => ({ ok: false, why: hostile }),
    });
    const all = { client_id: hostile, sub: hostile, scope: hostile };
    dashboard.append(
      tokenFact('tok_h', { ...all, token: jwt({ [hostile]: hostile, iss: hostile }), grant_type: hostile }),
      'req_h',
    );
    dashboard.append(codeFact('tok_hc', { ...all, redirect_uri: `javascript:${hostile}`, token: hostile }), 'req_h');
    dashboard.append(refreshFact('tok_hr', { ...all, token: hostile }), 'req_h');
    dashboard.append({ type: 'login.succeeded', sub: hostile, sid: 's', amr: [hostile], client_id: hostile }, 'req_h');
    dashboard.append(
      { ...refusal, error: hostile, reason: hostile, description: hostile, sent: hostile, expected: hostile },
      'req_h',
    );
    dashboard.append({ ...completed, method: hostile, path: hostile }, 'req_h');
    const response = await dashboard.get(`/dashboard${path}${path.endsWith('q=') ? encodeURIComponent(hostile) : ''}`);
    const html = await response.text();
    expect(response.status).toBe(200);
    expect(html).toContain('&lt;script&gt;alert(1)');
    expect(html).not.toMatch(/<script>alert|<img|href="javascript:|style="| on\w+="/);
  });

  it('is text in the address of a token that does not exist', async () => {
    await using dashboard = await runDashboard();
    expect(await dashboard.text(`/dashboard/tokens/${encodeURIComponent(hostile)}`)).not.toContain('<script>alert');
  });
});

describe('without recording', () => {
  it.each(['flows', 'problems', 'requests'])('the page of %s says so', async page => {
    await using dashboard = await runDashboard({ recording: false });
    expect(await dashboard.text(`/dashboard/${page}`)).toContain('RECORDING=off');
  });

  it('nothing is said where it makes no difference', async () => {
    await using dashboard = await runDashboard({ recording: false });
    expect(await dashboard.text('/dashboard/keys')).not.toContain('RECORDING=off');
  });
});

describe('the navigation', () => {
  const textOf = (html: string, tag: string) =>
    (new RegExp(`<${tag}[^>]*>([^<]*)</${tag}>`).exec(html)?.[1] ?? '').trim();

  const linksIn = (html: string) => [...html.matchAll(/data-testid="((?:nav|tab)-\w+)"/g)].map(([, id]) => id);

  it('has five entries, and the tools below them', async () => {
    await using dashboard = await runDashboard();
    const html = await dashboard.text('/dashboard');
    const entries = ['nav-home', 'nav-requests', 'nav-flows', 'nav-problems', 'nav-clients'];
    expect(linksIn(html)).toEqual([...entries, 'nav-faults', 'nav-clock', 'nav-decode', 'nav-keys', 'nav-settings']);
    expect(html).toContain('Clients<span class="rest"> &amp; users</span>');
    expect(html).not.toContain('section-tabs');
  });

  it('has the pages of an entry as tabs, and the entry is current on all of them', async () => {
    await using dashboard = await runDashboard();
    for (const [page, entry, ...tabs] of [
      ['tokens', 'flows', 'tab-flows', 'nav-tokens'],
      ['api', 'clients', 'tab-clients', 'nav-users', 'nav-scopes', 'nav-api'],
    ]) {
      const html = await dashboard.text(`/dashboard/${page}`);
      const [, list = ''] = /<nav class="section-tabs".*?>(.*?)<\/nav>/s.exec(html) ?? [];
      expect(linksIn(list)).toEqual(tabs);
      expect([...html.matchAll(/aria-current="page"\s+data-testid="([\w-]+)"/g)].map(([, id]) => id)).toEqual([
        `nav-${entry}`,
        `nav-${page}`,
      ]);
    }
  });

  it('has the key of each page in the list of shortcuts, once', async () => {
    await using dashboard = await runDashboard();
    const html = await dashboard.text('/dashboard');
    const keys = [...html.matchAll(/data-key="(\w)">([^<]*)</g)].map(([, key, name]) => [name, key]);
    expect(keys.toSorted()).toEqual(
      Object.values(pages)
        .map(({ name, key }) => [name, key])
        .toSorted(),
    );
  });

  it('has its tools closed, unless they were left open, one of them is shown, or a fault is armed', async () => {
    let armed = 0;
    const faults = { ...optionsFor(createLog()).faults, armedCount: () => armed };
    await using dashboard = await runDashboard({ faults });
    const isOpen = async (page: string, cookie = '') =>
      /<details class="tools" id="tools" open>/.test(await (await dashboard.get(page, { cookie })).text());
    expect(await isOpen('/dashboard')).toBe(false);
    expect(await isOpen('/dashboard', 'grantbox_view_9000=system.tools')).toBe(true);
    expect(await isOpen('/dashboard/decode')).toBe(true);
    armed = 1;
    expect(await isOpen('/dashboard')).toBe(true);
  });

  it('switches the theme with one button, which leads back to the page and to nowhere else', async () => {
    await using dashboard = await runDashboard();
    const press = (back: string) =>
      fetch(`${dashboard.url}/dashboard/settings/display`, {
        method: 'POST',
        body: new URLSearchParams({ theme: 'dark', back }),
        redirect: 'manual',
      });
    const answer = await press('/dashboard/tokens?q=a');
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/dashboard/tokens?q=a']);
    expect(answer.headers.get('set-cookie')).toContain('grantbox_view_9000=dark;');
    for (const foreign of ['https://elsewhere.example', '//elsewhere.example', '/\\elsewhere.example', '']) {
      expect((await press(foreign)).headers.get('location')).toBe('/dashboard');
    }
  });

  it('has the name of each page as title and heading has it', async () => {
    await using dashboard = await runDashboard();
    dashboard.append(tokenFact('tok_1'));
    for (const [entry, { name }] of Object.entries(pages)) {
      const html = await dashboard.text(`/dashboard${entry === 'home' ? '' : `/${entry}`}`);
      expect([entry, textOf(html, 'title'), textOf(html, 'h1')]).toEqual([entry, `${name} · localhost:9000`, name]);
    }
  });
});
