import { describe, expect, it } from 'vitest';
import type { ErrorReturned, RequestCompleted } from '../../src/base/events/event.ts';
import type { Exchange } from '../../src/base/events/exchange.ts';
import type { SelfRequest } from '../../src/sandbox/self-request.ts';
import { codeFact, createLog, hostile, issuer, requestFact, runDashboard, tokenFact } from './running-dashboard.ts';

const lines = (headers: Readonly<Record<string, string>>) => Object.entries(headers).flat().join('\n');

function exchange(more: Partial<Exchange> = {}): Exchange {
  return { url: '/oauth2/token?a=1', ip: '192.0.2.1', requestHeaders: '', responseHeaders: '', ...more };
}

const form = {
  url: '/oauth2/token',
  requestHeaders: lines({
    Host: 'localhost:9000',
    Connection: 'keep-alive',
    Origin: issuer,
    'Sec-Fetch-Site': 'same-origin',
    'Content-Type': 'application/x-www-form-urlencoded',
    'Content-Length': '1',
    'Grantbox-Tool': 'old',
    'X-Kept': 'a, b',
  }),
  requestBody: {
    text: 'grant_type=authorization_code&code=the-code-1234&client_secret=my-secret-1&note=products+write',
    bytes: 70,
  },
  responseHeaders: lines({ 'Content-Type': 'application/json', 'Set-Cookie': 'sid=cookie-value; Path=/' }),
  responseBody: { text: '{"access_token":"opaque-token-1","expires_in":300}', bytes: 50 },
};

const refusal: ErrorReturned = {
  type: 'error.returned',
  endpoint: 'token',
  status: 400,
  error: 'invalid_grant',
  reason: 'pkce_mismatch',
  description: 'code_verifier does not match the code_challenge',
  client_id: 'frontend',
  form: 'json',
};

function requestOf(more: Partial<RequestCompleted> = {}): RequestCompleted {
  return { ...requestFact(), ...more };
}

const rowsIn = (html: string) => [...html.matchAll(/<tr role="row" id="(req_\w+)"/g)].map(([, id]) => id);

describe('the list of requests', () => {
  it('shows eighty, newest first, in less than 120 kB, and leads to the older ones', async () => {
    await using dashboard = await runDashboard();
    const path = `/${'p'.repeat(15_000)}`;
    for (let n = 0; n < 150; n++) {
      dashboard.append({ ...refusal, client_id: 'c'.repeat(300) }, `req_${n}`);
      dashboard.append(requestOf({ path, exchange: exchange({ url: path }) }), `req_${n}`);
    }
    const html = await dashboard.text('/dashboard/requests');
    expect(rowsIn(html)).toHaveLength(80);
    expect(rowsIn(html)[0]).toBe('req_149');
    expect(Buffer.byteLength(html)).toBeLessThan(120_000);
    const [, older = ''] = /id="older" href="([^"]+)"/.exec(html) ?? [];
    const rest = await dashboard.text(older.replaceAll('&amp;', '&'));
    expect(rowsIn(rest)).toHaveLength(70);
    expect(rest).toContain('>Newest</a>');
  });

  it.each<[string, string[]]>([
    ['', ['req_3', 'req_2', 'req_1']],
    ['endpoint:token', ['req_2', 'req_1']],
    ['client:frontend', ['req_2', 'req_1']],
    ['user:alice', ['req_1']],
    ['status:400', ['req_2']],
    ['status:4xx', ['req_2']],
    ['status:<400', ['req_3', 'req_1']],
    ['method:get', ['req_3']],
    ['ip:192.0.2.*', ['req_2']],
    ['code:invalid_grant', ['req_2']],
    ['code:pkce_mismatch', ['req_2']],
    ['has:problem', ['req_2']],
    ['has:token', ['req_1']],
    ['is:replay', ['req_3']],
    ['ms:>100', ['req_3']],
    ['path:/oauth2/*', ['req_2', 'req_1']],
    ['the-code-1234', []],
    ['my-secret-1', []],
    ['cookie-value', []],
    ['body:my-secret', []],
    ['header.set-cookie:cookie-value', []],
    ['raw-tok_1', ['req_1']],
    ['X-Kept', ['req_2']],
    ['"a, b"', ['req_2']],
    ['"products write"', ['req_2']],
    ['expires_in', ['req_2']],
    ['header.x-kept:b', ['req_2']],
    ['header.X-KEPT:', ['req_2']],
    ['header.x-kept:c', []],
    ['-header.x-kept:', ['req_3', 'req_1']],
    ['header.content-type:json', ['req_2']],
    ['body:expires_in', ['req_2']],
    ['body:x-kept', []],
    ['grant:authorization_code', ['req_2']],
    ['grant:', ['req_2']],
    ['header:x', []],
    ['member.grant_type:x', []],
    ['tok_1', ['req_1']],
    ['age:<1m', ['req_3', 'req_2', 'req_1']],
    ['-age:<1m', []],
    ['nothing-like-it', []],
  ])('%s finds %j', async (query, expected) => {
    await using dashboard = await runDashboard();
    dashboard.append(tokenFact('tok_1', { token: 'raw-tok_1' }), 'req_1');
    dashboard.append(requestOf(), 'req_1');
    dashboard.append(
      { type: 'token.requested', client_id: 'frontend', grant_type: 'authorization_code', ignored: [] },
      'req_2',
    );
    dashboard.append(refusal, 'req_2');
    dashboard.append(requestOf({ status: 400, exchange: exchange(form) }), 'req_2');
    const headers = lines({ 'Grantbox-Replay-Of': 'req_1' });
    dashboard.append(
      requestOf({
        endpoint: 'api',
        method: 'GET',
        path: '/api/x',
        milliseconds: 150,
        exchange: exchange({ url: '/api/x', ip: '::1', requestHeaders: headers }),
      }),
      'req_3',
    );
    expect(rowsIn(await dashboard.text(`/dashboard/requests?q=${encodeURIComponent(query)}`))).toEqual(expected);
  });

  it('ties the requests of a flow together, and names the flow on the newest of them', async () => {
    await using dashboard = await runDashboard();
    const keys = { endpoint: 'jwks', method: 'GET', path: '/oauth2/jwks', exchange: exchange({ url: '/oauth2/jwks' }) };
    dashboard.append(requestOf(keys), 'req_1');
    for (const id of ['req_2', 'req_3']) {
      dashboard.append(tokenFact(`tok_${id}`), id);
      dashboard.append(requestOf({ exchange: exchange(form) }), id);
    }
    const html = await dashboard.text('/dashboard/requests');
    const flows = [...html.matchAll(/<tr role="row" id="(\w+)" data-n="\d+"(?: data-flow="(\w+)")?/g)];
    expect(flows.map(([, id, flow]) => [id, flow])).toEqual([
      ['req_3', 'flow_2'],
      ['req_2', 'flow_2'],
      ['req_1', undefined],
    ]);
    expect([...html.matchAll(/class="value of-flow"[^>]*>([^<]+)</g)].map(([, name]) => name)).toEqual([
      'Sign-in of alice →',
    ]);
  });

  it.each<[string, string, string, object, object?]>([
    ['s4', '400', 'refused', { status: 400 }, refusal],
    [
      '',
      '400',
      'normal',
      { status: 400 },
      { ...refusal, error: 'authorization_pending', reason: 'authorization_pending' },
    ],
    ['own', '503', 'own', { status: 503, faults: ['unavailable'] }],
    ['', '499', 'normal', { status: 499 }],
    ['s5', '500', '', { status: 500 }],
    ['s3', '302', '', { status: 302 }],
    ['', '200', '', {}],
  ])('has the look %j for %s %s', async (look, status, say, request, fact) => {
    await using dashboard = await runDashboard();
    if (fact !== undefined) dashboard.append(fact as ErrorReturned, 'req_1');
    dashboard.append(requestOf(request), 'req_1');
    const html = await dashboard.text('/dashboard/requests');
    expect(html).toContain(`<span class="st ${look}">${status}</span>`);
    expect(/class="say (\w+)"/.exec(html)?.[1] ?? '').toBe(say);
    const signs = { refused: 'is:refused', own: 'is:fault' } as Record<string, string>;
    for (const query of ['is:refused', 'is:fault'])
      expect(rowsIn(await dashboard.text(`/dashboard/requests?q=${query}`))).toHaveLength(signs[say] === query ? 1 : 0);
  });

  it('names terms that it did not understand, and counts dropped requests', async () => {
    await using dashboard = await runDashboard({ events: createLog(3) });
    for (let n = 0; n < 5; n++) dashboard.append(requestOf(), `req_${n}`);
    const html = await dashboard.text('/dashboard/requests?q=endpiont:token');
    expect(html).toContain('Unknown operator <code>endpiont:</code>. Did you mean <code>endpoint:</code>? Known: ');
    expect(html).toContain('The oldest 2 requests are gone');
  });

  it('gives its newer rows alone, for a page that is there already', async () => {
    await using dashboard = await runDashboard();
    dashboard.append(requestOf(), 'req_1');
    const after = dashboard.events.lastId;
    dashboard.append(requestOf(), 'req_2');
    const response = await dashboard.get(`/dashboard/api/v1/requests/rows?after=${after}`);
    expect(response.headers.get('grantbox-newest')).toBe(String(dashboard.events.lastId));
    expect(response.headers.has('grantbox-more')).toBe(false);
    expect(rowsIn(await response.text())).toEqual(['req_2']);
  });

  it('leads to the newest', async () => {
    await using dashboard = await runDashboard();
    expect((await dashboard.get('/dashboard/requests/latest')).headers.get('location')).toBe('/dashboard/requests');
    dashboard.append(requestOf(), 'req_1');
    expect((await dashboard.get('/dashboard/requests/latest')).headers.get('location')).toBe(
      '/dashboard/requests/req_1',
    );
  });
});

describe('the pane of a request', () => {
  const running = async () => {
    const dashboard = await runDashboard();
    dashboard.append(refusal, 'req_1');
    dashboard.append(requestOf({ status: 400, exchange: exchange(form) }), 'req_1');
    dashboard.append(requestOf(), 'req_2');
    return dashboard;
  };
  const tabs = (html: string) => [...html.matchAll(/data-testid="pane-tab-(\w+)"/g)].map(([, name]) => name);

  it('explains only what was refused', async () => {
    await using dashboard = await running();
    expect(tabs(await dashboard.text('/dashboard/requests/req_1/pane'))).toEqual([
      'explain',
      'request',
      'response',
      'flow',
    ]);
    expect(tabs(await dashboard.text('/dashboard/requests/req_2/pane'))).not.toContain('explain');
    expect((await dashboard.get('/dashboard/requests/req_none/pane')).status).toBe(404);
  });

  it('is in the list at its address, and leads back to the list and to more filters', async () => {
    await using dashboard = await running();
    const html = await dashboard.text('/dashboard/requests?q=endpoint:token&open=req_1');
    expect(html).toMatch(/<tr role="row" id="req_1"[^>]* aria-current="true"/);
    expect(tabs(html)).toHaveLength(4);
    expect(html).toContain('class="pane-close" href="/dashboard/requests?q=endpoint%3Atoken"');
    expect(html).toContain('href="/dashboard/requests?q=endpoint%3Atoken+client%3Afrontend">client:frontend</a>');
    expect(tabs(await dashboard.text('/dashboard/requests?open=req_none'))).toEqual([]);
  });

  it('shows no secret where it shall not', async () => {
    await using dashboard = await running();
    expect(await dashboard.text('/dashboard/requests/req_1/pane')).toContain('my-secret-1');
    const html = await dashboard.text('/dashboard/requests/req_1/pane?hide=1');
    for (const secret of ['the-code-1234', 'my-secret-1', 'cookie-value', 'opaque-token-1'])
      expect(html).not.toContain(secret);
  });
});

describe('a request', () => {
  it('shows the request and the answer', async () => {
    await using dashboard = await runDashboard();
    dashboard.append(refusal, 'req_1');
    dashboard.append(requestOf({ exchange: exchange(form) }), 'req_1');
    const html = await dashboard.text('/dashboard/requests/req_1');
    expect(html).toContain('the-code-1234');
    expect(html).toContain('X-Kept');
    expect(html.replace(/<[^>]*>/g, '')).toContain('&#34;expires_in&#34;: 300');
    expect(html).toContain('cookie-value');
    expect(html.indexOf('invalid_grant')).toBeLessThan(html.indexOf('X-Kept'));
    expect(html).toContain('href="/dashboard/problems/req_1"');
    expect(html).toContain('href="/dashboard/clients/frontend"');
  });

  it('links codes and tokens in its headers and bodies to their pages, unless they are hidden', async () => {
    await using dashboard = await runDashboard();
    dashboard.append(codeFact('tok_code', { token: 'the-code-1234' }), 'req_0');
    const issued = { token: 'opaque-token-1', format: 'opaque', parentTokenId: 'tok_code' } as const;
    dashboard.append(tokenFact('tok_issued', issued), 'req_1');
    dashboard.append(requestOf({ exchange: exchange(form) }), 'req_1');
    dashboard.append(requestOf({ exchange: exchange(form) }), 'req_2');
    const bearer = exchange({ requestHeaders: lines({ Authorization: 'Bearer opaque-token-1' }) });
    const use = { tokenId: 'tok_issued', authorizationId: 'auth-1', client_id: 'frontend' };
    dashboard.append({ type: 'token.used', endpoint: 'api', ...use }, 'req_3');
    dashboard.append(requestOf({ exchange: bearer }), 'req_3');
    const linksOf = async (path: string) =>
      [...(await dashboard.text(path)).matchAll(/href="\/dashboard\/tokens\/(tok_\w+)">([^<]+)</g)]
        .map(([, id, text = '']) => [id, text.replaceAll('&#34;', '"')])
        .filter(([id, text]) => text !== id);
    expect(await linksOf('/dashboard/requests/req_1')).toEqual([
      ['tok_code', 'the-code-1234'],
      ['tok_issued', '"opaque-token-1"'],
    ]);
    expect(await linksOf('/dashboard/requests/req_3')).toEqual([['tok_issued', 'Bearer opaque-token-1']]);
    expect(await linksOf('/dashboard/requests/req_2')).toEqual([]);
    expect(await linksOf('/dashboard/requests/req_1?hide=1')).toEqual([]);
  });

  it('explains the parameters it knows', async () => {
    await using dashboard = await runDashboard();
    dashboard.append(requestOf({ exchange: exchange(form) }), 'req_1');
    expect(await dashboard.text('/dashboard/requests/req_1')).toMatch(/grant_<wbr>type<\/dt>[\s\S]*?RFC 6749/);
  });

  it('shows no secret where it shall not', async () => {
    await using dashboard = await runDashboard();
    dashboard.append(requestOf({ exchange: exchange(form) }), 'req_1');
    const html = await dashboard.text('/dashboard/requests/req_1?hide=1');
    for (const secret of ['the-code-1234', 'my-secret-1', 'cookie-value', 'opaque-token-1']) {
      expect(html).not.toContain(secret);
    }
    expect(html).toContain('[redacted]');
    expect(html).toContain('href="/dashboard/requests/req_1?hide=0"');
  });

  it('says how long a body was that was cut', async () => {
    await using dashboard = await runDashboard();
    const cut = { text: 'a=b', bytes: 1_234_567, cut: true } as const;
    dashboard.append(requestOf({ exchange: exchange({ ...form, requestBody: cut }) }), 'req_1');
    const html = await dashboard.text('/dashboard/requests/req_1');
    expect(html).toContain('Only the first 64 KiB of 1\u2009234\u2009567 bytes were recorded');
    expect(html).toContain('cannot be replayed unchanged');
  });

  it('stays text, whatever is in it', async () => {
    await using dashboard = await runDashboard();
    const evil = exchange({
      url: `/${hostile}?${hostile}=${hostile}`,
      requestHeaders: lines({ [hostile]: hostile, 'Content-Type': 'application/x-www-form-urlencoded' }),
      requestBody: { text: `${hostile}=${hostile}`, bytes: 1 },
      responseHeaders: lines({ Location: `javascript:${hostile}?${hostile}` }),
      responseBody: { text: hostile, bytes: 1 },
    });
    dashboard.append(requestOf({ path: hostile, method: hostile, exchange: evil }), 'req_1');
    const views = ['', '/req_1', '/req_1?hide=1', '/req_1/pane'];
    for (const path of views.map(view => `/dashboard/requests${view}`)) {
      const html = await dashboard.text(path);
      expect(html).not.toContain('<script>');
      expect(html).not.toContain('<img');
      expect(html).not.toContain('href="javascript');
    }
  });
});

describe('sending a request again', () => {
  async function running(more: Partial<RequestCompleted> = {}, access: 'on' | 'readonly' = 'on') {
    const sent: SelfRequest[] = [];
    const dashboard = await runDashboard({
      access,
      send: async request => {
        sent.push(request);
        dashboard.append(requestOf({ exchange: exchange({ requestHeaders: lines(request.headers) }) }), 'req_new');
        return { status: 200, headers: {}, body: '', requestId: 'req_new' };
      },
    });
    dashboard.append(requestOf({ exchange: exchange(form), ...more }), 'req_old');
    const post = (fields: Record<string, string>) =>
      fetch(`${dashboard.url}/dashboard/requests/req_old/replay`, {
        method: 'POST',
        body: new URLSearchParams(fields),
        redirect: 'manual',
      });
    return { dashboard, sent, post };
  }

  it('sends the recorded request without headers of its connection and page', async () => {
    const { dashboard, sent, post } = await running();
    await using _ = dashboard;
    const response = await post({});
    expect([response.status, response.headers.get('location')]).toEqual([303, '/dashboard/requests/req_new']);
    expect(sent).toEqual([
      {
        method: 'POST',
        path: '/oauth2/token',
        headers: {
          'Content-Type': 'application/x-www-form-urlencoded',
          'X-Kept': 'a, b',
          'Grantbox-Tool': 'dashboard',
          'Grantbox-Replay-Of': 'req_old',
          'Content-Length': String(form.requestBody.text.length),
        },
        body: form.requestBody.text,
      },
    ]);
  });

  it('links both ways, and warns of values that work only once', async () => {
    const { dashboard, post } = await running();
    await using _ = dashboard;
    await post({});
    expect(await dashboard.text('/dashboard/requests/req_new')).toMatch(/Replay of\s+<a[^>]*href="[^"]*req_old"/);
    const old = await dashboard.text('/dashboard/requests/req_old');
    expect(old).toMatch(/replays<\/dt><dd[^>]*><a href="[^"]*req_new"/);
    expect(old).toContain('A code works only once.');
  });

  it('sends the edited request', async () => {
    const { dashboard, sent, post } = await running();
    await using _ = dashboard;
    await post({
      method: 'put',
      path: '/api/bikes/1?x=y',
      headers:
        'Accept: text/plain\r\nX-Twice: 1\r\n\r\nx-twice: 2\r\nCookie: a=1\r\nCookie: b=2\r\nHost: elsewhere\r\nConnection: close',
      body: 'é\r\nnext',
    });
    expect(sent).toMatchObject([
      {
        method: 'PUT',
        path: '/api/bikes/1?x=y',
        headers: { Accept: 'text/plain', 'X-Twice': '1, 2', Cookie: 'a=1; b=2', 'Content-Length': '7' },
        body: 'é\nnext',
      },
    ]);
    expect(Object.keys(sent[0]?.headers ?? {}).map(name => name.toLowerCase())).not.toContain('host');
  });

  it.each([
    [{ path: 'http://evil.test/' }, /requests go to this sandbox only/],
    [{ path: '//evil.test/' }, /requests go to this sandbox only/],
    [{ path: '/a b' }, /percent-encoded/],
    [{ path: '/a\r\nb' }, /percent-encoded/],
    [{ path: '/x', method: 'CONNECT' }, /a word in capitals/],
    [{ path: '/x', method: 'GET /y' }, /a word in capitals/],
    [{ path: '/x', headers: 'no colon' }, /This line does not: no colon/],
    [{ path: '/x', headers: 'A b: c' }, /This line does not/],
    [{ path: '/x', headers: 'A: 太郎' }, /cannot be sent/],
  ])('refuses %j, and keeps what was typed', async (fields, expected) => {
    const { dashboard, sent, post } = await running();
    await using _ = dashboard;
    const response = await post({ method: 'GET', headers: '', body: 'typed-body', ...fields });
    const html = await response.text();
    expect(response.status).toBe(422);
    expect(html).toMatch(expected);
    expect(html).toContain('typed-body');
    expect(sent).toEqual([]);
  });

  it('says so when it could not be sent', async () => {
    await using dashboard = await runDashboard({ send: () => Promise.reject(new Error('socket hang up')) });
    dashboard.append(requestOf({ exchange: exchange(form) }), 'req_old');
    const response = await fetch(`${dashboard.url}/dashboard/requests/req_old/replay`, { method: 'POST' });
    expect([response.status, await response.text()]).toEqual([422, expect.stringContaining('socket hang up')]);
  });

  it('is not offered where the dashboard only shows, or hides secrets', async () => {
    const { dashboard, sent, post } = await running({}, 'readonly');
    await using _ = dashboard;
    expect(await dashboard.text('/dashboard/requests/req_old')).not.toContain('replay-');
    expect((await post({})).status).toBe(403);
    expect(sent).toEqual([]);
    const { dashboard: other } = await running();
    await using __ = other;
    const html = await other.text('/dashboard/requests/req_old?hide=1');
    expect([html.includes('replay-again'), html.includes('replay-body')]).toEqual([true, false]);
  });

  it('answers 404 for a request that is forgotten', async () => {
    const { dashboard } = await running();
    await using _ = dashboard;
    const response = await fetch(`${dashboard.url}/dashboard/requests/req_gone/replay`, { method: 'POST' });
    expect(response.status).toBe(404);
  });
});
