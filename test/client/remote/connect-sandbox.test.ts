import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { connectSandbox, createSandbox, type Sandbox, type SandboxConfig } from '../../../src/index.ts';
import { signIn } from '../../support/wire.ts';

const open: { stop(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.stop();
});

async function start(config: SandboxConfig = {}): Promise<Sandbox> {
  const sandbox = await createSandbox(config);
  open.push(sandbox);
  return sandbox;
}

/** Something that answers, and is no sandbox. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  open.push({
    stop: () =>
      new Promise(resolve => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('connectSandbox', () => {
  it('finds the issuer, whatever the slashes at the end', async () => {
    const { url, issuer } = await start({ issuer: 'https://login.example.com' });
    expect(await connectSandbox(`${url}//`)).toMatchObject({ issuer, url });
  });

  it('finds an issuer beside the first by its path', async () => {
    const { url } = await start({ issuers: { '/tenant-a': { users: [{ sub: 'ann' }] } } });
    const tenant = await connectSandbox(`${url}/tenant-a/`);
    expect(tenant).toMatchObject({ issuer: `${url}/tenant-a`, url: `${url}/tenant-a` });
    expect(await tenant.users.list()).toEqual([{ sub: 'ann' }]);
    expect(await tenant.login({ client: 'frontend', user: 'ann', as: 'tokens' })).toHaveProperty('access_token');
    expect(await tenant.exportSession('json')).toContain('"ann"');
  });

  it.each(['', 'localhost:9000', 'ftp://localhost', 'not an address'])('says that %j is no address', async text => {
    await expect(connectSandbox(text)).rejects.toThrow(
      new TypeError(`connectSandbox: expected an address such as http://localhost:9000, found ${JSON.stringify(text)}`),
    );
  });

  it('says where nobody answers', async () => {
    const { url, stop } = await createSandbox();
    await stop();
    await expect(connectSandbox(url)).rejects.toThrow(
      `connectSandbox: ${url} did not answer (ECONNREFUSED); is the sandbox running?`,
    );
  });

  it.each<readonly [string, RequestListener, string]>([
    ['a page', (_, response) => response.end('<html>'), 'answered 200, but the response is not from a sandbox'],
    ['another JSON', (_, response) => response.end('{"issuer":7}'), 'is not a sandbox, or it is an older version'],
    [
      'an error',
      (_, response) => response.writeHead(404).end('{}'),
      'answered 404, but the response is not from a sandbox',
    ],
    ['a login elsewhere', (_, response) => response.writeHead(302, { location: '/login' }).end(), 'answered 302'],
    [
      'half an answer',
      (_, response) => response.socket?.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{'),
      'did not answer',
    ],
  ])('says that what answers with %s is no sandbox', async (_what, listener, says) => {
    const url = await serve(listener);
    await expect(connectSandbox(url)).rejects.toThrow(says);
    await expect(connectSandbox(url)).rejects.toThrow(/^connectSandbox: /);
  });

  it('says that a sandbox is gone, once it is', async () => {
    const sandbox = await createSandbox();
    const { users, events } = await connectSandbox(sandbox.url);
    await sandbox.stop();
    await expect(users.list()).rejects.toThrow(`users.list: ${sandbox.url} did not answer`);
    await expect(events.lastId()).rejects.toThrow('events.lastId: ');
  });
});

it.each(['', '.', '..'])('never takes the id %j for something else', async id => {
  const { url } = await start();
  const { clients, faults } = await connectSandbox(url);
  await faults.arm({ fault: 'unavailable' });
  expect(await faults.disarm(id)).toBe(false);
  expect(await faults.list()).toHaveLength(1);
  expect(await clients.get(id)).toBeUndefined();
  await expect(clients.delete(id)).rejects.toThrow(/^clients\.delete: expected an id other than /);
  await expect(clients.revert(id)).rejects.toThrow(TypeError);
});

describe('where CONTROL_TOKEN is set', () => {
  it('works with it, and at issuers of its own too', async () => {
    const { url } = await start({ controlToken: 'open-sesame' });
    const sandbox = await connectSandbox(url, { controlToken: 'open-sesame' });
    await using made = await sandbox.createIssuer({ users: [{ sub: 'ann' }] });
    expect(await made.users.list()).toEqual([{ sub: 'ann' }]);
    expect(await made.exportSession()).toContain('</html>');
  });

  it.each([
    ['without it', {}, 'CONTROL_TOKEN is set, but no token was sent'],
    ['with another', { controlToken: 'sesame-seed' }, 'this is not the CONTROL_TOKEN'],
  ])('refuses %s, and does not tell what was sent', async (_how, options, says) => {
    const { url } = await start({ controlToken: 'open-sesame' });
    const refused = connectSandbox(url, options);
    await expect(refused).rejects.toThrow(TypeError);
    await expect(refused).rejects.toThrow(`connectSandbox: ${says}`);
    await expect(refused).rejects.not.toThrow('sesame');
  });
});

describe('over HTTPS', () => {
  it("believes the sandbox's own CA, at issuers of its own too", async () => {
    const { url, tls } = await start({ tls: 'self-signed' });
    const sandbox = await connectSandbox(url, { ca: tls?.ca ?? '' });
    expect(sandbox.issuer).toBe(url);
    await using made = await sandbox.createIssuer();
    expect(made.url).toMatch(/^https:/);
    expect(await made.clients.get('sensor')).toMatchObject({ client_id: 'sensor' });
    expect(await made.exportSession('har')).toContain('"version": "1.2"');
  });

  it('says that it does not know the certificate', async () => {
    const { url } = await start({ tls: 'self-signed' });
    await expect(connectSandbox(url)).rejects.toThrow(
      `connectSandbox: ${url} has a certificate that is not trusted (UNABLE_TO_VERIFY_LEAF_SIGNATURE); give its CA as`,
    );
  });
});

describe('createIssuer', () => {
  it('makes one with what it says, and ends it', async () => {
    const { url } = await start();
    const sandbox = await connectSandbox(url);
    const made = await sandbox.createIssuer({ users: [{ sub: 'ann' }] }, { id: 'mine', lifetime: 60 });
    expect(made).toMatchObject({ id: 'mine', issuer: `${url}/i/mine`, url: `${url}/i/mine` });
    expect(made.expiresAt - made.createdAt).toBe(60);
    expect(await made.users.list()).toEqual([{ sub: 'ann' }]);
    await made.stop();
    await made.stop();
    expect((await fetch(`${made.issuer}/.well-known/openid-configuration`)).status).toBe(410);
    await expect(made.users.list()).rejects.toThrow(/^users.list: /);
  });

  it('is reached where the sandbox is, whatever its issuer is called', async () => {
    const { url } = await start({ issuer: 'http://idp.example:9000' });
    const sandbox = await connectSandbox(url);
    await using made = await sandbox.createIssuer({}, { id: 'mine' });
    expect(made).toMatchObject({ issuer: 'http://idp.example:9000/i/mine', url: `${url}/i/mine` });
    expect(await made.login({ client: 'frontend', user: 'bob', as: 'tokens' })).toHaveProperty('access_token');
  });

  it('makes one with many users, and says where it is too much', async () => {
    const { url } = await start();
    const sandbox = await connectSandbox(url);
    const people = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ sub: `user-${index}`, claims: { name: 'N'.repeat(100) } }));
    await using made = await sandbox.createIssuer({ users: people(1000) });
    expect(await made.users.list()).toHaveLength(1000);
    await expect(sandbox.createIssuer({ users: people(9000) })).rejects.toThrow(
      /^createIssuer: the body is larger than 1048576 bytes: found \d+ bytes, expected at most 1048576 bytes$/,
    );
  });

  it('says every member that is wrong', async () => {
    const { url } = await start();
    const { createIssuer } = await connectSandbox(url);
    await expect(createIssuer({ codeLifetime: 'long', userz: [] } as object)).rejects.toThrow(TypeError);
    await expect(createIssuer({ codeLifetime: 'long', userz: [] } as object)).rejects.toThrow(
      /userz: .*did you mean users.*; .*codeLifetime: found "long"/,
    );
    await expect(createIssuer({}, { id: '..' })).rejects.toThrow(/^createIssuer: id: found "?\.\."?, expected /);
  });
});

describe('exportSession', () => {
  it.each([
    ['html', '<!doctype html>'],
    ['har', '"entries"'],
    ['json', '"flows"'],
    ['ndjson', '"type":"token.issued"'],
    ['mermaid', 'sequenceDiagram'],
    ['markdown', '# '],
  ] as const)('gives %s', async (format, part) => {
    const { url } = await start();
    const sandbox = await connectSandbox(url);
    await signIn(url);
    expect((await sandbox.exportSession(format)).toLowerCase()).toContain(part.toLowerCase());
  });

  it.each(['html', 'har', 'json', 'ndjson', 'mermaid', 'markdown'] as const)(
    'has no secret in it as %s, however short it is',
    async format => {
      const { url } = await start();
      const sandbox = await connectSandbox(url);
      const body = new URLSearchParams({ grant_type: 'client_credentials' });
      for (const secret of ['pw-93', 'q+%3C9&']) {
        const headers = { Authorization: `Basic ${btoa(`sensor:${secret}`)}` };
        await (await fetch(`${url}/oauth2/token`, { method: 'POST', headers, body })).arrayBuffer();
      }
      const text = await sandbox.exportSession(format);
      expect(text).toContain('/oauth2/token');
      for (const part of ['pw-93', btoa('sensor:pw-93'), 'q+%3C9', 'q <9', 'q%20%3C9', 'q &lt;9']) {
        expect(text).not.toContain(part);
      }
    },
  );

  it('says that there is none without a dashboard', async () => {
    const { url } = await start({ dashboard: 'off' });
    const { exportSession } = await connectSandbox(url);
    await expect(exportSession()).rejects.toThrow(
      `exportSession: ${url}/dashboard/export/html answered 404; is the dashboard off?`,
    );
  });
});
