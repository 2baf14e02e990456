import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClientEntry, Sandbox } from '../../src/index.ts';
import { createAgent, type Visit } from '../support/agent.ts';
import { createSandbox } from '../support/bundle.ts';
import { authorizeQuery, post } from '../support/wire.ts';

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';
const cibaGrant = 'urn:openid:params:grant-type:ciba';

const tv: ClientEntry = {
  client_id: 'tv',
  client_name: 'Living-room TV',
  grant_types: [deviceGrant, 'refresh_token'],
  scope: 'openid profile products:read',
};
const bank: ClientEntry = {
  client_id: 'bank',
  client_name: 'Bank',
  client_secret: 'bank-secret',
  grant_types: [cibaGrant],
  scope: 'openid profile',
};
const legacy: ClientEntry = {
  client_id: 'legacy',
  client_secret: 'legacy-secret',
  grant_types: ['password', 'refresh_token'],
  scope: 'openid profile',
};

interface Ping {
  readonly authorization: string | undefined;
  readonly body: { readonly auth_req_id: string };
}

let sandbox: Sandbox;
/** The notification endpoint of `pinged`. */
let endpoint: Server;
const pings: Ping[] = [];

beforeAll(async () => {
  endpoint = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    pings.push({ authorization: req.headers.authorization, body: JSON.parse(Buffer.concat(chunks).toString()) });
    res.writeHead(204).end();
  });
  await new Promise<void>(resolve => endpoint.listen(0, '127.0.0.1', resolve));
  const { port } = endpoint.address() as AddressInfo;
  const pinged: ClientEntry = {
    ...bank,
    client_id: 'pinged',
    backchannel_token_delivery_mode: 'ping',
    backchannel_client_notification_endpoint: `http://127.0.0.1:${port}/ciba`,
  };
  sandbox = await createSandbox({ pollInterval: 1, clients: [tv, bank, pinged, legacy] });
});
afterAll(async () => {
  await sandbox.stop();
  await new Promise(resolve => endpoint.close(resolve));
});

function discover(entry: ClientEntry): Promise<client.Configuration> {
  const authentication =
    entry.client_secret === undefined ? client.None() : client.ClientSecretBasic(entry.client_secret);
  return client.discovery(new URL(sandbox.issuer), entry.client_id, {}, authentication, {
    execute: [client.allowInsecureRequests, client.enableNonRepudiationChecks],
  });
}

/** Opens a page of the sandbox as somebody who has to sign in first. */
async function openAs(sub: string, url: string) {
  const agent = createAgent(new URL(sandbox.url).origin);
  const page = await agent.submit(await agent.open(url), `login-user-${sub}`);
  return { agent, page };
}

function textOf({ html }: Visit): string {
  return html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
}

describe('the device grant through openid-client', () => {
  it('ends in tokens after the user has opened verification_uri_complete, signed in and allowed it', async () => {
    const config = await discover(tv);
    const device = await client.initiateDeviceAuthorization(config, { scope: 'openid profile products:read' });
    const polling = client.pollDeviceAuthorizationGrant(config, device);
    const { agent, page } = await openAs('alice', device.verification_uri_complete ?? '');
    expect(textOf(page)).toMatch(/Living-room TV.*wants to:.*see the products.*Did you start this yourself/);
    expect(textOf(await agent.submit(page, 'device-allow'))).toContain('Done. Go back to the device.');
    const tokens = await polling;
    expect(tokens.claims()).toMatchObject({ sub: 'alice', aud: 'tv' });
    expect(await client.fetchUserInfo(config, tokens.access_token, 'alice')).toMatchObject({ name: 'Alice Archer' });
    expect(await client.refreshTokenGrant(config, tokens.refresh_token ?? '')).toHaveProperty('access_token');
  });

  it('is approved by a code typed on the page, and names the error after a denial', async () => {
    const config = await discover(tv);
    const device = await client.initiateDeviceAuthorization(config, {});
    const polling = client.pollDeviceAuthorizationGrant(config, device);
    const { agent, page } = await openAs('bob', device.verification_uri);
    const wrong = await agent.submit(page, 'device-continue', { user_code: 'BBBB BBBB' });
    expect(wrong.status).toBe(400);
    expect(textOf(wrong)).toContain('No device is waiting for this code');
    const typed = device.user_code.toLowerCase().replace('-', ' ');
    const confirm = await agent.submit(wrong, 'device-continue', { user_code: typed });
    expect(textOf(await agent.submit(confirm, 'device-deny'))).toContain('Denied');
    await expect(polling).rejects.toMatchObject({ error: 'access_denied' });
  });

  it('keeps the code while the user is changed', async () => {
    const config = await discover(tv);
    const device = await client.initiateDeviceAuthorization(config, { scope: 'openid' });
    const { agent, page } = await openAs('alice', device.verification_uri_complete ?? '');
    const [, link = ''] = /href="([^"]+)" data-testid="device-switch"/.exec(page.html) ?? [];
    const again = await agent.open(new URL(link.replaceAll('&amp;', '&'), page.url));
    expect(textOf(again)).toContain('Continue as Alice Archer');
    const asBob = await agent.submit(again, 'login-user-bob');
    expect(asBob.url.searchParams.get('user_code')).toBe(device.user_code);
    await agent.submit(asBob, 'device-allow');
    expect((await client.pollDeviceAuthorizationGrant(config, device)).claims()).toMatchObject({ sub: 'bob' });
  });

  it('has a QR code of the address, drawn here, for any code there might be', async () => {
    const response = await fetch(`${sandbox.url}/oauth2/device_verification/qr?user_code=wdjb-mjht`);
    expect(response.headers.get('content-type')).toBe('image/svg+xml');
    expect(await response.text()).toMatch(/^<svg [^>]*viewBox="0 0 \d+ \d+"[\s\S]*<\/svg>$/);
    const refused = await fetch(`${sandbox.url}/oauth2/device_verification/qr?user_code=%3Cscript%3E`);
    expect(refused.status).toBe(400);
  });

  it('waits without a warning in the log, which a slow_down is worth', async () => {
    const lines: string[] = [];
    const logging = await createSandbox({ clients: [tv] }, { log: { write: line => void lines.push(line) } });
    const form = { client_id: 'tv', scope: 'openid' };
    const device = await (await post(`${logging.url}/oauth2/device_authorization`, form)).json();
    const poll = { grant_type: deviceGrant, client_id: 'tv', device_code: device.device_code };
    for (let polls = 0; polls < 2; polls++) await (await post(`${logging.url}/oauth2/token`, poll)).arrayBuffer();
    await logging.stop();
    const warnings = lines.map(line => JSON.parse(line)).filter(({ level }) => level === 40);
    expect(warnings).toMatchObject([{ error: 'slow_down', client_id: 'tv' }]);
    expect(lines.join('')).not.toContain(device.device_code);
    expect(lines.join('')).not.toContain(device.user_code);
  });

  it('takes a decision from its own page only', async () => {
    const config = await discover(tv);
    const device = await client.initiateDeviceAuthorization(config, {});
    const { agent } = await openAs('alice', device.verification_uri);
    const cookie = [...agent.cookies].map(pair => pair.join('=')).join('; ');
    const form = { user_code: device.user_code, decision: 'allow', as: 'alice' };
    const url = `${sandbox.url}/oauth2/device_verification`;
    expect((await post(url, form, { cookie, origin: 'https://evil.example' })).status).toBe(403);
    expect((await post(url, form, { cookie, origin: sandbox.url })).status).toBe(200);
  });

  it.each(['//evil.example', 'https://evil.example/', '/oauth2/authorize'])(
    'leads from its login to its own page, whatever the query says: %s',
    async target => {
      const query = new URLSearchParams({ user_code: 'WDJB-MJHT', return_to: target, path: target });
      const response = await post(`${sandbox.url}/login/device?${query}`, { sub: 'alice' }, { origin: sandbox.url });
      expect(response.status).toBe(303);
      expect(response.headers.get('location')).toBe(`/oauth2/device_verification?${query}`);
      expect((await post(`${sandbox.url}/login/elsewhere`, { sub: 'alice' }, { origin: sandbox.url })).status).toBe(
        404,
      );
    },
  );

  it('shows the login again after a wrong password, and then goes on', async () => {
    await using strict = await createSandbox({
      loginMode: 'password',
      clients: [tv],
      users: [{ sub: 'eve', password: 'right' }],
    });
    const agent = createAgent(new URL(strict.url).origin);
    const page = await agent.open(`${strict.url}/oauth2/device_verification`);
    const wrong = await agent.submit(page, 'login-submit', { username: 'eve', password: 'wrong' });
    expect(wrong.status).toBe(401);
    expect(textOf(wrong)).toContain('Wrong username or password.');
    const right = await agent.submit(wrong, 'login-submit', { username: 'eve', password: 'right' });
    expect(textOf(right)).toContain('Type the code that the device shows.');
  });

  it('is limited like logins, by address', async () => {
    await using small = await createSandbox({ loginRateLimit: 3, clients: [tv] });
    const statuses = [];
    for (let count = 0; count < 4; count++) {
      statuses.push((await fetch(`${small.url}/oauth2/device_verification?user_code=WDJB-MJHT`)).status);
    }
    expect(statuses).toEqual([200, 200, 200, 429]);
  });
});

describe('CIBA through openid-client', () => {
  it('ends in tokens after the user has allowed it on the approval page', async () => {
    const config = await discover(bank);
    const request = { scope: 'openid profile', login_hint: 'alice@example.com', binding_message: 'W4SCT' };
    const started = await client.initiateBackchannelAuthentication(config, request);
    const polling = client.pollBackchannelAuthenticationGrant(config, started);
    const { agent, page } = await openAs('alice', `${sandbox.url}/approvals`);
    expect(textOf(page)).toMatch(/Pending approvals for Alice Archer.*Bank.*W4SCT.*see your name and profile/);
    expect(textOf(await agent.submit(page, 'approval-allow'))).toContain('Done. Bank continues with your approval.');
    const tokens = await polling;
    expect(tokens.claims()).toMatchObject({ sub: 'alice', aud: 'bank' });
  });

  it('names the error after a denial', async () => {
    const config = await discover(bank);
    const request = { scope: 'openid', login_hint: 'bob' };
    const polling = client.pollBackchannelAuthenticationGrant(
      config,
      await client.initiateBackchannelAuthentication(config, request),
    );
    const { agent, page } = await openAs('bob', `${sandbox.url}/approvals`);
    expect(textOf(await agent.submit(page, 'approval-deny'))).toContain('Denied. Bank will be told.');
    await expect(polling).rejects.toMatchObject({ error: 'access_denied' });
  });

  it('pings a client that wants it, which then fetches the tokens', async () => {
    const config = await discover({ ...bank, client_id: 'pinged' });
    const started = await client.initiateBackchannelAuthentication(config, {
      scope: 'openid',
      login_hint: 'carol',
      client_notification_token: 'a-token-of-the-client',
    });
    const { agent, page } = await openAs('carol', `${sandbox.url}/approvals`);
    await agent.submit(page, 'approval-allow');
    const { auth_req_id } = started;
    expect(pings).toEqual([{ authorization: 'Bearer a-token-of-the-client', body: { auth_req_id } }]);
    expect(sandbox.events.latest('ciba.notified', 1)).toMatchObject([{ client_id: 'pinged', status: 204 }]);
    const tokens = await client.genericGrantRequest(config, cibaGrant, { auth_req_id });
    expect(tokens.claims()).toMatchObject({ sub: 'carol' });
  });

  it('takes an approval from its own page only', async () => {
    const { agent } = await openAs('alice', `${sandbox.url}/approvals`);
    const cookie = [...agent.cookies].map(pair => pair.join('=')).join('; ');
    const form = { request: 'any', decision: 'allow' };
    const refused = await post(`${sandbox.url}/approvals`, form, { cookie, origin: 'https://evil.example' });
    expect(refused.status).toBe(403);
  });
});

describe('the password grant through openid-client', () => {
  it('is advertised where a client is registered for it, and gives tokens', async () => {
    const config = await discover(legacy);
    expect(config.serverMetadata().grant_types_supported).toContain('password');
    const tokens = await client.genericGrantRequest(config, 'password', {
      username: 'alice',
      password: 'anything',
      scope: 'openid',
    });
    expect(tokens.claims()).toMatchObject({ sub: 'alice', amr: ['pwd'] });
  });

  it('is shown where the client is shown, among what a real server would refuse', async () => {
    const grant_types = ['authorization_code', 'password'] as const;
    const redirect_uris = ['http://localhost:5173/callback'];
    await using relaxed = await createSandbox({ clients: [{ client_id: 'frontend', grant_types, redirect_uris }] });
    const page = await fetch(`${relaxed.url}/oauth2/authorize?${authorizeQuery({ scope: '' })}`);
    expect(await page.text()).toContain('the password grant, removed by OAuth 2.1');
  });

  it('is never what a client that registers itself gets', async () => {
    const metadata = { grant_types: ['password'], redirect_uris: [], scope: 'openid' };
    const response = await fetch(`${sandbox.url}/connect/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(metadata),
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: 'invalid_client_metadata' });
  });

  it('is neither advertised nor answered where no client is registered for it', async () => {
    await using plain = await createSandbox();
    const metadata = await (await fetch(`${plain.url}/.well-known/openid-configuration`)).json();
    expect(metadata.grant_types_supported).not.toContain('password');
    const form = { grant_type: 'password', client_id: 'frontend', username: 'alice', password: 'x' };
    const refused = await post(`${plain.url}/oauth2/token`, form);
    expect(await refused.json()).toMatchObject({ error: 'unsupported_grant_type' });
  });
});

it.each([
  ['device', '/oauth2/device_authorization', 'device_authorization_endpoint', deviceGrant],
  ['device', '/oauth2/device_verification', 'device_authorization_endpoint', deviceGrant],
  ['device', '/oauth2/device_verification/qr', 'device_authorization_endpoint', deviceGrant],
  ['ciba', '/oauth2/bc-authorize', 'backchannel_authentication_endpoint', cibaGrant],
  ['ciba', '/approvals', 'backchannel_token_delivery_modes_supported', cibaGrant],
] as const)(
  '%s, when it is off, is neither advertised nor answered at %s',
  async (feature, path, member, grantType) => {
    await using off = await createSandbox({ features: { [feature]: false } });
    const metadata = await (await fetch(`${off.url}/.well-known/openid-configuration`)).json();
    expect(metadata).not.toHaveProperty(member);
    expect(metadata.grant_types_supported).not.toContain(grantType);
    expect((await fetch(off.url + path)).status).toBe(501);
  },
);
