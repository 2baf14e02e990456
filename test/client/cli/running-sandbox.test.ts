import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../../src/index.ts';
import { observes } from '../../observed.ts';
import { freePort } from '../../support/free-port.ts';
import { newFolder } from '../../support/new-folder.ts';
import { fastTiming, type } from './support.ts';

const folder = newFolder();
const redirect_uris = ['http://localhost:3000/callback'];
const scope = 'openid profile offline_access bikes:read';
const login = { grant_types: ['authorization_code', 'refresh_token'], redirect_uris, scope } as const;

let sandbox: Sandbox;
let secured: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({
    clients: [
      { client_id: 'frontend', token_endpoint_auth_method: 'none', ...login },
      { client_id: 'elsewhere', ...login, redirect_uris: ['https://app.example/back?x=1'] },
      { client_id: 'web', client_secret: 'web: 100% secret', ...login },
      { client_id: 'posting', client_secret: 's', token_endpoint_auth_method: 'client_secret_post', ...login },
      { client_id: 'asking', ...login, require_consent: true },
      { client_id: 'opaque', ...login, access_token_format: 'opaque' },
      {
        client_id: 'sensor',
        client_secret: 'sensor-secret',
        grant_types: ['client_credentials'],
        scope: 'telemetry:write',
      },
    ],
    issuers: { '/tenant': { users: [{ sub: 'dora' }] } },
  });
  secured = await createSandbox({ tls: 'self-signed' });
});
afterAll(() => Promise.all([sandbox.stop(), secured.stop()]));

const here = (...argv: string[]) => type([...argv, '--url', sandbox.url]);
const token = (...argv: string[]) => here('token', ...argv);

describe('the variables that a sandbox is started with', () => {
  const port = () => new URL(sandbox.url).port;
  const commands = [['wait'], ['env'], ['token', '--client', 'frontend', '--user', 'alice'], ['report']];

  it.each(commands)('lead grantbox %s to it', async (...argv) => {
    for (const HOST of [undefined, 'localhost', '127.0.0.1', '0.0.0.0']) {
      const { code, note } = await type(argv, { environment: { HOST, PORT: port() } });
      expect({ code, note }).toEqual({ code: 0, note: '' });
    }
  });

  it.each(commands)('give way to --url of grantbox %s', async (...argv) => {
    const { code } = await type([...argv, '--url', sandbox.url], { environment: { PORT: '1' } });
    expect(code).toBe(0);
  });

  it.each(commands)('are told by grantbox %s where nothing listens, or they are wrong', async (...argv) => {
    const PORT = String(await freePort());
    expect(await type(argv, { environment: { PORT }, timing: fastTiming() })).toMatchObject({
      code: 2,
      note: expect.stringContaining(`nothing listens at http://localhost:${PORT}`),
    });
    expect(await type(argv, { environment: { PORT: 'x' } })).toMatchObject({
      code: 1,
      note: expect.stringContaining('PORT: expected a port from 1 to 65535, found "x"'),
    });
    const secure = { PORT: new URL(secured.url).port, TLS: 'self-signed' };
    expect((await type([...argv, '--insecure'], { environment: secure })).note).not.toContain('nothing listens');
  });
});

describe('grantbox wait', () => {
  it('says when the sandbox is ready', async () => {
    expect(await here('wait')).toEqual({
      code: 0,
      out: expect.stringMatching(
        /^http:\/\/\S+ is ready after [\d.]+ s: Grantbox \d+\.\d+\.\d+, which started at [\d :-]+\d(, \d+ \w+ before this command)?\n$/,
      ),
      note: '',
    });
  });

  it('says so in JSON, of an issuer with a path', async () => {
    observes('command wait --json');
    const { code, out } = await type(['wait', '--json', '--url', `${sandbox.url}/tenant/`]);
    expect({ code, ...JSON.parse(out) }).toEqual({
      code: 0,
      url: `${sandbox.url}/tenant`,
      issuer: sandbox.issuers.get('tenant')?.issuer,
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      started: expect.stringMatching(/^\S+Z$/),
      waited_seconds: expect.any(Number),
    });
  });

  it('says how much older than the command a sandbox is', async () => {
    const { started } = JSON.parse((await here('wait', '--json')).out);
    const timing = { now: () => Date.parse(started) + 7_260_000, sleep: async () => {} };
    const { out } = await type(['wait', '--url', sandbox.url], { timing });
    expect(out).toMatch(/, which started at [\d :-]+, 2 h before this command\n$/);
  });

  it('waits with --pid for a sandbox that is not older than the process', async () => {
    observes('command wait --pid');
    const started = Date.parse(JSON.parse((await here('wait', '--json')).out).started);
    const argv = ['wait', '--url', sandbox.url, '--pid', '4711', '--timeout', '60'];
    expect(await type(argv, { processBegin: () => started })).toMatchObject({ code: 0, note: '' });
    const who = `${sandbox.url} is answered by Grantbox \\d\\S+, which started at [\\d :-]+, and not by process 4711\n$`;
    expect(await type(argv, { processBegin: () => started + 1, timing: fastTiming() })).toEqual({
      code: 2,
      out: '',
      note: expect.stringMatching(`^grantbox wait: not ready within 60 s: ${who}`),
    });
    const ends = [started + 1, undefined]; // between two attempts
    expect(await type(argv, { processBegin: () => ends.shift(), timing: fastTiming() })).toEqual({
      code: 1,
      out: '',
      note: expect.stringMatching(`^grantbox wait: process 4711 has ended, and its sandbox is not ready: ${who}`),
    });
  });

  it('says what a process id is', async () => {
    expect(await here('wait', '--pid', 'grantbox')).toMatchObject({
      code: 1,
      note: 'grantbox wait: --pid expects the id of a process, such as 4711; found "grantbox"\n',
    });
  });

  it('waits for one that starts later', async () => {
    observes('command wait');
    const port = await freePort();
    const waiting = type(['wait', '--url', `http://localhost:${port}`, '--timeout', '20s']);
    await new Promise(resolve => setTimeout(resolve, 250));
    await using later = await createSandbox({ port });
    expect(await waiting).toMatchObject({ code: 0, out: expect.stringContaining(later.url) });
  });

  it('ends with exit code 2 and the last reason where there is none in time', async () => {
    observes('command wait --timeout');
    const url = `http://127.0.0.1:${await freePort()}`;
    expect(await type(['wait', '--url', url, '--timeout', '60'], { timing: fastTiming() })).toEqual({
      code: 2,
      out: '',
      note: `grantbox wait: not ready within 60 s: nothing listens at ${url}\n`,
    });
  });

  it('does not take another server for a sandbox', async () => {
    const other = createServer((_, response) => response.writeHead(200).end('<h1>hello</h1>'));
    await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const { code, note } = await type(['wait', '--url', url], { timing: fastTiming() });
    other.close();
    expect({ code, note }).toEqual({ code: 2, note: expect.stringContaining('a different server may run there') });
  });

  it('says what is said against being asked, without what would steer a terminal', async () => {
    const refusing = createServer((_, response) =>
      response.writeHead(403).end(JSON.stringify({ error_description: 'this host name is not known\u001b[2J' })),
    );
    await new Promise<void>(resolve => refusing.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(refusing.address() as AddressInfo).port}`;
    const { code, note } = await type(['wait', '--url', url], { timing: fastTiming() });
    refusing.close();
    expect({ code, note }).toEqual({
      code: 2,
      note: `grantbox wait: not ready within 30 s: ${url}/health answered 403 and said "this host name is not known [2J"\n`,
    });
  });

  it('does not wait for a certificate to become trusted', async () => {
    const { code, note } = await type(['wait', '--url', secured.url, '--timeout', '20']);
    expect({ code, note }).toEqual({
      code: 1,
      note: expect.stringMatching(/is not trusted .*--ca grantbox-ca\.pem/),
    });
  });

  it.each(['soon', '0', '-1'])('knows that %s is no timeout', async timeout => {
    expect(await here('wait', `--timeout=${timeout}`)).toMatchObject({
      code: 1,
      note: expect.stringContaining(
        `--timeout expects seconds from 1 to 86400, such as 90, 90s, 5m, 8h or 1d; found "${timeout}"`,
      ),
    });
  });
});

describe('HTTPS', () => {
  it('is believed with the CA of the sandbox', async () => {
    observes('command --ca', 'command --insecure');
    writeFileSync(join(folder, 'ca.pem'), secured.tls?.ca ?? '');
    const argv = ['token', '--client', 'sensor', '--secret', 'sensor-secret', '--url', secured.url];
    expect(await type([...argv, '--ca', 'ca.pem'], { cwd: folder })).toMatchObject({ code: 0, note: '' });
    expect(await type([...argv, '--insecure'])).toMatchObject({ code: 0, note: '' });
    expect(await type(argv)).toMatchObject({ code: 1, out: '' });
  });

  it('is not believed with another file', async () => {
    writeFileSync(join(folder, 'no.pem'), 'nothing');
    const env = (...argv: string[]) => type(['env', '--url', secured.url, ...argv], { cwd: folder });
    expect((await env('--ca', 'no.pem')).note).toContain('no.pem has no line BEGIN CERTIFICATE');
    expect((await env('--ca', 'none.pem')).note).toContain(
      'none.pem cannot be read (the file or its folder does not exist: ENOENT)',
    );
    expect((await env('--ca', 'ca.pem', '--insecure')).note).toContain('cannot be used together');
  });

  it('is suggested where a sandbox with TLS is asked without', async () => {
    const { code, note } = await type(['env', '--url', secured.url.replace('https:', 'http:')]);
    expect({ code, note }).toEqual({ code: 2, note: expect.stringContaining(`its address is ${secured.url}`) });
  });

  it('is not expected of a sandbox without', async () => {
    const { code, note } = await type(['env', '--url', sandbox.url.replace('http:', 'https:')]);
    expect({ code, note }).toEqual({ code: 2, note: expect.stringContaining('does not speak HTTPS') });
  });
});

describe('grantbox env', () => {
  it('writes what a shell reads', async () => {
    observes('command env');
    const { out } = await here('env');
    expect(out.split('\n')).toEqual(
      expect.arrayContaining([
        `export OIDC_ISSUER='${sandbox.issuer}'`,
        `export OIDC_DISCOVERY_URL='${sandbox.issuer}/.well-known/openid-configuration'`,
        `export OIDC_AUTHORIZATION_ENDPOINT='${sandbox.issuer}/oauth2/authorize'`,
        `export OIDC_TOKEN_ENDPOINT='${sandbox.issuer}/oauth2/token'`,
        `export OIDC_JWKS_URI='${sandbox.issuer}/oauth2/jwks'`,
      ]),
    );
  });

  it.each([
    [['--format', 'dotenv', '--prefix', 'VITE_OIDC_'], (issuer: string) => `VITE_OIDC_ISSUER="${issuer}"\n`],
    [['--format', 'github', '--prefix=none'], (issuer: string) => `ISSUER=${issuer}\n`],
  ])('writes other forms: %j', async (argv, first) => {
    observes('command env --prefix', 'command env --format');
    expect((await here('env', ...argv)).out.startsWith(first(sandbox.issuer))).toBe(true);
  });

  it('writes JSON, of the issuer at a path', async () => {
    observes('command env --json');
    const { out } = await type(['env', '--json', '--url', `${sandbox.url}/tenant`]);
    const issuer = sandbox.issuers.get('tenant')?.issuer;
    expect(JSON.parse(out)).toMatchObject({ OIDC_ISSUER: issuer, OIDC_TOKEN_ENDPOINT: `${issuer}/oauth2/token` });
  });

  it.each([
    [['--prefix', '1-'], '--prefix expects letters'],
    [['--json', '--format', 'sh'], '--json and --format sh cannot be used together'],
  ])('refuses %j', async (argv, note) => {
    expect(await here('env', ...argv)).toMatchObject({ code: 1, out: '', note: expect.stringContaining(note) });
  });

  it('tells how to start a sandbox where nothing listens', async () => {
    const port = await freePort();
    const { code, note } = await type(['env', '--url', `http://localhost:${port}`]);
    expect(code).toBe(2);
    expect(note).toContain(
      `nothing listens at http://localhost:${port}. Start a sandbox with "grantbox start --port ${port}"`,
    );
  });

  it('tells of an address without an issuer', async () => {
    const { code, note } = await type(['env', '--url', `${sandbox.url}/nowhere`]);
    expect({ code, note }).toEqual({
      code: 1,
      note: expect.stringContaining(`has no issuer at ${sandbox.url}/nowhere`),
    });
  });

  it.each([
    ['localhost:9000', 'did you mean http://localhost:9000?'],
    ['ftp://x', 'not "ftp://x"'],
    ['http://a:b@x', 'not "http://a:b@x"'],
    ['http://x?y', 'not "http://x?y"'],
  ])('refuses the address %s', async (url, note) => {
    expect(await type(['env', '--url', url])).toMatchObject({ code: 1, note: expect.stringContaining(note) });
  });

  it('prints nothing that a shell would run', async () => {
    const hostile = createServer((_, response) =>
      response.end(JSON.stringify({ issuer: `http://x/'; touch y; '$(id)"\`id\``, a_uri: 'x', 'b; id_uri': 'x' })),
    );
    await new Promise<void>(resolve => hostile.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(hostile.address() as AddressInfo).port}`;
    const { out } = await type(['env', '--url', url]);
    const dotenv = await type(['env', '--url', url, '--format', 'dotenv']);
    hostile.close();
    expect(out).toContain(`export OIDC_ISSUER='http://x/'\\''; touch y; '\\''$(id)"\`id\`'\n`);
    expect(out).not.toContain('B; ID');
    expect(dotenv.out).toContain(`OIDC_ISSUER="http://x/'; touch y; '\\$(id)\\"\\\`id\\\`"\n`);
  });
});

describe('grantbox token', () => {
  it('prints the access token of a client, and nothing else', async () => {
    observes('command token', 'command token --client', 'command token --secret');
    const { code, out, note } = await token(
      '--client',
      'sensor',
      '--secret',
      'sensor-secret',
      '--scope',
      'telemetry:write',
    );
    expect({ code, note }).toEqual({ code: 0, note: '' });
    const answered = await fetch(`${sandbox.url}/api/telemetry`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${out.trim()}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ sensor: 'shed', metric: 'celsius', value: 21.5 }),
    });
    expect(answered.status).toBe(201);
  });

  it('prints the access token of a user who signs in without a browser', async () => {
    observes('command token --scope');
    const { out } = await token(
      '--client',
      'frontend',
      '--user',
      'alice',
      '--scope',
      'openid',
      '--scope',
      'bikes:read',
    );
    const answered = await fetch(`${sandbox.url}/api/bikes`, { headers: { Authorization: `Bearer ${out.trim()}` } });
    expect(answered.status).toBe(200);
  });

  it.each([
    [['--client', 'frontend', '--user', 'bob@example.com'], 'bob'],
    [['--client', 'web', '--secret', 'web: 100% secret', '--user', 'carol'], 'carol'],
    [['--client', 'posting', '--secret', 's', '--auth', 'post', '--user', 'alice'], 'alice'],
    [['--client', 'elsewhere', '--user', 'alice'], 'alice'],
    [['--client', 'elsewhere', '--user', 'alice', '--redirect-uri', 'https://app.example/back?x=1'], 'alice'],
    [['--client', 'asking', '--user', 'alice'], 'alice'],
  ])('prints the claims: %j', async (argv, sub) => {
    observes('command token --auth', 'command token --claims');
    const { note, out } = await token(...argv, '--claims');
    expect(note).toBe('');
    expect(JSON.parse(out)).toMatchObject({ iss: sandbox.issuer, sub, scope: 'openid' });
  });

  it('prints the whole response, and asks for a resource', async () => {
    observes('command token --resource', 'command token --json');
    const argv = ['--client', 'frontend', '--user', 'alice', '--scope', scope, '--resource', `${sandbox.issuer}/api`];
    const response = JSON.parse((await token(...argv, '--json')).out);
    expect(response).toMatchObject({
      token_type: 'Bearer',
      id_token: expect.any(String),
      refresh_token: expect.any(String),
    });
    expect(JSON.parse((await token(...argv, '--claims')).out).aud).toContain(`${sandbox.issuer}/api`);
  });

  it('gives each of several at once its own user', async () => {
    observes('command token --user');
    const users = ['alice', 'bob', 'carol', 'alice', 'bob', 'carol'];
    const all = await Promise.all(users.map(user => token('--client', 'frontend', '--user', user, '--claims')));
    expect(all.map(({ out }) => JSON.parse(out).sub)).toEqual(users);
  });

  it('finds the issuer at a path, with users of its own', async () => {
    observes('command --url');
    const url = `${sandbox.url}/tenant`;
    const { out } = await type(['token', '--client', 'frontend', '--user', 'dora', '--claims', '--url', url]);
    expect(JSON.parse(out)).toMatchObject({ iss: sandbox.issuers.get('tenant')?.issuer, sub: 'dora' });
  });

  it('reaches a sandbox whose issuer has a name that is not known here', async () => {
    observes('setting issuer');
    await using elsewhere = await createSandbox({ issuer: 'http://idp.test:9000', allowedHosts: ['localhost'] });
    const argv = ['token', '--client', 'frontend', '--user', 'alice', '--claims', '--url', elsewhere.url];
    expect(JSON.parse((await type(argv)).out)).toMatchObject({ iss: 'http://idp.test:9000', sub: 'alice' });
  });

  it('asks at the address for back ends, where there is one', async () => {
    observes('setting backchannelUrl');
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    await using behind = await createSandbox({ port, backchannelUrl: url });
    const { out } = await type(['token', '--client', 'frontend', '--user', 'alice', '--claims', '--url', url]);
    expect(JSON.parse(out)).toMatchObject({ iss: behind.issuer, sub: 'alice' });
    expect((await type(['env', '--url', url])).out).toContain(`OIDC_TOKEN_ENDPOINT='${url}/oauth2/token'`);
  });

  it('gives consent where the control API wants a token, and says so where it has none', async () => {
    observes('command --control-token');
    await using guarded = await createSandbox({ controlToken: 'let-me', consent: true });
    const argv = ['token', '--client', 'frontend', '--user', 'alice', '--claims', '--url', guarded.url];
    expect(await type(argv)).toMatchObject({ code: 1, note: expect.stringContaining('requires its CONTROL_TOKEN') });
    expect(await type([...argv, '--control-token', 'let-me'])).toMatchObject({ code: 0, note: '' });
    expect(await type(argv, { controlToken: 'let-me' })).toMatchObject({ code: 0, note: '' });
  });

  it.each([
    [['--user', 'alice'], '--client is missing'],
    [['--client', 'sensor'], 'invalid_client', 'give it with --secret'],
    [['--client', 'sensor', '--secret', 'wrong'], 'invalid_client', 'try --auth post', `Explanation and fix: http`],
    [['--client', 'sensor', '--auth', 'post'], '--auth needs a secret'],
    [['--client', 'sensor', '--redirect-uri', 'http://x'], 'add --user'],
    [['--client', 'frontend', '--user', 'a', '--redirect-uri', 'x'], '--redirect-uri expects a URI'],
    [
      ['--client', 'frontend', '--user', 'alicia'],
      ...['its user does not exist. Check --user', 'its value was "alicia". Explanation'],
    ],
    [['--client', 'sensro', '--secret', 'sensor-secret'], 'did you mean sensor? Check --secret'],
    [['--client', 'fronted', '--user', 'alice'], 'the authorization endpoint answered'],
    [
      ['--client', 'elsewhere', '--user', 'alice', '--redirect-uri', 'https://app.example/other'],
      'https://app.example/other was sent',
    ],
    [['--client', 'frontend', '--user', 'alice', '--scope', 'bikes:wirte'], 'invalid_scope'],
    [['--client', 'opaque', '--user', 'alice', '--claims'], 'opaque, so it has no readable claims'],
    [['--client', 'sensor', '--json', '--claims'], '--json and --claims cannot be used together'],
  ])('says what is wrong: %j', async (argv, ...texts) => {
    observes('command token --redirect-uri');
    const { code, out, note } = await token(...argv);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    for (const text of texts) expect(note).toContain(text);
    expect(note).not.toContain('web: 100');
    expect(note.trimEnd()).not.toContain('\n');
  });
});
