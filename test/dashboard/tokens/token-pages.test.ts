import { describe, expect, it } from 'vitest';
import type { EventFact } from '../../../src/base/events/event.ts';
import type { Control } from '../../../src/sandbox/control/create-control.ts';
import type { SelfRequest } from '../../../src/sandbox/self-request.ts';
import {
  codeFact,
  createLog,
  hostile,
  jwt,
  noControl,
  now,
  type RunningDashboard,
  refreshFact,
  requestFact,
  runDashboard,
  tokenFact,
} from '../running-dashboard.ts';

const post = ({ url }: RunningDashboard, path: string, headers: Record<string, string> = {}) =>
  fetch(`${url}/dashboard${path}`, { method: 'POST', redirect: 'manual', headers });

describe('the forms of a token page', () => {
  it.each([
    ['expire', 'expired'],
    ['resume', 'resumed'],
    ['revoke', 'revoked'],
  ])('%s: the control does it, and the page is shown again', async (name, done) => {
    const asked: string[] = [];
    const doIt = (what: string) => async (tokenId: string) => asked.push(`${what} ${tokenId}`) > 0;
    const control: Control = {
      ...noControl,
      ...{ expireToken: doIt('expire'), resumeToken: doIt('resume'), revokeToken: doIt('revoke') },
    };
    await using dashboard = await runDashboard({ control });
    dashboard.append(tokenFact('tok_1'));
    const response = await post(dashboard, `/tokens/tok_1/${name}`);
    expect([response.status, response.headers.get('location')]).toEqual([303, `/dashboard/tokens/tok_1?done=${done}`]);
    expect(asked).toEqual([`${name} tok_1`]);
  });

  it.each(['expire', 'resume', 'revoke', 'use/api'])('%s: not for a token that is forgotten', async name => {
    await using dashboard = await runDashboard();
    expect((await post(dashboard, `/tokens/tok_gone/${name}`)).status).toBe(404);
  });

  it.each(['expire', 'resume', 'revoke', 'use/api'])('%s: not where the dashboard only shows', async name => {
    await using dashboard = await runDashboard({ access: 'readonly' });
    dashboard.append(tokenFact('tok_1'));
    expect((await post(dashboard, `/tokens/tok_1/${name}`)).status).toBe(403);
    const html = await dashboard.text('/dashboard/tokens/tok_1');
    expect(html).not.toMatch(/data-testid="token-(expire|revoke|use)/);
    expect(html).toContain('data-testid="token-copy-as"');
  });

  it('send what a client would, as a tool of the dashboard, and show what came of it', async () => {
    const events = createLog();
    const sent: SelfRequest[] = [];
    const send = async (request: SelfRequest) => {
      sent.push(request);
      const exchange = {
        ...{ url: '/api/products', ip: '127.0.0.1', requestHeaders: '', responseHeaders: '' },
        responseBody: { text: `[{"name":${JSON.stringify(hostile)}}]`, bytes: 20 },
      };
      events.append(requestFact({ endpoint: 'api', method: 'GET', path: '/api/products', exchange }), 'req_7');
      return { status: 200, headers: {}, body: '', requestId: 'req_7' };
    };
    await using dashboard = await runDashboard({ events, send });
    dashboard.append(tokenFact('tok_1'));
    const { headers } = await post(dashboard, '/tokens/tok_1/use/api');
    expect(headers.get('location')).toBe('/dashboard/tokens/tok_1?used=req_7#result');
    expect(sent).toMatchObject([{ path: '/api/products', headers: { 'Grantbox-Tool': 'dashboard' } }]);
    const html = await dashboard.text('/dashboard/tokens/tok_1?used=req_7');
    expect(html).toContain('<code>GET /api/products</code> answered <span class="st ">200</span>');
    expect(html).toContain('/dashboard/requests/req_7');
    expect(html).not.toContain('<script>alert');
  });

  it('lead to what a refresh gave, and to why it was refused', async () => {
    await using dashboard = await runDashboard();
    dashboard.append(refreshFact('tok_1'));
    dashboard.append(requestFact(), 'req_7');
    dashboard.append(tokenFact('tok_2', { parentTokenId: 'tok_1' }), 'req_7');
    const refusal: EventFact = {
      ...{ type: 'error.returned', endpoint: 'token', status: 400, error: 'invalid_grant', form: 'json' },
      ...{ reason: 'refresh_token_reused', description: 'used before' },
    };
    dashboard.append(refusal, 'req_8');
    dashboard.append(requestFact({ status: 400 }), 'req_8');
    expect(await dashboard.text('/dashboard/tokens/tok_1?used=req_7')).toContain('New access token');
    const refused = await dashboard.text('/dashboard/tokens/tok_1?used=req_8');
    expect(refused).toContain('Refused. invalid_grant: used before');
    expect(refused).toContain('href="/dashboard/problems/req_8"');
  });

  it('do nothing for what cannot be done', async () => {
    await using dashboard = await runDashboard();
    dashboard.append(codeFact('tok_1'));
    const { status, headers } = await post(dashboard, '/tokens/tok_1/use/api');
    expect([status, headers.get('location')]).toEqual([303, '/dashboard/tokens/tok_1']);
    expect((await dashboard.get('/dashboard/tokens/tok_1?used=req_none&done=nonsense')).status).toBe(200);
  });
});

describe('a token is handed out', () => {
  it('as a file of plain text', async () => {
    await using dashboard = await runDashboard();
    dashboard.append(tokenFact('tok_1'));
    const response = await dashboard.get('/dashboard/tokens/tok_1/copy/markdown');
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename=tok_1.md');
    expect(await response.text()).toContain('**Access token**');
    expect((await dashboard.get('/dashboard/tokens/tok_1/copy/nothing')).status).toBe(404);
  });

  it('in the menu of its row, with what can be done at once', async () => {
    await using dashboard = await runDashboard();
    dashboard.append(tokenFact('tok_1', { token: jwt({ sub: hostile }) }));
    dashboard.append(codeFact('tok_2', { exp: now }));
    const menu = await dashboard.text('/dashboard/tokens/tok_1/menu');
    expect(menu.match(/data-testid="[^"]+"/g)).toEqual([
      ...['data-testid="menu-copy-token"', 'data-testid="menu-copy-curl"'],
      ...['data-testid="menu-expire"', 'data-testid="menu-revoke"'],
    ]);
    expect(menu).not.toContain('<script>alert');
    expect(await dashboard.text('/dashboard/tokens/tok_2/menu')).not.toContain('menu-expire');
  });
});

describe('the page that compares two tokens', () => {
  it('says what changed, in words, as text', async () => {
    await using dashboard = await runDashboard();
    dashboard.append(tokenFact('tok_1', { token: jwt({ roles: ['admin'], note: 'x' }) }));
    dashboard.append(tokenFact('tok_2', { token: jwt({ roles: ['buyer'], note: hostile }) }));
    const html = await dashboard.text('/dashboard/tokens/tok_2/diff');
    expect(html).toContain('changed: admin was removed; buyer was added');
    expect(html).toContain('<mark>admin</mark>');
    expect(html).toContain('<option value="tok_1" selected>');
    expect(html).not.toContain('<script>alert');
  });

  it('says so where nothing but the usual changed, where there is nothing, and what is forgotten', async () => {
    await using dashboard = await runDashboard();
    dashboard.append(tokenFact('tok_1', { token: jwt({ jti: 'a' }) }));
    expect(await dashboard.text('/dashboard/tokens/tok_1/diff')).toContain('No access token was issued before');
    dashboard.append(tokenFact('tok_2', { token: jwt({ jti: 'b' }) }));
    expect(await dashboard.text('/dashboard/tokens/tok_2/diff')).toContain('data-testid="diff-same"');
    expect(await dashboard.text('/dashboard/tokens/tok_2/diff?with=tok_gone')).toContain('no token with this id');
    expect((await dashboard.get('/dashboard/tokens/tok_gone/diff')).status).toBe(404);
  });
});

describe('the list', () => {
  it('opens whatever id is pasted', async () => {
    await using dashboard = await runDashboard();
    dashboard.append(requestFact(), 'req_7');
    const pasted = async (text: string) =>
      (await dashboard.get(`/dashboard/tokens?q=${encodeURIComponent(text)}`)).headers.get('location');
    expect(await pasted('req_7')).toBe('/dashboard/requests/req_7');
    expect(await pasted('req_8')).toBeNull();
    expect(await pasted('req_7/../x')).toBeNull();
  });

  it('says how much is hidden by the filter, and what the history has forgotten', async () => {
    await using dashboard = await runDashboard({ events: createLog(3) });
    for (let n = 0; n < 5; n++) dashboard.append(tokenFact(`tok_${n}`));
    const filtered = await dashboard.text('/dashboard/tokens?q=user:bob');
    expect(filtered).toContain('No token matches <code>user:bob</code>.');
    expect(filtered).toContain('3 tokens without it.');
    expect(await dashboard.text('/dashboard/tokens')).toContain('The oldest 2 are gone');
  });

  it('gives the older rows in pieces', async () => {
    await using dashboard = await runDashboard();
    for (let n = 0; n < 450; n++) dashboard.append(tokenFact(`tok_${n}`, { authorizationId: `a${n}` }));
    const seen: string[] = [];
    let before: string | null = '400';
    while (before !== null) {
      const response: Response = await dashboard.get(`/dashboard/api/v1/tokens/older?q=user:alice&before=${before}`);
      seen.push(...[...(await response.text()).matchAll(/id="(tok_\d+)"/g)].map(([, id]) => id ?? ''));
      before = response.headers.get('grantbox-before');
    }
    expect(seen).toEqual(Array.from({ length: 399 }, (_, n) => `tok_${398 - n}`));
  });
});
