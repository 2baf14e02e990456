import { describe, expect, it } from 'vitest';
import { dashboardRoutes } from './dashboard-routes.ts';
import { runDashboard } from './running-dashboard.ts';

const routes = dashboardRoutes().filter(([method]) => method !== 'GET');

describe('what changes something', () => {
  it('is more than one route', () => {
    expect(routes).toContainEqual(['POST', '/requests/x/replay']);
    expect(routes).toContainEqual(['POST', '/api/try']);
  });

  it.each(routes)('%s %s is for our own pages only', async (method, path) => {
    await using dashboard = await runDashboard({ allowedOrigins: ['https://friend.test'] });
    for (const headers of [
      { Origin: 'https://evil.test' },
      { Origin: 'null' },
      { Origin: 'https://friend.test' },
      { Origin: dashboard.url.replace('127.0.0.1', 'localhost') },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { Origin: dashboard.url, 'Sec-Fetch-Site': 'cross-site' },
    ]) {
      const response = await fetch(`${dashboard.url}/dashboard${path}`, { method, headers: headers as HeadersInit });
      expect(response.status, JSON.stringify(headers)).toBe(403);
      expect(response.headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  /** They only look at what is sent. */
  const looking = ['/decode', '/settings/view', '/settings/display'];

  it.each(routes.filter(([, path]) => !looking.includes(path)))(
    '%s %s is refused where the dashboard only shows',
    async (method, path) => {
      await using dashboard = await runDashboard({ access: 'readonly' });
      const response = await fetch(`${dashboard.url}/dashboard${path}`, { method, redirect: 'manual' });
      expect(response.status).toBe(403);
    },
  );
});

describe('the JSON and the stream', () => {
  const paths = ['/dashboard/api/v1/tokens', '/dashboard/api/v1/tokens/rows', '/dashboard/api/v1/home'];

  it.each([...paths, '/dashboard/api/v1/events'])('%s is read by a page of an allowed origin', async path => {
    await using dashboard = await runDashboard({ allowedOrigins: ['http://localhost:3000'] });
    const headers = { Origin: 'http://localhost:3000', 'Sec-Fetch-Site': 'cross-site' };
    const abort = new AbortController();
    const response = await fetch(dashboard.url + path, { headers, signal: abort.signal });
    expect(response.status).toBe(200);
    expect(response.headers.get('access-control-allow-origin')).toBe('http://localhost:3000');
    expect(response.headers.get('vary')).toContain('Origin');
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
    abort.abort();
  });

  it.each(paths)('%s is read by nobody else, and tells nobody of CORS', async path => {
    await using dashboard = await runDashboard({ allowedOrigins: ['http://localhost:3000'] });
    for (const origin of [
      'http://localhost:3001',
      'https://localhost:3000',
      'http://localhost:3000.evil.test',
      'null',
    ]) {
      const response = await dashboard.get(path, { Origin: origin });
      expect(response.status).toBe(403);
      expect(response.headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  it('has no CORS for pages, which are no JSON', async () => {
    await using dashboard = await runDashboard({ allowedOrigins: ['http://localhost:3000'] });
    const response = await dashboard.get('/dashboard/tokens', { Origin: 'http://localhost:3000' });
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('the icon', () => {
  it('has a colour of its own for each sandbox, and a dot for what nobody has seen', async () => {
    const iconOf = async (label: string, issuer: string, query = '') => {
      await using dashboard = await runDashboard({ label, issuer });
      const response = await dashboard.get(`/dashboard/favicon.svg${query}`);
      expect(response.headers.get('content-type')).toContain('image/svg+xml');
      return response.text();
    };
    const one = await iconOf('', 'http://localhost:9000');
    expect(await iconOf('', 'http://localhost:9000')).toBe(one);
    expect(await iconOf('', 'http://localhost:9001')).not.toBe(one);
    expect(await iconOf('team-b', 'http://localhost:9000')).not.toBe(one);
    expect(one).not.toContain('<circle');
    expect(await iconOf('', 'http://localhost:9000', '?dot=1')).toContain('<circle');
  });
});
