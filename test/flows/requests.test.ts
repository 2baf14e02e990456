import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { createAgent } from '../support/agent.ts';
import { authorizationUrl, codeVerifier, redeemCode, refresh, sensorToken } from '../support/authorization-url.ts';
import { createSandbox } from '../support/bundle.ts';

const run = promisify(execFile);
const callback = 'http://localhost:3000/callback';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await createSandbox();
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.stop());

/** A login of alice with a click, up to the code; with the cookies it left. */
async function login(parameters: Record<string, string> = {}) {
  const agent = createAgent(new URL(sandbox.url).origin);
  const page = await agent.open(authorizationUrl(sandbox, callback, parameters));
  const arrived = await agent.submit(page, 'login-user-alice');
  return { code: arrived.url.searchParams.get('code') ?? '', cookies: [...agent.cookies.values()] };
}

const requestIds = () => sandbox.events.latest('request.completed', 1000).map(({ requestId }) => requestId);

function newest(path: string): string {
  const found = sandbox.events.latest('request.completed', 1000).find(event => event.path === path);
  return found?.requestId ?? `no request of ${path}`;
}

async function text(path: string): Promise<string> {
  return (await fetch(sandbox.url + path)).text();
}

/** Presses "Replay unchanged"; gives the answer and the id of the new request. */
async function sendAgain(requestId: string, fields: Record<string, string> = {}) {
  const response = await fetch(`${sandbox.url}/dashboard/requests/${requestId}/replay`, {
    method: 'POST',
    headers: { Origin: sandbox.url },
    body: new URLSearchParams(fields),
    redirect: 'manual',
  });
  expect(response.status).toBe(303);
  const id = response.headers.get('Location')?.split('/').at(-1) ?? '';
  const events = sandbox.events.ofRequest(id);
  return {
    id,
    status: events.find(event => event.type === 'request.completed')?.status,
    refusal: events.find(event => event.type === 'error.returned'),
  };
}

describe('a request that is sent again', () => {
  it('is refused when its code was used, and takes back what the code gave', async () => {
    const { code } = await login();
    await redeemCode(sandbox, callback, code);
    const original = newest('/oauth2/token');
    const again = await sendAgain(original);
    expect(again).toMatchObject({ status: 400, refusal: { error: 'invalid_grant', reason: 'code_replayed' } });
    expect(sandbox.events.latest('token.revoked', 1)).toMatchObject([{ reason: 'code_replayed' }]);
    expect(await text(`/dashboard/requests/${again.id}`)).toContain(`/dashboard/requests/${original}"`);
    expect(await text(`/dashboard/requests/${original}`)).toContain(`/dashboard/requests/${again.id}"`);
  });

  it('gives what it gave before, where it is good more than once', async () => {
    await sensorToken(sandbox);
    const again = await sendAgain(newest('/oauth2/token'));
    expect(again.status).toBe(200);
    expect(sandbox.events.count('token.issued')).toBe(2);
  });

  it('says by its headers that it was sent by hand, and never says so of another one', async () => {
    await sensorToken(sandbox);
    const original = newest('/oauth2/token');
    const { id: first } = await sendAgain(original);
    const { id: second } = await sendAgain(first);
    const headersOf = (id: string) => {
      const event = sandbox.events.ofRequest(id).find(each => each.type === 'request.completed');
      return event?.exchange.requestHeaders ?? '';
    };
    expect(headersOf(first)).toContain(`Grantbox-Replay-Of\n${original}`);
    expect(headersOf(second)).toContain(`Grantbox-Replay-Of\n${first}`);
    expect(headersOf(second)).not.toContain(original);
    expect(headersOf(second).match(/Grantbox-Tool/g)).toHaveLength(1);
  });

  it('reaches any path of this sandbox, with any body', async () => {
    await sensorToken(sandbox);
    const token = sandbox.events.latestIssued(1)[0]?.token;
    const again = await sendAgain(newest('/oauth2/token'), {
      method: 'POST',
      path: '/api/telemetry',
      headers: `Authorization: Bearer ${token}\nContent-Type: application/json`,
      body: '{"sensor":"Zoë","temperature":21.5}',
    });
    expect([again.status, again.refusal?.reason]).not.toEqual([401, expect.anything()]);
    expect(again.status === 201 || again.refusal?.reason === 'api_body_invalid').toBe(true);
  });
});

describe('a recorded login', () => {
  it('shows none of its secrets where they are hidden', async () => {
    const parameters = { scope: 'openid profile offline_access products:read' };
    const { code, cookies } = await login(parameters);
    const tokens = await redeemCode(sandbox, callback, code);
    const renewed = await refresh(sandbox, tokens.refresh_token);
    await fetch(`${sandbox.url}/userinfo`, { headers: { Authorization: `Bearer ${renewed.access_token}` } });
    await sensorToken(sandbox);
    const signatures = [tokens.access_token, tokens.id_token, renewed.access_token].map(
      each => each.split('.')[2] ?? '',
    );
    const secrets = [
      ...[code, codeVerifier, tokens.refresh_token, renewed.refresh_token, btoa('sensor:sensor-secret')],
      ...signatures,
      ...cookies.filter(each => each.length > 12),
    ];
    const pages = async (query: string) => {
      const all = await Promise.all(requestIds().map(id => text(`/dashboard/requests/${id}${query}`)));
      return all.join('');
    };
    const shown = await pages('');
    expect(secrets.filter(each => !shown.includes(each))).toEqual([]);
    const hidden = await pages('?hide=1');
    expect([...secrets, 'sensor-secret'].filter(each => hidden.includes(each))).toEqual([]);
  });

  it('can be copied as curl, and that does the same', async () => {
    await sensorToken(sandbox);
    const html = await text(`/dashboard/requests/${newest('/oauth2/token')}`);
    const [, escaped = ''] = /<pre id="copy-curl"[^>]*>([\s\S]*?)<\/pre>/.exec(html) ?? [];
    const entities: Record<string, string> = { '&#39;': "'", '&#34;': '"', '&lt;': '<', '&gt;': '>', '&amp;': '&' };
    const command = escaped.replace(/&(?:#39|#34|lt|gt|amp);/g, each => entities[each] ?? each);
    const { stdout } = await run('bash', ['-c', command.replace('curl ', 'curl -s ')]);
    expect(JSON.parse(stdout)).toMatchObject({ token_type: 'Bearer', scope: 'telemetry:write' });
  });
});

describe('the pages', () => {
  it('carry the policy of the dashboard', async () => {
    await sensorToken(sandbox);
    for (const path of ['/dashboard/requests', `/dashboard/requests/${newest('/oauth2/token')}`, '/dashboard/api']) {
      const response = await fetch(sandbox.url + path);
      expect(response.headers.get('Content-Security-Policy')).toBe(
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      );
      expect(response.headers.get('Cache-Control')).toBe('no-store');
    }
  });
});
