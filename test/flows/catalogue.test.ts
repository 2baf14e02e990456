import { spawn } from 'node:child_process';
import { createPrivateKey } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { compactDecrypt, decodeJwt, decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoPrivateKey } from '../../src/extensions/catalogue/demo-key.ts';
import { readyClients } from '../../src/extensions/catalogue/ready-clients.ts';
import type { Sandbox } from '../../src/index.ts';
import { createAgent } from '../support/agent.ts';
import { createSandbox } from '../support/bundle.ts';
import { newFolder } from '../support/new-folder.ts';
import { textOfElement } from '../support/snippets.ts';
import { createTlsFetch } from '../support/tls-fetch.ts';

// Each client of the catalogue is used as its page says: a shell runs the command as it is, and its output is what was promised.

let plain: Sandbox;
let secure: Sandbox;
let folder: string;
/** Stands for an application at port 3000, which belongs to somebody else while the tests run. */
const application = createServer((req, res) => {
  notified.push(req.url ?? '');
  req.resume().on('end', () => res.writeHead(204).end());
});
const notified: string[] = [];

beforeAll(async () => {
  folder = newFolder();
  const config = { catalogue: true, pollInterval: 1, outbound: 'loopback' } as const;
  plain = await createSandbox({ ...config, features: { password: true, implicit: true } });
  secure = await createSandbox({ ...config, tls: 'self-signed' });
  await once(application.listen(0, '127.0.0.1'), 'listening');
  const { port } = application.address() as AddressInfo;
  for (const { client_id, ...members } of await plain.clients.list()) {
    const addresses = Object.entries(members).filter(([name]) => /^backchannel_(logout_uri|client_notif)/.test(name));
    const moved = addresses.map(([name, uri]) => [name, String(uri).replace('localhost:3000', `127.0.0.1:${port}`)]);
    if (moved.length > 0) await plain.clients.patch(client_id, Object.fromEntries(moved));
  }
});
afterAll(async () => {
  await plain.stop();
  await secure.stop();
  application.close();
});

/** A shell that runs the command of a client. */
async function start(client: string, at: Sandbox) {
  const get = at === secure ? createTlsFetch({ ca: at.tls?.ca ?? '' }) : fetch;
  const html = await (await get(`${at.url}/dashboard/catalogue`)).text();
  const command = textOfElement(html, `command-catalogue-${client}`);
  const child = spawn('sh', ['-euc', command], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  const firstLine = new Promise<string>(resolve => {
    child.stdout.setEncoding('utf8').on('data', text => {
      output += text;
      if (output.includes('\n')) resolve(output.slice(0, output.indexOf('\n')));
    });
  });
  const ended = once(child, 'close').then(() => output.trimEnd());
  return { firstLine, ended };
}

async function run(client: string, at = plain): Promise<string> {
  return (await start(client, at)).ended;
}

/** What the command prints last, as JSON. */
async function answerOf(client: string, at = plain) {
  return lastAnswer(await run(client, at));
}

function lastAnswer(output: string) {
  return JSON.parse(output.split('\n').at(-1) ?? '');
}

const used: string[] = [];
/** A test of one of the clients: `service` is the client `catalogue-service`. */
function of(client: string, what: string, test: () => Promise<void>): void {
  used.push(`catalogue-${client}`);
  it(`${client}: ${what}`, test, 30_000);
}

describe('the command of a ready client', () => {
  for (const client of ['spa', 'native', 'mobile', 'web', 'web-post', 'par', 'jar']) {
    of(client, 'logs alice in', async () => {
      const { id_token } = await answerOf(client);
      expect(decodeJwt(id_token)).toMatchObject({ iss: plain.issuer, sub: 'alice', aud: `catalogue-${client}` });
    });
  }

  of('spa-refresh', 'gets another refresh token for the first', async () => {
    const { refresh_token } = await answerOf('spa-refresh');
    const issued = plain.events.latest('token.issued', 10).filter(({ tokenType }) => tokenType === 'refresh');
    const [second, first] = issued.filter(({ client_id }) => client_id === 'catalogue-spa-refresh');
    expect(second).toMatchObject({ token: refresh_token, parentTokenId: first?.tokenId });
  });

  of('dpop', 'calls UserInfo with a bound token', async () => {
    expect(await answerOf('dpop')).toEqual({ sub: 'alice' });
  });

  of('mcp', 'calls the resource that its token is for', async () => {
    expect(await answerOf('mcp')).toContainEqual(expect.objectContaining({ name: 'Blue Heron' }));
  });

  of('third-party', 'logs in a user who agreed, by a sub of its own', async () => {
    const { id_token } = await answerOf('third-party');
    expect(decodeJwt(id_token)).toMatchObject({
      aud: 'catalogue-third-party',
      sub: expect.not.stringMatching(/alice/),
    });
  });

  of('jarm', 'gets its code in a signed JWT', async () => {
    const response = new URL(await run('jarm')).searchParams.get('response') ?? '';
    expect(decodeJwt(response)).toMatchObject({ aud: 'catalogue-jarm', code: expect.any(String) });
  });

  of('encrypted', 'gets an ID token that only the demo key opens', async () => {
    const { id_token } = await answerOf('encrypted');
    const { plaintext } = await compactDecrypt(id_token, createPrivateKey(demoPrivateKey));
    expect(decodeJwt(new TextDecoder().decode(plaintext))).toMatchObject({ sub: 'alice', aud: 'catalogue-encrypted' });
  });

  of('fapi', 'gets a token that is bound to its key', async () => {
    const { id_token, access_token, token_type } = await answerOf('fapi');
    expect(token_type).toBe('DPoP');
    expect(decodeJwt(access_token)).toMatchObject({ cnf: { jkt: expect.any(String) } });
    expect(decodeProtectedHeader(id_token)).toMatchObject({ alg: 'ES256' });
  });

  it('fapi: does the same where the profile demands it of every client', async () => {
    const strict = await createSandbox({ catalogue: true, profile: 'fapi2' });
    expect(await answerOf('fapi', strict)).toMatchObject({ token_type: 'DPoP' });
    await strict.stop();
  });

  for (const channel of ['back', 'front'] as const) {
    of(`${channel}channel-logout`, 'ends a session, of which the client is told', async () => {
      expect(await run(`${channel}channel-logout`)).toContain('You are signed out');
      const told = plain.events.latest('logout.notified', 10);
      expect(told).toContainEqual(
        expect.objectContaining({ channel, client_id: `catalogue-${channel}channel-logout` }),
      );
    });
  }

  for (const client of ['service', 'service-post', 'service-secret-jwt', 'service-key']) {
    of(client, 'gets a token for itself', async () => {
      const { access_token } = await answerOf(client);
      expect(decodeJwt(access_token)).toMatchObject({ sub: `catalogue-${client}`, scope: 'telemetry:write' });
    });
  }

  of('service-mtls', 'gets a token that is bound to its certificate', async () => {
    const { access_token } = await answerOf('service-mtls', secure);
    expect(decodeJwt(access_token)).toMatchObject({ cnf: { 'x5t#S256': expect.any(String) } });
  });

  of('service-self-signed', 'gets a token with a certificate of its own making', async () => {
    const { access_token } = await answerOf('service-self-signed', secure);
    expect(decodeJwt(access_token)).toMatchObject({ sub: 'catalogue-service-self-signed' });
  });

  of('opaque', 'gets a token that nobody else can read', async () => {
    expect((await answerOf('opaque')).access_token).toMatch(/^[\w-]{20,}$/);
  });

  of('api', 'learns that a token is active', async () => {
    expect(await answerOf('api')).toMatchObject({ active: true, client_id: 'catalogue-opaque' });
  });

  of('exchange', 'gets a token for alice that names the actor', async () => {
    const { access_token } = await answerOf('exchange');
    expect(decodeJwt(access_token)).toMatchObject({ sub: 'alice', act: { sub: 'catalogue-exchange' } });
  });

  of('jwt-bearer', 'gets a token for the user that its partner named', async () => {
    expect(decodeJwt((await answerOf('jwt-bearer')).access_token)).toMatchObject({ sub: 'alice' });
  });

  of('device', 'gets its tokens when the user has approved', async () => {
    const { firstLine, ended } = await start('device', plain);
    const browser = createAgent(plain.url);
    const page = await browser.open(JSON.parse(await firstLine).verification_uri_complete);
    await browser.submit(await browser.submit(page, 'login-user-alice'), 'device-allow');
    expect(decodeJwt(lastAnswer(await ended).id_token)).toMatchObject({ sub: 'alice', aud: 'catalogue-device' });
  });

  for (const client of ['ciba', 'ciba-ping']) {
    of(client, 'gets its tokens when the user has approved', async () => {
      const { firstLine, ended } = await start(client, plain);
      await firstLine;
      const browser = createAgent(plain.url);
      const page = await browser.submit(await browser.open(`${plain.url}/approvals`), 'login-user-alice');
      await browser.submit(page, 'approval-allow');
      expect(decodeJwt(lastAnswer(await ended).id_token)).toMatchObject({ sub: 'alice', aud: `catalogue-${client}` });
    });
  }

  of('password', 'gets tokens for the password of the user', async () => {
    expect(decodeJwt((await answerOf('password')).id_token)).toMatchObject({ sub: 'alice' });
  });

  of('implicit', 'gets its tokens in the address', async () => {
    const { hash } = new URL(await run('implicit'));
    expect(decodeJwt(new URLSearchParams(hash.slice(1)).get('id_token') ?? '')).toMatchObject({ sub: 'alice' });
  });

  it('lets the server notify the application', () => {
    expect(notified.toSorted()).toEqual(['/backchannel-logout', '/ciba-notification']);
  });

  it('is run here for each of them', () => {
    expect(used.toSorted()).toEqual(readyClients.map(({ settings }) => settings.client_id).toSorted());
  });
});
