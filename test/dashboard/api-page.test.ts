import { describe, expect, it } from 'vitest';
import type { DashboardFacts } from '../../src/dashboard/facts.ts';
import type { SelfRequest } from '../../src/sandbox/self-request.ts';
import { hostile, jwt, now, refreshFact, requestFact, runDashboard, tokenFact } from './running-dashboard.ts';

const collections: DashboardFacts['collections'] = [
  { name: 'products', readScope: 'products:read', fields: {} },
  {
    name: 'gold bars',
    writeScope: 'gold:write',
    writeAcrValues: ['urn:gold', 'urn:platinum'],
    writeMaxAge: 300,
    fields: { weight: { type: 'number', required: true } },
  },
];

const settings: DashboardFacts['settings'] = async () => [
  { group: 'Sample backend', name: 'API_AUDIENCE', help: '', value: 'my-api', from: 'environment API_AUDIENCE' },
  { group: 'Sample backend', name: 'PORT', help: '', value: '4711', from: 'default' },
];

async function running(more: Partial<DashboardFacts> = {}) {
  const sent: SelfRequest[] = [];
  const dashboard = await runDashboard({
    collections,
    settings,
    api: { audience: ['my-api'], tokenCheck: 'introspection', fits: () => true, isConfigured: () => false },
    send: async request => {
      sent.push(request);
      const exchange = {
        url: request.path,
        ip: '127.0.0.1',
        requestHeaders: '',
        responseHeaders: 'WWW-Authenticate\nBearer error="invalid_token"',
        responseBody: { text: '{"detail":"no"}', bytes: 15 },
      };
      dashboard.append(requestFact({ endpoint: 'api', path: request.path, status: 401, exchange }), 'req_tried');
      return { status: 401, headers: {}, body: '', requestId: 'req_tried' };
    },
    ...more,
  });
  const send = (fields: Record<string, string>) =>
    fetch(`${dashboard.url}/dashboard/api/try`, {
      method: 'POST',
      body: new URLSearchParams(fields),
      redirect: 'manual',
    });
  return { dashboard, sent, send };
}

const options = (html: string, name: string) => {
  const [, select = ''] = new RegExp(`name="${name}"[^>]*>([\\s\\S]*?)</select>`).exec(html) ?? [];
  return [...select.matchAll(/value="([^"]*)"/g)].map(([, value]) => value);
};

describe('the API page', () => {
  it('lists what is offered, with scope and login', async () => {
    const { dashboard } = await running();
    await using _ = dashboard;
    const html = await dashboard.text('/dashboard/api');
    expect(options(html, 'endpoint')).toEqual([
      'products-list',
      'products-read',
      'gold bars-create',
      'gold bars-replace',
      'gold bars-delete',
    ]);
    expect(html).toContain('/api/gold%20bars/{id}');
    expect(html).toContain('acr urn:gold or urn:platinum, at most 5 min ago');
  });

  it('offers valid access tokens and no others, and says which cannot be used from here', async () => {
    const { dashboard } = await running();
    await using _ = dashboard;
    dashboard.append(tokenFact('tok_good'));
    dashboard.append(tokenFact('tok_old', { authorizationId: 'a2', exp: now - 1 }));
    dashboard.append(tokenFact('tok_id', { authorizationId: 'a3', tokenType: 'id' }));
    dashboard.append(refreshFact('tok_refresh', { authorizationId: 'a4' }));
    dashboard.append(tokenFact('tok_bound', { authorizationId: 'a5', token: jwt({ cnf: { jkt: 'x' } }) }));
    const html = await dashboard.text('/dashboard/api');
    expect(options(html, 'token')).toEqual(['', 'tok_bound', 'tok_good']);
    expect(html).toContain('bound to a key, so this page cannot use it');
  });

  it('writes a curl with a token that opens it', async () => {
    const { dashboard } = await running();
    await using _ = dashboard;
    dashboard.append(tokenFact('tok_1', { token: 'opaque-token', scope: 'products:read' }));
    const html = await dashboard.text('/dashboard/api');
    expect(html).toContain('Authorization: Bearer opaque-token');
    expect(html).toContain('Authorization: Bearer &lt;access_token&gt;');
  });

  it('shows its rules, and where they are from', async () => {
    const { dashboard } = await running();
    await using _ = dashboard;
    const html = await dashboard.text('/dashboard/api');
    expect(html).toContain('The aud claim contains one of: my-api.');
    expect(html).toContain('revoked tokens are refused');
    expect(html).toContain('environment API_AUDIENCE');
    expect(html).not.toContain('4711');
  });

  it('calls with a token, and shows what came back', async () => {
    const { dashboard, sent, send } = await running();
    await using _ = dashboard;
    dashboard.append(tokenFact('tok_1', { token: 'opaque-token' }));
    const body = '{"weight":1}';
    const response = await send({ endpoint: 'gold bars-replace', token: 'tok_1', id: '7/8', body });
    expect(sent).toEqual([
      {
        method: 'PUT',
        path: '/api/gold%20bars/7%2F8',
        headers: {
          Authorization: 'Bearer opaque-token',
          'Content-Type': 'application/json',
          'Content-Length': '12',
          'Grantbox-Tool': 'dashboard',
        },
        body,
      },
    ]);
    const location = response.headers.get('location') ?? '';
    const html = await dashboard.text(location);
    expect(html).toContain('Bearer error=&#34;invalid_token&#34;');
    expect(html.replace(/<[^>]*>/g, '')).toContain('&#34;detail&#34;: &#34;no&#34;');
    expect(html).toContain('href="/dashboard/requests/req_tried"');
    expect(html).toMatch(/value="tok_1" selected/);
    expect(html).toContain('{&#34;weight&#34;:1}');
  });

  it('calls without a token, and without a body where none belongs', async () => {
    const { dashboard, sent, send } = await running();
    await using _ = dashboard;
    await send({ endpoint: 'products-list', token: '', id: '1', body: 'ignored' });
    expect(sent).toEqual([{ method: 'GET', path: '/api/products', headers: { 'Grantbox-Tool': 'dashboard' } }]);
  });

  it('calls the endpoint of a row by its button, with the body of that endpoint', async () => {
    const { dashboard, sent, send } = await running();
    await using _ = dashboard;
    const html = await dashboard.text('/dashboard/api');
    expect(html.indexOf('data-testid="api-send"')).toBeLessThan(html.indexOf('data-testid="api-endpoints"'));
    const buttons = html.matchAll(/type="submit" form="try-form" name="row" value="([^"]+)"/g);
    expect([...buttons].map(([, id]) => id)).toEqual(options(html, 'endpoint'));
    await send({ endpoint: 'products-list', row: 'gold bars-create', token: '', id: '1', body: '' });
    expect(sent).toMatchObject([{ method: 'POST', path: '/api/gold%20bars', body: expect.stringContaining('weight') }]);
  });

  it.each([[{ endpoint: 'nothing', token: '' }], [{ endpoint: 'products-list', token: 'tok_gone' }]])(
    'sends nothing for %j',
    async fields => {
      const { dashboard, sent, send } = await running();
      await using _ = dashboard;
      expect((await send(fields)).status).toBe(404);
      expect(sent).toEqual([]);
    },
  );

  it('shows the last calls with the reason of each refusal, as text', async () => {
    const { dashboard } = await running();
    await using _ = dashboard;
    dashboard.append(
      {
        type: 'error.returned',
        endpoint: 'api',
        status: 403,
        error: 'insufficient_scope',
        reason: 'api_scope_insufficient',
        description: hostile,
        client_id: hostile,
        form: 'challenge',
      },
      'req_1',
    );
    dashboard.append(requestFact({ endpoint: 'api', path: `/api/${hostile}`, status: 403 }), 'req_1');
    dashboard.append(requestFact(), 'req_2');
    const html = await dashboard.text('/dashboard/api');
    expect(html).toContain('id="req_1"');
    expect(html).not.toContain('id="req_2"');
    expect(html).not.toContain('<script>alert');
    expect(html).toContain('&lt;script&gt;alert');
  });

  it('has no form where the dashboard only shows, and no table where there is no collection', async () => {
    const { dashboard } = await running({ access: 'readonly', collections: [] });
    await using _ = dashboard;
    const html = await dashboard.text('/dashboard/api');
    expect(html.slice(html.indexOf('<main'))).not.toContain('method="post"');
    expect(html).toContain('No collections yet.');
  });
});
