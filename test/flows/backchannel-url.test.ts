import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { createSandbox } from '../support/bundle.ts';
import { freePort } from '../support/free-port.ts';
import { writeKeysFile } from '../support/keys-file.ts';
import { metadataPromises, notKept } from '../support/promises/metadata-promises.ts';
import { get, portOf, raw, statusOf } from '../support/wire.ts';

const keysFile = writeKeysFile();
const discovery = '/.well-known/openid-configuration';

/** The document for a `Host`, whatever the name means to this machine. */
async function documentFor(host: string, port: number, path = discovery): Promise<Record<string, unknown>> {
  const answered = await raw(port, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  if (statusOf(answered) !== 200) return { status: statusOf(answered) };
  return JSON.parse(answered.slice(answered.indexOf('\r\n\r\n') + 4)) as Record<string, unknown>;
}

describe('a sandbox with an address for back ends', () => {
  let sandbox: Sandbox;
  let port: number;
  beforeAll(async () => {
    sandbox = await createSandbox({ keysFile, backchannelUrl: 'http://idp:9000', issuers: { tenant: {} } });
    port = portOf(sandbox.url);
  });
  afterAll(() => sandbox.stop());

  it.each(['idp:9000', 'IDP:9000'])('tells it to who asks for Host %s', async host => {
    const { issuer, token_endpoint, authorization_endpoint } = await documentFor(host, port);
    expect(issuer).toBe(sandbox.issuer);
    expect(token_endpoint).toBe('http://idp:9000/oauth2/token');
    expect(authorization_endpoint).toBe(`${sandbox.issuer}/oauth2/authorize`);
  });

  it.each(['localhost', '127.0.0.1', 'idp.localhost', 'idp', 'idp:9001'])('does not to who asks for %s', async host => {
    const { issuer, token_endpoint } = await documentFor(host, port);
    expect(issuer).toBe(sandbox.issuer);
    expect(token_endpoint).toBe(`${sandbox.issuer}/oauth2/token`);
  });

  it('does not serve every other name for that', async () => {
    expect(await documentFor('idp.example:9000', port)).toEqual({ status: 421 });
  });

  it('has the path of each issuer behind it', async () => {
    const tenant = sandbox.issuers.get('tenant')?.issuer;
    for (const path of [`/tenant${discovery}`, `${discovery}/tenant`]) {
      expect(await documentFor('idp:9000', port, path)).toMatchObject({
        issuer: tenant,
        jwks_uri: 'http://idp:9000/tenant/oauth2/jwks',
        authorization_endpoint: `${tenant}/oauth2/authorize`,
      });
    }
  });

  it('keeps the two apart in what it has made once', async () => {
    for (const [host, told] of [
      ['localhost', sandbox.issuer],
      ['idp:9000', 'http://idp:9000'],
      ['localhost', sandbox.issuer],
    ] as const) {
      expect((await documentFor(host, port)).jwks_uri).toBe(`${told}/oauth2/jwks`);
    }
    await sandbox.rotateKeys();
    expect((await documentFor('idp:9000', port)).jwks_uri).toBe('http://idp:9000/oauth2/jwks');
  });

  it('names the issuer in the metadata of protected resources', async () => {
    const path = '/.well-known/oauth-protected-resource/api';
    expect(await documentFor('idp:9000', port, path)).toMatchObject({
      resource: `${sandbox.issuer}/api`,
      authorization_servers: [sandbox.issuer],
    });
  });
});

describe('a port that goes without saying', () => {
  it('may be said', async () => {
    await using sandbox = await createSandbox({ keysFile, backchannelUrl: 'http://idp' });
    for (const host of ['idp', 'idp:80']) {
      expect(await documentFor(host, portOf(sandbox.url))).toMatchObject({ jwks_uri: 'http://idp/oauth2/jwks' });
    }
  });
});

describe('a sandbox without an address for back ends', () => {
  it('tells everybody the addresses of the issuer', async () => {
    await using sandbox = await createSandbox({ keysFile, allowedHosts: 'idp' });
    for (const host of ['idp:9000', '127.0.0.1', 'localhost']) {
      expect((await documentFor(host, portOf(sandbox.url))).token_endpoint).toBe(`${sandbox.issuer}/oauth2/token`);
    }
  });

  it('is no different with its own address', async () => {
    const port = await freePort();
    const own = `http://localhost:${port}`;
    await using sandbox = await createSandbox({ keysFile, port, backchannelUrl: own });
    const document = await (await get(own + discovery)).json();
    expect(document).toMatchObject({ issuer: sandbox.issuer, token_endpoint: `${own}/oauth2/token` });
  });
});

describe('HTTPS', () => {
  it('has both names in the certificate', async () => {
    const backchannelUrl = 'https://idp.test:9443';
    await using sandbox = await createSandbox({ keysFile, tls: 'self-signed', backchannelUrl });
    const ca = sandbox.tls?.ca ?? '';
    for (const servername of ['localhost', 'idp.test']) {
      const socket = connect({ port: portOf(sandbox.url), host: '127.0.0.1', servername, ca });
      const authorized = await new Promise<boolean>((resolve, reject) => {
        socket.on('secureConnect', () => resolve(socket.authorized)).on('error', reject);
      });
      socket.destroy();
      expect(authorized).toBe(true);
    }
  });
});

it('changes nothing that the metadata promises at the issuer', async () => {
  const port = await freePort();
  const backchannelUrl = `http://127.0.0.1:${port}`;
  expect(notKept(await metadataPromises({ keysFile, port, backchannelUrl }))).toEqual([]);
});
