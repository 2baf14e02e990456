import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { Network, Wait } from 'testcontainers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { portOf, raw, statusOf } from '../support/wire.ts';
import { type ContainerEngine, startContainerEngine } from './support/container-engine.ts';

/** What ships. */
const { GrantboxContainer }: typeof import('../../src/client/fixtures/testcontainers.ts') = createRequire(
  import.meta.url,
)('grantbox/testcontainers');

let engine: ContainerEngine;
beforeAll(async () => {
  engine = await startContainerEngine(['grantbox:latest', 'registry.example/idp:1']);
  process.env.DOCKER_HOST = engine.url;
  process.env.TESTCONTAINERS_RYUK_DISABLED = 'true'; // what tidies up after a run that was killed is a container, too
});
afterAll(() => engine[Symbol.asyncDispose]());

const shop = { client_id: 'shop', token_endpoint_auth_method: 'none', redirect_uris: ['http://localhost/cb'] } as const;

/** The metadata for a `Host`, whatever the name means to this machine. */
async function metadata(url: string, host = new URL(url).host): Promise<Readonly<Record<string, unknown>>> {
  const path = '/.well-known/openid-configuration';
  const answered = await raw(portOf(url), `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  if (statusOf(answered) !== 200) return { status: statusOf(answered) };
  return JSON.parse(answered.slice(answered.indexOf('\r\n\r\n') + 4)) as Record<string, unknown>;
}

describe('a sandbox in a container', () => {
  it('has as its issuer the address it is reached by, with the mapped port', async () => {
    await using container = await new GrantboxContainer().start();
    expect(container.url).toBe(`http://127.0.0.1:${container.getMappedPort(9000)}`);
    expect(container.issuer).toBe(container.url);
    expect(await metadata(container.url)).toMatchObject({
      issuer: container.url,
      token_endpoint: `${container.url}/oauth2/token`,
    });
  });

  it('has another issuer after a restart that maps another port', async () => {
    await using container = await new GrantboxContainer().start();
    const before = container.issuer;
    await container.restart();
    expect(container.issuer).not.toBe(before);
    expect(await metadata(container.url)).toMatchObject({ issuer: container.issuer });
  });

  it('keeps an issuer that is said, with its path', async () => {
    await using container = await new GrantboxContainer().withIssuer('http://idp.test:8080/tenant').start();
    expect(container.issuer).toBe('http://idp.test:8080/tenant');
    expect(container.url).toBe(`http://127.0.0.1:${container.getMappedPort(9000)}/tenant`);
    expect((await container.connect()).issuer).toBe('http://idp.test:8080/tenant');
  });

  it('has the clients, users and settings of its configuration', async () => {
    const config = { clients: [shop], users: [{ sub: "dora's $(id)" }], accessTokenLifetime: '7m' };
    await using container = await new GrantboxContainer().withConfig(config).start();
    const sandbox = await container.connect();
    const tokens = await sandbox.login({ client: 'shop', user: "dora's $(id)", as: 'tokens' });
    expect(tokens.expires_in).toBe(420);
    const claims = Buffer.from(`${tokens.access_token}`.split('.')[1] ?? '', 'base64url');
    expect(JSON.parse(claims.toString())).toMatchObject({
      iss: container.issuer,
      client_id: 'shop',
      sub: "dora's $(id)",
    });
  });

  it.each([
    ['said', () => new GrantboxContainer().withControlToken('let me in')],
    ['of the configuration', () => new GrantboxContainer().withConfig({ controlToken: 'let me in' })],
  ])('asks for a control token that is %s, and connect() brings it', async (_, made) => {
    await using container = await made().start();
    expect((await fetch(`${container.url}/_sandbox`)).status).toBe(401);
    const issuer = await (await container.connect()).createIssuer({ clients: [shop] });
    expect(issuer.url.startsWith(`${container.url}/i/`)).toBe(true);
    expect((await issuer.clients.list()).map(({ client_id }) => client_id)).toEqual(['shop']);
  });

  it('takes flags as its command', async () => {
    await using container = await new GrantboxContainer().withCommand(['--label', 'two words; $HOME']).start();
    expect(await (await fetch(`${container.url}/dashboard`)).text()).toContain('two words; $HOME');
    expect(await metadata(container.url)).toMatchObject({ issuer: container.url });
  });

  it('is ready when the strategy of the test says so, and knows its issuer all the same', async () => {
    const made = new GrantboxContainer().withWaitStrategy(Wait.forLogMessage(/"issuer":/)).withStartupTimeout(120_000);
    await using container = await made.start();
    expect(await metadata(container.url)).toMatchObject({ issuer: container.url });
  });

  it('speaks HTTPS with a CA that connect() trusts', async () => {
    await using container = await new GrantboxContainer().withConfig({ tls: 'self-signed' }).start();
    expect(container.issuer).toBe(`https://127.0.0.1:${container.getMappedPort(9000)}`);
    expect(await container.ca()).toContain('BEGIN CERTIFICATE');
    expect((await container.connect()).issuer).toBe(container.issuer);
  });

  it('is gone when it is stopped', async () => {
    const container = await new GrantboxContainer().start();
    await container.stop();
    await expect(fetch(container.url)).rejects.toThrow();
    expect([...engine.containers.keys()]).not.toContain(container.getId());
  });
});

describe('a sandbox in a network of containers', () => {
  it('tells back ends its first alias, answers to each, and keeps its issuer', async () => {
    await using network = await new Network().start();
    const made = new GrantboxContainer().withNetwork(network).withNetworkAliases('idp', 'login.example');
    await using container = await made.start();
    expect([...(engine.containers.get(container.getId())?.networks.values() ?? [])]).toEqual([
      ['idp', 'login.example'],
    ]);
    for (const [host, told] of [
      ['idp:9000', 'http://idp:9000'],
      ['login.example:9000', container.url],
    ] as const) {
      expect(await metadata(container.url, host)).toMatchObject({
        issuer: container.issuer,
        token_endpoint: `${told}/oauth2/token`,
        authorization_endpoint: `${container.issuer}/oauth2/authorize`,
      });
    }
    expect(await metadata(container.url, 'other.example')).toEqual({ status: 421 });
  });

  it.each([
    ['said', () => new GrantboxContainer().withBackchannelUrl('http://inside:81')],
    ['of the configuration', () => new GrantboxContainer().withConfig({ backchannelUrl: 'http://inside:81' })],
  ])('tells them the address that is %s', async (_, made) => {
    await using network = await new Network().start();
    await using container = await made().withNetwork(network).withNetworkAliases('idp').start();
    expect(await metadata(container.url, 'inside:81')).toMatchObject({
      token_endpoint: 'http://inside:81/oauth2/token',
    });
    expect(await metadata(container.url, 'idp:9000')).toMatchObject({
      token_endpoint: `${container.url}/oauth2/token`,
    });
  });
});

describe('a container that is used again', () => {
  it('is the same one for the same configuration, and another one for another', async () => {
    const made = (sub: string) => new GrantboxContainer().withConfig({ users: [{ sub }] }).withReuse();
    await using first = await made('dora').start();
    const again = await made('dora').start();
    expect([again.getId(), again.issuer]).toEqual([first.getId(), first.issuer]);
    await using other = await made('emil').start();
    expect(other.getId()).not.toBe(first.getId());
  });

  it('has the issuer of its new port where it had been stopped', async () => {
    const made = () => new GrantboxContainer().withConfig({ label: 'again' }).withReuse();
    const first = await made().start();
    await first.stop({ remove: false });
    await using again = await made().start();
    expect(again.getId()).toBe(first.getId());
    expect(await metadata(again.url)).toMatchObject({ issuer: again.url });
  });
});

describe('a container that does not start', () => {
  it('says what is wrong with its configuration, and is removed', async () => {
    const config = { clients: [{ ...shop, redirect_uris: ['no address'] }], loginMode: 'magic' };
    const starting = new GrantboxContainer().withConfig(config as object).start();
    await expect(starting).rejects.toThrow(/redirect_uris[\s\S]*no address/);
    await expect(starting).rejects.toThrow(/loginMode[\s\S]*magic/);
    expect(engine.containers.size).toBe(0);
  });

  it('says how to build the image where there is none, and asks no registry for it', async () => {
    await using empty = await startContainerEngine([]);
    const script =
      "const { GrantboxContainer } = await import('grantbox/testcontainers'); await new GrantboxContainer().start()";
    const options = { cwd: import.meta.dirname, env: { ...process.env, DOCKER_HOST: empty.url } };
    const running = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], options);
    await expect(running).rejects.toThrow('there is no image grantbox:latest; build it (docker build -t grantbox .)');
  });

  it('takes another image', async () => {
    await using container = await new GrantboxContainer('registry.example/idp:1').start();
    expect(engine.containers.get(container.getId())?.order.Image).toBe('registry.example/idp:1');
  });
});
