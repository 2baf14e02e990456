import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { observes } from '../observed.ts';
import { createAgent } from '../support/agent.ts';
import { createSandbox } from '../support/bundle.ts';

type Sandbox = Awaited<ReturnType<typeof createSandbox>>;

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox();
});
afterEach(() => sandbox.reset());
afterAll(() => sandbox.stop());

async function call(method: string, path = '', json?: object) {
  const response = await fetch(`${sandbox.url}/_sandbox/breakpoints${path}`, {
    method,
    headers: { 'Content-Type': 'application/json' },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  return { status: response.status, body: await response.json() };
}
const isHeld = async (): Promise<readonly { readonly requestId: string; readonly location?: string }[]> =>
  (await call('GET')).body.held;
const askForToken = () =>
  fetch(`${sandbox.url}/oauth2/token`, {
    method: 'POST',
    headers: { Authorization: `Basic ${btoa('sensor:sensor-secret')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });

describe('a breakpoint', () => {
  observes('operation setBreakpoint', 'operation listBreakpoints', 'operation continueResponses');
  observes('operation removeBreakpoint', 'operation removeBreakpoints');

  it('holds the next answer of an endpoint whole, and lets it go by a call', async () => {
    expect(await call('POST', '', { endpoint: 'token' })).toMatchObject({ status: 201, body: { times: 'once' } });
    const first = askForToken();
    await expect
      .poll(isHeld)
      .toMatchObject([{ endpoint: 'token', method: 'POST', path: '/oauth2/token', status: 200 }]);
    expect((await askForToken()).status).toBe(200); // it was for one answer
    expect(sandbox.events.latest('token.issued', 5)).toHaveLength(2);
    const [held] = await isHeld();
    expect((await call('POST', '/continue', { request: held?.requestId })).body).toEqual({ continued: 1 });
    const answer = await first;
    expect(answer.headers.get('X-Request-Id')).toBe(held?.requestId);
    expect(await answer.json()).toMatchObject({ token_type: 'Bearer' });
    expect(sandbox.events.latest('response.held', 5)).toHaveLength(1);
    expect(sandbox.events.latest('response.continued', 5)).toMatchObject([{ by: 'call', endpoint: 'token' }]);
  });

  it('holds the redirect of a login with the code in it, and not the redirects between the pages', async () => {
    await call('POST', '', { endpoint: 'redirect', times: 'always' });
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: 'frontend',
      redirect_uri: 'http://localhost:3000/callback',
      scope: 'openid',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    });
    const agent = createAgent(sandbox.url);
    const login = agent.submit(await agent.open(`${sandbox.url}/oauth2/authorize?${query}`), 'login-user-alice');
    await expect.poll(isHeld).toHaveLength(1);
    const [held] = await isHeld();
    expect(held?.location).toMatch(/^http:\/\/localhost:3000\/callback\?code=/);
    await call('POST', '/continue', {});
    expect((await login).url.href).toBe(held?.location);
  });

  it('holds answers of the sample backend, and of `any` endpoint but the control API', async () => {
    await call('POST', '', { endpoint: 'any', times: 'always' });
    const answers = [fetch(`${sandbox.url}/api/telemetry`, { method: 'POST' }), fetch(`${sandbox.url}/oauth2/jwks`)];
    await expect.poll(isHeld).toHaveLength(2);
    expect((await fetch(`${sandbox.url}/dashboard`)).status).toBe(200);
    expect((await call('DELETE')).body).toEqual({ removed: 1 });
    const [api, keys] = await Promise.all(answers);
    expect(api?.status).toBe(401);
    expect(api?.headers.get('WWW-Authenticate')).toContain('Bearer');
    expect(keys?.headers.get('Content-Type')).toContain('json');
    expect(await keys?.json()).toHaveProperty('keys');
  });

  it('lets its answers go when it is removed, or when the sandbox is reset', async () => {
    const held = async () => {
      const { id } = (await call('POST', '', { endpoint: 'token', times: 'always' })).body;
      const answer = askForToken();
      await expect.poll(isHeld).toHaveLength(1);
      return { id, answer };
    };
    const removed = await held();
    await call('DELETE', `/${removed.id}`);
    expect((await removed.answer).status).toBe(200);
    const reset = await held();
    await sandbox.reset();
    expect((await reset.answer).status).toBe(200);
    expect((await call('GET')).body).toEqual({ breakpoints: [], held: [] });
  });

  it('is refused for an unknown endpoint, an unknown time, and when there are too many', async () => {
    const unknown = await call('POST', '', { endpoint: 'tokn' });
    expect(unknown).toMatchObject({
      status: 400,
      body: { errors: [{ member: 'endpoint', sent: 'tokn', expected: 'token' }] },
    });
    expect((await call('POST', '', { endpoint: 'token', seconds: 3601 })).status).toBe(400);
    for (let times = 0; times < 20; times++) await call('POST', '', { endpoint: 'token' });
    expect((await call('POST', '', { endpoint: 'token' })).status).toBe(400);
    expect((await call('DELETE', '/nothing')).status).toBe(404);
    expect((await call('POST', '/continue', { request: 'req_none' })).status).toBe(404);
  });

  it('does not keep the sandbox from stopping', async () => {
    const own = await createSandbox();
    await fetch(`${own.url}/_sandbox/breakpoints`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"endpoint":"jwks"}',
    });
    const answer = fetch(`${own.url}/oauth2/jwks`);
    await own.events.waitFor('response.held');
    await own.stop();
    expect((await answer).status).toBe(200);
  });
});
