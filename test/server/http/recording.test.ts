import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { headerOf } from '../../../src/base/events/exchange.ts';
import type { Sandbox } from '../../../src/index.ts';
import { createSandbox } from '../../../src/index.ts';
import { observes } from '../../observed.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({ historyBytes: 1_000_000 });
});
afterAll(() => sandbox.stop());

const recorded = async (response: Response) => {
  await response.arrayBuffer();
  const id = response.headers.get('x-request-id');
  return sandbox.events.waitFor('request.completed', event => event.requestId === id);
};

const basic = `Basic ${Buffer.from('sensor:sensor-secret').toString('base64')}`;
const post = (path: string, body: string, headers: Record<string, string> = {}) =>
  fetch(sandbox.url + path, { method: 'POST', body, headers, redirect: 'manual' });

describe('the record of a request', () => {
  it('is both sides of a token request, with headers and bodies', async () => {
    const form = { 'Content-Type': 'application/x-www-form-urlencoded', Authorization: basic };
    const { exchange } = await recorded(await post('/oauth2/token?x=1', 'grant_type=client_credentials', form));
    expect(exchange.url).toBe('/oauth2/token?x=1');
    expect(headerOf(exchange.requestHeaders, 'authorization')).toBe(basic);
    expect(exchange.requestBody).toEqual({ text: 'grant_type=client_credentials', bytes: 29 });
    expect(headerOf(exchange.responseHeaders, 'cache-control')).toBe('no-store');
    expect(JSON.parse(exchange.responseBody?.text ?? '')).toMatchObject({ token_type: 'Bearer' });
  });

  it('is a body nobody read, too', async () => {
    const json = { 'Content-Type': 'application/json' };
    const event = await recorded(await post('/oauth2/token', '{"grant_type":"client_credentials"}', json));
    expect(event.status).toBe(415);
    expect(event.exchange.requestBody?.text).toBe('{"grant_type":"client_credentials"}');
  });

  it('is the sample backend, with the body that it reads itself', async () => {
    const json = { 'Content-Type': 'application/json', Authorization: 'Bearer nonsense' };
    const event = await recorded(await post('/api/products', '{"name":"bike"}', json));
    expect(event).toMatchObject({ endpoint: 'api', status: 401 });
    expect(event.exchange.requestBody?.text).toBe('{"name":"bike"}');
    expect(event.exchange.responseBody?.text).toContain('"status":401');
    expect(headerOf(event.exchange.responseHeaders, 'WWW-Authenticate')).toContain('Bearer');
  });

  it('is a preflight and a page with its cookies', async () => {
    const headers = { Origin: 'http://localhost:3000', 'Access-Control-Request-Method': 'POST' };
    const preflight = await recorded(await fetch(`${sandbox.url}/oauth2/token`, { method: 'OPTIONS', headers }));
    expect(headerOf(preflight.exchange.responseHeaders, 'access-control-allow-origin')).toBe('http://localhost:3000');
    const query =
      'client_id=frontend&response_type=code&redirect_uri=http://localhost:3000/callback&scope=openid&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256';
    const page = await recorded(await fetch(`${sandbox.url}/oauth2/authorize?${query}`));
    expect(page.exchange.responseBody?.text).toContain('<!doctype html>');
  });

  it('says how much of a large body is missing', async () => {
    const form = { 'Content-Type': 'application/json' };
    const { exchange } = await recorded(await post('/api/products', JSON.stringify('x'.repeat(150_000)), form));
    expect(exchange.requestBody).toMatchObject({ bytes: 150_002, cut: true });
    expect(exchange.requestBody?.text.length).toBeLessThanOrEqual(65_536);
    expect(exchange.requestBody?.text).toMatch(/^"x{1000}/);
  });

  it('does not record the dashboard: looking at a list does not fill it', async () => {
    const before = sandbox.events.count('request.completed');
    for (const path of ['/dashboard', '/dashboard/tokens', '/assets/grantbox.css', '/health']) {
      await (await fetch(sandbox.url + path)).arrayBuffer();
    }
    await sandbox.events.waitFor('page.served', event => event.endpoint === 'health');
    expect(sandbox.events.count('request.completed')).toBe(before);
  });

  it('is bounded in bytes: the oldest go, and the log knows that they did', async () => {
    observes('setting historyBytes');
    const json = { 'Content-Type': 'application/json' };
    for (let n = 0; n < 20; n++) await recorded(await post('/api/products', JSON.stringify('y'.repeat(65_000)), json));
    const kept = sandbox.events.latest('request.completed', 1000);
    const bytes = kept.reduce((sum, { exchange }) => sum + (exchange.requestBody?.text.length ?? 0), 0);
    expect(bytes).toBeGreaterThan(500_000);
    expect(bytes).toBeLessThan(1_000_000);
    expect(sandbox.events.kept('request.completed')).toBe(kept.length);
    expect(sandbox.events.count('request.completed')).toBeGreaterThan(kept.length);
    expect(kept.at(-1)?.exchange.requestBody?.text).toContain('yyy');
  });
});

it('is next to nothing with RECORDING=off, but what happened is still told', async () => {
  observes('setting recording');
  await using other = await createSandbox({ recording: false });
  const headers = { Authorization: basic, 'Content-Type': 'application/x-www-form-urlencoded' };
  const body = 'grant_type=client_credentials';
  await (await fetch(`${other.url}/oauth2/token`, { method: 'POST', headers, body })).arrayBuffer();
  const { exchange, status } = await other.events.waitFor('request.completed');
  expect({ status, ...exchange }).toEqual({
    status: 200,
    url: '/oauth2/token',
    ip: '',
    requestHeaders: '',
    responseHeaders: '',
  });
});
