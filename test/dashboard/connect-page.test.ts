import { describe, expect, it } from 'vitest';
import type { RegisteredClient } from '../../src/protocol/clients/client.ts';
import { alice, frontend, hostile, now, requestFact, runDashboard, sensor } from './running-dashboard.ts';

const hidden = /<script>alert|<img|href="javascript:|style="| on\w+="/;

function asked(host: string, agent: string, more: Parameters<typeof requestFact>[0] = {}) {
  const requestHeaders = ['Host', host, 'User-Agent', agent].join('\n');
  const exchange = { url: '/oauth2/jwks', ip: '127.0.0.1', requestHeaders, responseHeaders: '' };
  return requestFact({ endpoint: 'jwks', method: 'GET', path: '/oauth2/jwks', exchange, ...more });
}

describe('the page of snippets', () => {
  it('is made of the clients and users there are now', async () => {
    const clients: RegisteredClient[] = [frontend];
    const users = [alice];
    await using dashboard = await runDashboard({ registered: () => clients, accounts: () => users });
    expect(await dashboard.text('/dashboard/connect')).not.toContain('connect-snippet-curl');
    clients.push(sensor);
    users.unshift({ ...alice, sub: 'zoe', username: 'zoe' });
    const html = await dashboard.text('/dashboard/connect');
    expect(html).toContain('connect-snippet-curl');
    expect(html).toContain('login-user-zoe');
    expect(html).not.toContain('login-user-alice');
  });

  it('works without clients and users', async () => {
    await using dashboard = await runDashboard({ registered: () => [], accounts: () => [] });
    const html = await dashboard.text('/dashboard/connect');
    expect([...html.matchAll(/connect-snippet-([a-z-]+)/g)].map(([, id]) => id)).toEqual([
      ...['env', 'mcp-metadata', 'mcp-challenge', 'mcp-inspector', 'compose', 'github-actions', 'gitlab'],
    ]);
    expect(html).not.toContain('connect-client');
  });

  it.each(['?client=nobody', '?client[]=x', '?open=nothing', '?open=spa&open=react', '?client=%00'])(
    'stands %s',
    async query => {
      await using dashboard = await runDashboard();
      const response = await dashboard.get(`/dashboard/connect${query}`);
      expect(response.status).toBe(200);
      expect(await response.text()).toContain(`authority: &#39;http://localhost:9000&#39;`);
    },
  );

  it('leaves secrets out where they are hidden, and so does home', async () => {
    const user = { ...alice, password: 'alice-password' };
    await using dashboard = await runDashboard({ accounts: () => [user] });
    for (const path of ['/dashboard', '/dashboard/connect']) {
      expect(await dashboard.text(path)).toContain('sensor:it&#39;\\&#39;&#39;s secret');
      const hidden = await dashboard.text(`${path}?secrets=hidden`);
      expect(hidden).toContain('sensor:***');
      expect(hidden).not.toMatch(/s secret|alice-password/);
    }
  });

  it('ticks what was seen', async () => {
    await using dashboard = await runDashboard();
    expect(await dashboard.text('/dashboard/connect')).not.toContain('✓');
    dashboard.append(asked('localhost:9000', 'curl/8'), 'req_7');
    expect(await dashboard.text('/dashboard/connect')).toContain('<a href="/dashboard/requests/req_7">keys</a>');
  });

  it('shows as text what strangers named themselves, and what they sent', async () => {
    const named = {
      client_id: hostile,
      client_name: hostile,
      client_secret: hostile,
      scope: hostile,
      audience: [hostile],
    };
    const clients = [
      { ...frontend, ...named, redirect_uris: [`https://a.test/${hostile}`], loopback_redirects: false },
      { ...sensor, ...named },
    ];
    const user = { ...alice, sub: hostile, claims: { name: hostile } };
    await using dashboard = await runDashboard({ registered: () => clients, accounts: () => [user] });
    dashboard.append(asked(hostile, hostile, { path: `/${hostile}` }));
    dashboard.append(asked(`${hostile}x`, hostile, { status: 421, endpoint: 'discovery' }));
    for (const path of ['', `?client=${encodeURIComponent(hostile)}`]) {
      const html = await dashboard.text(`/dashboard/connect${path}`);
      expect(html).toContain('&lt;script&gt;alert(1)');
      expect(html).not.toMatch(hidden);
    }
  });

  it('is of at most 120 kB, whatever was asked under whatever name', async () => {
    await using dashboard = await runDashboard();
    for (let n = 0; n < 400; n++) {
      dashboard.append(
        asked(`${'h'.repeat(180)}${n}`, `${'agent'.repeat(20)}${n}`, { path: `/${'p'.repeat(190)}${n}` }),
      );
    }
    const html = await dashboard.text('/dashboard/connect');
    expect(html.length).toBeLessThan(120_000);
  });

  it('says when a name was used last', async () => {
    await using dashboard = await runDashboard({ clock: () => now + 90 });
    dashboard.append(asked('idp:9000', 'Java/21'));
    expect(await dashboard.text('/dashboard/connect')).toContain('1 min ago');
  });
});
