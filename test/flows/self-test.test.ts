import { describe, expect, it } from 'vitest';
import type { SandboxConfig } from '../../src/index.ts';
import { observes } from '../observed.ts';
import { createSandbox } from '../support/bundle.ts';
import { runningChild, startChild } from '../support/child.ts';
import { newFile } from '../support/new-folder.ts';
import { notKept, writeKeysFile } from '../support/self-test.ts';
import { get, signIn } from '../support/wire.ts';

const keysFile = writeKeysFile();
const everything: SandboxConfig['features'] = { password: true, implicit: true };
const patience = 300_000;

/** Without these a self-test has 73 promises less, for tests that ask when it runs and what it says, and not about a promise. */
const left = [
  'device',
  'ciba',
  'token-exchange',
  'jwt-bearer',
  'par',
  'jar',
  'jarm',
  'rar',
  'claims',
  'dpop',
  'mtls',
] as const;
const brief = Object.fromEntries(left.map(feature => [feature, false]));
const briefly = { SELF_TEST: 'on', KEYS_FILE: keysFile, FEATURES: left.map(feature => `${feature}=off`).join(',') };

describe('the self-test', () => {
  it.each<[string, SandboxConfig]>([
    ['as it starts', {}],
    ['with everything on, that OAuth 2.1 has removed too', { keysFile, features: everything }],
    [
      'under the FAPI 2.0 profile, with certificates only',
      { keysFile, profile: 'fapi2', tls: 'self-signed', features: { dpop: false } },
    ],
    [
      'with passwords, consent, nonces and signed requests',
      {
        ...{ keysFile, loginMode: 'password', consent: true, dpopNonce: true, requireSignedRequests: true },
        acrValues: ['gold', 'silver'],
      },
    ],
    [
      'where limits and lifetimes are tight',
      {
        ...{
          keysFile,
          rateLimit: 1,
          loginRateLimit: 1,
          codeLifetime: 1,
          accessTokenLifetime: 1,
          pushedRequestLifetime: 5,
        },
        ...{ metadataMaxAge: 300, outbound: 'loopback', apiTokenCheck: 'introspection', users: [], clients: [] },
      },
    ],
  ])('finds no lie in the metadata %s', { timeout: patience }, async (_, config) => {
    await using sandbox = await createSandbox(config);
    const report = await sandbox.selfTest();
    expect(notKept(report)).toEqual([]);
    expect(report.kept).toBeGreaterThan(100);
  });

  it('tells what it cannot try, and why', { timeout: patience }, async () => {
    await using sandbox = await createSandbox({ keysFile, issuer: 'https://login.example.com/base' });
    const { lies, notExercised } = await sandbox.selfTest();
    expect(lies).toEqual([]);
    expect(notExercised.map(({ member, why }) => [member, why])).toEqual([
      [
        'client_id_metadata_document_supported',
        'the issuer is not on this machine, so it refuses documents on this machine',
      ],
    ]);
  });

  it('tries each issuer of a sandbox', { timeout: patience }, async () => {
    await using sandbox = await createSandbox({
      keysFile,
      issuers: { 'tenant-a': { profile: 'fapi2' }, 'tenant-b': { features: { ciba: false } } },
    });
    const report = await sandbox.selfTest();
    expect(notKept(report)).toEqual([]);
    const issuers = new Set(report.results.map(({ issuer }) => issuer));
    expect([...issuers]).toEqual([sandbox.url, `${sandbox.url}/tenant-a`, `${sandbox.url}/tenant-b`]);
    const mentions = (issuer: string) =>
      report.results.some(each => each.issuer === issuer && each.member === 'backchannel_authentication_endpoint');
    expect([mentions(sandbox.url), mentions(`${sandbox.url}/tenant-b`)]).toEqual([true, false]);
  });

  it('leaves nothing behind', { timeout: patience }, async () => {
    await using sandbox = await createSandbox({ signingAlg: 'ES256' });
    const tokens = await signIn(sandbox.url);
    const jwks = await (await get(`${sandbox.url}/oauth2/jwks`)).text();
    const dashboard = () => get(`${sandbox.url}/dashboard/tokens`, { accept: 'text/html' }).then(each => each.text());
    await dashboard();
    const before = sandbox.events.lastId;
    await sandbox.selfTest();
    expect(sandbox.events.lastId).toBe(before);
    expect(await (await get(`${sandbox.url}/oauth2/jwks`)).text()).toBe(jwks);
    expect(await dashboard()).not.toContain('self-test-');
    const userinfo = await get(`${sandbox.url}/userinfo`, { authorization: `Bearer ${tokens.access_token}` });
    expect((await userinfo.json()).sub).toBe('alice');
  });

  it('lets nobody in by its header', { timeout: patience }, async () => {
    await using sandbox = await createSandbox({ keysFile, features: brief });
    const running = sandbox.selfTest();
    const before = sandbox.events.count('request.completed');
    await get(`${sandbox.url}/oauth2/jwks`, { 'x-grantbox-self-test': 'a guess' });
    await running;
    expect(sandbox.events.count('request.completed')).toBe(before + 1);
  });
});

describe('grantbox start --self-test', () => {
  it('says how many promises were kept, and is ready', { timeout: patience }, async () => {
    observes('setting selfTest');
    await using child = await runningChild({ args: ['start', '--self-test', '--keys-file', keysFile] });
    expect(child.ready.selfTest).toMatch(/^\d{3} promises kept$/);
    expect((await get(`${child.url}/health`)).status).toBe(200);
  });

  it('writes each promise at level debug', { timeout: patience }, async () => {
    const lines: string[] = [];
    const environment = { log: { write: (text: string) => void lines.push(...text.trim().split('\n')) } };
    const sandbox = await createSandbox({ keysFile, features: brief, logLevel: 'debug', selfTest: true }, environment);
    await sandbox.stop();
    const records = lines.map(line => JSON.parse(line)).filter(({ outcome }) => outcome !== undefined);
    expect(records).toHaveLength(sandbox.selfTested?.results.length ?? -1);
    expect(records[0]).toMatchObject({ member: 'issuer', outcome: 'kept', level: 20 });
  });

  /** Something between the server and its clients, as a proxy would be. */
  it('ends with 1 and names an endpoint where nothing is', { timeout: patience }, async () => {
    const preload = newFile(
      'lie.cjs',
      `const http = require('node:http');
       const emit = http.Server.prototype.emit;
       http.Server.prototype.emit = function (name, req, res) {
         if (name !== 'request' || !req.url.startsWith('/oauth2/introspect')) return emit.apply(this, arguments);
         res.writeHead(404).end();
         return true;
       };`,
    );
    const child = startChild({ env: briefly, nodeArgs: ['--require', preload] });
    expect(await child.ended).toBe(1);
    expect(child.output.stderr).toContain('introspection_endpoint http://localhost:');
    expect(child.output.stderr).toContain('answered 404');
    expect(child.output.stdout).not.toContain('is ready');
  });

  it('is not ready before it is true', { timeout: patience }, async () => {
    const port = await freePort();
    const child = startChild({ env: { ...briefly, PORT: String(port) } });
    const health = await firstHealth(port);
    expect(health).toBe(200);
    expect(child.output.stdout).toContain('is ready');
    child.process.kill('SIGKILL');
    await child.ended;
  });
});

async function freePort(): Promise<number> {
  const { createServer } = await import('node:net');
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise(resolve => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Asks until somebody listens; then the answer waits for the end of the test. */
async function firstHealth(port: number): Promise<number> {
  for (;;) {
    try {
      return (await get(`http://127.0.0.1:${port}/health`)).status;
    } catch {
      await new Promise(resolve => setTimeout(resolve, 10));
    }
  }
}
