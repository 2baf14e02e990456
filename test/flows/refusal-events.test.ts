import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { EventOf, Sandbox } from '../../src/index.ts';
import { createSandbox } from '../support/bundle.ts';
import { asSensor, get, portOf, post, redeem, signIn } from '../support/wire.ts';

const spa = 'http://localhost:5173';
const listed = 'http://app.test:5173';
const foreign = 'http://app.test:3000';
const orLoopback = 'a loopback origin such as http://localhost:3000';

function refusals(sandbox: Sandbox): EventOf<'error.returned'>[] {
  return sandbox.events.latest('error.returned', 100).reverse();
}

/** The next refusal of a reason, whether it was told already or is still to come. */
function refused(sandbox: Sandbox, reason: string): Promise<EventOf<'error.returned'>> {
  return sandbox.events.waitFor('error.returned', event => event.reason === reason);
}

/** `fetch` writes a `Host` and a `Sec-Fetch-Mode` of its own. */
function ask(url: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers }, response => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', reject).end();
  });
}

function preflight(url: string, origin: string, method = 'GET'): Promise<Response> {
  const headers = { origin, 'access-control-request-method': method };
  return fetch(url, { method: 'OPTIONS', headers });
}

describe('a request for a host that is not served', () => {
  it('is told with the host and those that are served', async () => {
    await using sandbox = await createSandbox({ allowedHosts: ['idp.internal'] });
    expect(await ask(`${sandbox.url}/oauth2/jwks`, { host: 'idp:9000' })).toBe(421);
    const event = await refused(sandbox, 'host_not_allowed');
    expect(event).toMatchObject({ status: 421, error: 'invalid_request', form: 'json', sent: 'idp:9000' });
    expect(event.expected?.split(' or ')).toEqual(['localhost', '127.0.0.1', '[::1]', 'idp.internal', '*.localhost']);
    expect(sandbox.events.ofRequest(event.requestId).map(({ type }) => type)).toContain('error.returned');
  });

  it('is not told of a host that is', async () => {
    await using sandbox = await createSandbox({ allowedHosts: ['idp.internal'] });
    for (const host of ['idp.internal', 'idp.internal:9000', 'app.localhost', `localhost:${portOf(sandbox.url)}`]) {
      expect(await ask(`${sandbox.url}/oauth2/jwks`, { host })).toBe(200);
    }
    expect(refusals(sandbox)).toEqual([]);
  });
});

describe('CORS', () => {
  it.each(['/api/products', '/oauth2/token', '/userinfo', '/connect/register'])(
    'tells of the preflight of an origin that nobody named: %s',
    async path => {
      await using sandbox = await createSandbox({ corsOrigins: [listed] });
      const response = await preflight(sandbox.url + path, foreign);
      expect(response.status).toBe(204);
      expect(response.headers.get('access-control-allow-origin')).toBeNull();
      const event = await refused(sandbox, 'cors_origin_refused');
      expect(event).toMatchObject({ form: 'cors', status: 204, sent: foreign, expected: `${listed} or ${orLoopback}` });
      expect(event.requestId).toBe(sandbox.events.latest('request.completed', 1)[0]?.requestId ?? event.requestId);
    },
  );

  it('tells of an answer that a browser keeps from the page, too, and names the client', async () => {
    await using sandbox = await createSandbox({ corsOrigins: [listed, 'https://app.example'] });
    const form = { grant_type: 'client_credentials' };
    const response = await post(`${sandbox.url}/oauth2/token`, form, { authorization: asSensor, origin: `${listed}/` });
    expect(response.status).toBe(200);
    const event = await refused(sandbox, 'cors_origin_refused');
    expect(event).toMatchObject({
      ...{ endpoint: 'token', form: 'cors', status: 200, client_id: 'sensor' },
      ...{ sent: `${listed}/`, expected: `${listed} or https://app.example or ${orLoopback}` },
    });
  });

  it('has nothing to tell of origins that may call, of our own pages, of forms, and of callers without one', async () => {
    await using sandbox = await createSandbox({ corsOrigins: [listed] });
    const { url } = sandbox;
    await preflight(`${url}/api/products`, listed);
    await preflight(`${url}/oauth2/jwks`, foreign);
    const navigation = { origin: foreign, 'sec-fetch-mode': 'navigate' };
    const senders: Record<string, string>[] = [{ origin: spa }, { origin: listed }, { origin: url }, navigation, {}];
    for (const headers of senders) {
      expect(await ask(`${url}/api/products`, headers)).toBe(401);
    }
    expect(refusals(sandbox).filter(({ form }) => form === 'cors')).toEqual([]);
  });

  it('has nothing to tell where every origin may call', async () => {
    await using sandbox = await createSandbox({ corsOrigins: '*' });
    await preflight(`${sandbox.url}/oauth2/token`, foreign, 'POST');
    expect(refusals(sandbox)).toEqual([]);
  });

  it.each(['/oauth2/authorize', '/connect/logout', '/login'])('tells of a script that calls a page: %s', async path => {
    await using sandbox = await createSandbox();
    expect((await preflight(sandbox.url + path, spa)).status).toBe(405);
    const event = await refused(sandbox, 'cors_not_offered');
    expect(event.sent).toBe(`the preflight for a GET from a script of ${spa}`);
    expect(event.expected).toMatch(/a page that the browser opens itself/);
  });

  it('takes OPTIONS that is no preflight for a method', async () => {
    await using sandbox = await createSandbox();
    await fetch(`${sandbox.url}/oauth2/authorize`, { method: 'OPTIONS' });
    expect(await refused(sandbox, 'method_not_allowed')).toMatchObject({
      sent: 'OPTIONS',
      expected: 'GET, HEAD, POST',
    });
  });

  it('lets scripts read the link to an explanation', async () => {
    await using sandbox = await createSandbox();
    const response = await get(`${sandbox.url}/api/products`, { origin: spa });
    expect(response.headers.get('access-control-expose-headers')?.split(',')).toContain('Link');
    expect(response.headers.get('link')).toMatch(/rel="help"$/);
  });
});

describe('a rate limit', () => {
  it('is told with how many there were and how many there may be', async () => {
    await using sandbox = await createSandbox({ rateLimit: 2 });
    const statuses: number[] = [];
    for (let count = 0; count < 3; count++) {
      const form = { grant_type: 'client_credentials' };
      statuses.push((await post(`${sandbox.url}/oauth2/token`, form, { authorization: asSensor })).status);
    }
    expect(statuses).toEqual([200, 200, 429]);
    expect(await refused(sandbox, 'rate_limited')).toMatchObject({
      ...{ endpoint: 'token', status: 429, error: 'temporarily_unavailable' },
      ...{ sent: '3 requests in this minute', expected: 'at most 2 requests a minute' },
    });
  });
});

describe('what is not offered', () => {
  it('is told with the switch that would offer it', async () => {
    await using sandbox = await createSandbox({ features: { device: false } });
    const response = await post(`${sandbox.url}/oauth2/device_authorization`, { client_id: 'tv' });
    expect(response.status).toBe(501);
    expect(await response.json()).toMatchObject({
      error: 'invalid_request',
      error_description: 'this sandbox does not offer the device grant (RFC 8628): it is switched off',
    });
    expect(await refused(sandbox, 'not_offered')).toMatchObject({
      ...{ endpoint: 'not_offered', status: 501, error: 'invalid_request' },
      ...{ sent: '/oauth2/device_authorization', expected: 'FEATURES=device=on' },
    });
  });
});

describe('the dashboard', () => {
  it.each<[string, Record<string, string>, string]>([
    ['the script of another origin', { origin: foreign }, foreign],
    ['what a browser says is of another site', { 'sec-fetch-site': 'cross-site' }, 'cross-site'],
  ])('tells that it refused %s', async (_what, headers, sent) => {
    await using sandbox = await createSandbox();
    const response = await get(`${sandbox.url}/dashboard/api/v1/tokens`, headers);
    expect(response.status).toBe(403);
    expect(await refused(sandbox, 'foreign_origin')).toMatchObject({
      ...{ endpoint: 'dashboard', status: 403, sent, expected: `${sandbox.url}, or no Origin` },
      requestId: response.headers.get('x-request-id'),
    });
  });

  it('has nothing to tell of its own pages', async () => {
    await using sandbox = await createSandbox();
    await get(`${sandbox.url}/dashboard/api/v1/tokens`, { origin: sandbox.url, 'sec-fetch-site': 'same-origin' });
    expect(refusals(sandbox)).toEqual([]);
  });
});

describe('the sample backend', () => {
  it('is told of with the token it accepted, in the request it was sent with', async () => {
    await using sandbox = await createSandbox();
    const { access_token } = await signIn(sandbox.url, 'alice', { scope: 'openid products:read' });
    const response = await get(`${sandbox.url}/api/products`, { authorization: `Bearer ${access_token}` });
    expect(response.status).toBe(200);
    const event = await sandbox.events.waitFor('token.used');
    expect(event).toMatchObject({ endpoint: 'api', client_id: 'frontend', sub: 'alice' });
    expect(event.requestId).toBe(response.headers.get('x-request-id'));
    expect(sandbox.events.issued(event.tokenId)).toMatchObject({ token: access_token });
    expect(sandbox.events.ofToken(event.tokenId)).toEqual([event]);
  });

  it('is told of with the token it refused, and links to the page that explains it', async () => {
    let now = 2_000_000_000;
    await using sandbox = await createSandbox({}, { now: () => now });
    const { access_token } = await signIn(sandbox.url, 'alice', { scope: 'openid products:read' });
    now += 301;
    const response = await get(`${sandbox.url}/api/products`, { authorization: `Bearer ${access_token}` });
    const requestId = response.headers.get('x-request-id');
    expect(response.headers.get('link')).toBe(`<${sandbox.issuer}/dashboard/problems/${requestId}>; rel="help"`);
    const event = await refused(sandbox, 'api_token_expired');
    expect(event).toMatchObject({
      ...{ requestId, endpoint: 'api', form: 'challenge', status: 401, error: 'invalid_token', client_id: 'frontend' },
      sent: 'exp 2000000300 (2033-05-18T03:38:20Z)',
      expected: 'later than now 2000000301 (2033-05-18T03:38:21Z); clock skew allowed: 0 s',
    });
    expect(sandbox.events.issued(event.about ?? '')).toMatchObject({ token: access_token });
  });

  it('does not link to a dashboard that is off', async () => {
    await using sandbox = await createSandbox({ dashboard: 'off' });
    const response = await get(`${sandbox.url}/api/products`);
    expect(response.status).toBe(401);
    expect(response.headers.get('link')).toBeNull();
    expect(await refused(sandbox, 'api_token_missing')).toMatchObject({ sent: 'no Authorization header' });
    expect(await (await get(sandbox.url)).json()).not.toHaveProperty('dashboard');
  });

  it('says so of an ID token, and whose it is', async () => {
    await using sandbox = await createSandbox();
    const { id_token } = await signIn(sandbox.url);
    await get(`${sandbox.url}/api/products`, { authorization: `Bearer ${id_token}` });
    const event = await refused(sandbox, 'api_id_token_sent');
    expect(event).toMatchObject({ client_id: 'frontend', sent: 'an ID token, typ JWT' });
    expect(sandbox.events.issued(event.about ?? '')).toMatchObject({ token: id_token });
  });

  it('writes one line for a refusal, with the address of its explanation, and no credentials', async () => {
    const lines: string[] = [];
    await using sandbox = await createSandbox({}, { log: { write: text => void lines.push(text) } });
    const response = await get(`${sandbox.url}/api/products`, { authorization: `opaque-${'s'.repeat(40)}` });
    await sandbox.stop();
    const log = lines.join('');
    expect(log).toContain(`/dashboard/problems/${response.headers.get('x-request-id')}`);
    expect(log).not.toContain('sssss');
  });
});

describe('UserInfo', () => {
  it('is told of with the token it accepted', async () => {
    await using sandbox = await createSandbox();
    const { access_token } = await signIn(sandbox.url);
    await get(`${sandbox.url}/userinfo`, { authorization: `Bearer ${access_token}` });
    const event = await sandbox.events.waitFor('token.used');
    expect(event).toMatchObject({ endpoint: 'userinfo', client_id: 'frontend', sub: 'alice' });
    expect(sandbox.events.issued(event.tokenId)).toMatchObject({ token: access_token });
  });

  it('is told of with the token it refused', async () => {
    let now = 2_000_000_000;
    await using sandbox = await createSandbox({}, { now: () => now });
    const { access_token } = await signIn(sandbox.url);
    now += 301;
    await get(`${sandbox.url}/userinfo`, { authorization: `Bearer ${access_token}` });
    const event = await refused(sandbox, 'access_token_expired');
    expect(event).toMatchObject({
      sent: 'exp 2000000300',
      expected: 'later than now, 2000000301',
      client_id: 'frontend',
    });
    expect(sandbox.events.issued(event.about ?? '')).toMatchObject({ token: access_token });
  });
});

it('leaves a code that was refused with no token to tell of', async () => {
  await using sandbox = await createSandbox();
  await redeem(sandbox.url, 'unknown');
  expect(await refused(sandbox, 'code_expired_or_unknown')).not.toHaveProperty('about');
});
