import { afterEach, describe, expect, it } from 'vitest';
import { readyClients } from '../../../src/extensions/catalogue/ready-clients.ts';
import type { SandboxConfig } from '../../../src/index.ts';
import { createSandbox, type Sandbox } from '../../../src/index.ts';
import { observes } from '../../observed.ts';
import { createTlsFetch } from '../../support/tls-fetch.ts';

const running: Sandbox[] = [];
afterEach(async () => {
  for (const sandbox of running.splice(0)) await sandbox.stop();
});

async function start(config: SandboxConfig, lines: string[] = []): Promise<Sandbox> {
  const log = { write: (text: string) => void lines.push(text) };
  const sandbox = await createSandbox({ logFormat: 'json', ...config }, { log });
  running.push(sandbox);
  return sandbox;
}

describe('the ready clients', () => {
  it('have each grant and each authentication method that discovery advertises', async () => {
    const sandbox = await start({ tls: 'self-signed', features: { password: true, implicit: true } });
    const response = await createTlsFetch({ ca: sandbox.tls?.ca ?? '' })(
      `${sandbox.url}/.well-known/openid-configuration`,
    );
    const metadata = await response.json();
    const settings = readyClients.map(client => client.settings);
    const grants = new Set(settings.flatMap(({ grant_types = [] }) => grant_types));
    const methods = new Set(settings.map(({ token_endpoint_auth_method: method }) => method));
    expect(metadata.grant_types_supported).toEqual(expect.arrayContaining(['password', 'implicit']));
    expect(metadata.token_endpoint_auth_methods_supported).toContain('tls_client_auth');
    expect(metadata.grant_types_supported.filter((each: never) => !grants.has(each))).toEqual([]);
    expect(metadata.token_endpoint_auth_methods_supported.filter((each: never) => !methods.has(each))).toEqual([]);
  });

  it('are there when the setting says so, in an issuer of its own, too', async () => {
    observes('setting catalogue');
    const sandbox = await start({});
    const idsOf = async ({ clients }: Pick<Sandbox, 'clients'>) =>
      (await clients.list()).map(({ client_id }) => client_id);
    const other = await sandbox.createIssuer({ catalogue: true });
    expect(await idsOf(sandbox)).toEqual(['frontend', 'sensor']);
    expect(await idsOf(other)).toContain('catalogue-device');
    await sandbox.reload({ catalogue: true });
    expect(await idsOf(sandbox)).toContain('catalogue-device');
    await sandbox.reload({});
    expect(await idsOf(sandbox)).toEqual(['frontend', 'sensor']);
  });

  it('are named in a warning where a client of the user has their id', async () => {
    const lines: string[] = [];
    const own = { client_id: 'catalogue-service', client_secret: 'mine', grant_types: ['client_credentials'] } as const;
    const sandbox = await start({ catalogue: true, clients: [own] }, lines);
    await sandbox.stop();
    const warned = lines.map(line => JSON.parse(line)).filter(({ level }) => level === 40);
    expect(warned).toMatchObject([
      { msg: expect.stringContaining('the client catalogue-service of your configuration') },
    ]);
  });
});
