import { cpSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import * as nodeModule from 'node:module';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { observes } from '../observed.ts';
import { runningChild, startChild, until } from '../support/child.ts';
import { newFolder } from '../support/new-folder.ts';
import { answer, asSensor, authorizeQuery, get, login, post, redeem, type Tokens } from '../support/wire.ts';

const folder = newFolder();
let files = 0;
function file(content: string, ending = 'json'): string {
  const path = join(folder, `config-${++files}.${ending}`);
  writeFileSync(path, content);
  return path;
}

/** Runs to its end. */
async function run(options: Parameters<typeof startChild>[0]) {
  const child = startChild(options);
  const code = await child.ended;
  return { code, ...child.output };
}

const noStack = /^\s+at |node:internal|\.cjs:\d+/m;

describe('a start', () => {
  it('says in one JSON line where it is, and listens there', async () => {
    observes('command start');
    await using child = await runningChild();
    expect(child.ready).toMatchObject({
      msg: expect.stringMatching(/^Grantbox \d+\.\d+\.\d+ is ready/),
      issuer: `http://localhost:${child.port}`,
      dashboard: `http://localhost:${child.port}/dashboard`,
      clients: 'frontend  sensor',
      users: 'alice  bob  carol',
    });
    expect((await get(`${child.url}/health`)).status).toBe(200);
    expect(child.output.stderr).toBe('');
  });

  it('counts its own time, and not that of the build before it', async () => {
    const script = 'process.uptime = () => 90.25; require(process.argv[1]).main(90);';
    await using child = await runningChild({ nodeArgs: ['-e', script] });
    expect(child.ready.msg).toMatch(/ is ready after 250 ms\./);
  });

  it('reads no library before a page is asked for', async () => {
    const script = `
      const read = () => console.log(Object.keys(require.cache).map(file => require('node:path').basename(file)).join(' '));
      require(process.argv[1]).createSandbox().then(async sandbox => {
        const headers = { authorization: 'Basic ' + btoa('sensor:sensor-secret') };
        const body = new URLSearchParams({ grant_type: 'client_credentials' });
        const { status } = await fetch(sandbox.url + '/oauth2/token', { method: 'POST', headers, body });
        console.log(status);
        read();
        await fetch(sandbox.url + '/dashboard');
        read();
        await sandbox.stop();
      });`;
    const { stdout, stderr } = await run({ nodeArgs: ['-e', script] });
    const program = 'grantbox.cjs program.cjs';
    expect([stdout, stderr]).toEqual([`200\n${program}\n${program} express.cjs limit.cjs\n`, '']);
  });

  it('leaves its compiled code in the temporary folder, where Node can keep some', async () => {
    const left = async (variables: Readonly<Record<string, string>>) => {
      const temporary = newFolder();
      await run({ args: ['validate'], env: { TMPDIR: temporary, ...variables } });
      return readdirSync(temporary);
    };
    expect(await left({})).toEqual('enableCompileCache' in nodeModule ? ['node-compile-cache'] : []);
    expect(await left({ NODE_DISABLE_COMPILE_CACHE: '1' })).toEqual([]);
  });

  it.each([['start'], ['validate']])('says so where a configuration file ends the process: %s', async command => {
    const path = file('export default {};\nprocess.exit(0);\n', 'mjs');
    const words = command === 'start' ? ['--config', path] : [command, path];
    const { code, stderr } = await run({ args: words });
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${path} ended the process while it was loaded`)]);
  });

  it('warns of entries without effect, with the line to add', async () => {
    const path = file(JSON.stringify({ users: [{ sub: 'anna', claims: { department: 'sales' } }] }));
    await using child = await runningChild({ args: ['--config', path] });
    await until(() => child.output.stdout.includes('Add to scopes: '));
    expect(child.output.stdout).toContain('users[0].claims.department: no scope and no rule releases this claim');
    const page = await (await get(`${child.url}/dashboard`)).text();
    expect(page).toContain('no scope and no rule releases this claim, so no token has it');
  });

  it('is refused where the styles of the pages are not built', async () => {
    const copy = newFolder({ 'templates/assets/favicon.svg': '' });
    const built = join(import.meta.dirname, '../../dist');
    for (const name of ['grantbox.cjs', 'program.cjs']) cpSync(join(built, name), join(copy, 'dist', name));
    const library = `require(${JSON.stringify(join(copy, 'dist/grantbox.cjs'))})`;
    const refusal = `${copy}/templates/assets/grantbox.css is missing, so no page would have styles: run npm run build\n`;
    const process = await run({ nodeArgs: ['-e', `${library}.main()`] });
    expect(process).toEqual({ code: 1, stdout: '', stderr: refusal });
    const script = `${library}.createSandbox().catch(({ message }) => console.log(message))`;
    expect(await run({ nodeArgs: ['-e', script] })).toEqual({ code: 0, stdout: refusal, stderr: '' });
  });

  it('is for people with LOG_FORMAT=pretty', async () => {
    observes('setting logFormat');
    await using child = await runningChild({ env: { LOG_FORMAT: 'pretty' } });
    expect(child.output.stdout).toMatch(/^Grantbox .* is ready/);
    await post(`${child.url}/oauth2/token`, {});
    await until(() => child.output.stdout.includes('401 POST /oauth2/token'));
    expect(() => JSON.parse(child.output.stdout.trimEnd().split('\n').at(-1) ?? '')).toThrow();
  });

  it('says nothing with LOG_LEVEL=silent', async () => {
    observes('setting logLevel');
    const probe = createServer();
    await new Promise<void>(resolve => probe.listen(0, '127.0.0.1', resolve));
    const { port } = probe.address() as AddressInfo;
    await new Promise(resolve => probe.close(resolve));
    const child = startChild({ env: { PORT: String(port), LOG_LEVEL: 'silent' } });
    const isUp = () =>
      get(`http://127.0.0.1:${port}/health`).then(
        () => true,
        () => false,
      );
    while (!(await isUp())) await new Promise(resolve => setTimeout(resolve, 20));
    await post(`http://127.0.0.1:${port}/oauth2/token`, {});
    child.process.kill('SIGTERM');
    expect(await child.ended).toBe(0);
    expect(child.output).toEqual({ stdout: '', stderr: '' });
  });
});

describe('a stop', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('by %s answers the request in flight and exits with 0', async signal => {
    await using child = await runningChild();
    const body = 'grant_type=client_credentials';
    const socket = connect(child.port, '127.0.0.1');
    let answered = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      answered += text;
    });
    const closed = new Promise(resolve => socket.once('close', resolve));
    const head = `POST /oauth2/token HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${asSensor}\r\n`;
    socket.write(`${head}Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n`);
    socket.write(body.slice(0, 10));
    await get(`${child.url}/health`); // the half request has been read by now
    child.process.kill(signal);
    await until(() => child.process.exitCode !== null || child.process.signalCode !== null || isClosed(child.port));
    socket.write(body.slice(10));
    await closed;
    expect(answered).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*"access_token":"/);
    expect(await child.ended).toBe(0);
    expect(child.output.stderr).toBe('');
  });

  it('does not wait for connections that are idle', async () => {
    await using child = await runningChild();
    const sockets = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const socket = connect(child.port, '127.0.0.1');
        socket.on('error', () => {});
        await new Promise(resolve => socket.once('connect', resolve));
        socket.write('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n');
        await new Promise(resolve => socket.once('data', resolve));
        return socket;
      }),
    );
    child.process.kill('SIGTERM');
    expect(await child.ended).toBe(0);
    for (const socket of sockets) socket.destroy();
  });

  it('takes two signals at once for one, as npm and the terminal send them', async () => {
    await using child = await runningChild();
    child.process.kill('SIGINT');
    child.process.kill('SIGTERM');
    expect(await child.ended).toBe(0);
  });

  it('lets go of the port', async () => {
    const first = await runningChild();
    await get(`${first.url}/health`);
    first.process.kill('SIGTERM');
    expect(await first.ended).toBe(0);
    await using second = await runningChild({ env: { PORT: String(first.port) } });
    expect(second.port).toBe(first.port);
  });

  function isClosed(port: number): boolean {
    probe(port);
    return refused.has(port);
  }
  const refused = new Set<number>();
  function probe(port: number): void {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => socket.destroy());
    socket.on('error', () => {
      refused.add(port);
    });
  }
});

describe('what cannot start says why in plain words, exits with 1 and shows no stack', () => {
  it('a port that is taken', async () => {
    const server = createServer((_, response) => response.writeHead(200).end('{"status":"UP"}'));
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { code, stdout, stderr } = await run({ env: { PORT: String(port) } });
    server.close();
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    const program = linux(` (process ${process.pid}, node)`);
    expect(stderr).toBe(
      `Port ${port} is taken, and no Grantbox answers there: stop the program that listens on it${program}, or choose another port with --port or PORT.\n`,
    );
  });

  it.each(['off', 'self-signed'])('a port that a Grantbox has, with TLS=%s', async TLS => {
    await using child = await runningChild({ env: { TLS, TZ: 'UTC' } });
    const again = () => run({ env: { PORT: String(child.port), TZ: 'UTC' } });
    const program = linux(` \\(process ${child.process.pid}, node\\)`);
    const who = `Grantbox \\d+\\.\\d+\\.\\d+, which started at [\\d :-]+, (?:just now|\\d+ \\w+ ago)${program}`;
    const stderr = new RegExp(
      `^Port ${child.port} is taken by ${who}\\. Stop it, or choose another port with --port or PORT\\.\\n$`,
    );
    // asked again: on a busy machine its answer may come after the two seconds of this question
    await expect.poll(again).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(stderr) });
  });

  /** What only Linux tells. */
  function linux(text: string): string {
    return process.platform === 'linux' ? text : '';
  }

  it('an address this machine does not have', async () => {
    const { code, stderr } = await run({ env: { HOST: '192.0.2.1' } });
    expect(code).toBe(1);
    expect(stderr).toBe('This machine has no address 192.0.2.1: change --host or HOST.\n');
  });

  it.each([
    ['a file that is not there', () => ({ CONFIG_FILE: join(folder, 'missing.json') }), /missing\.json/],
    ['a file that is no JSON', () => ({ CONFIG_FILE: file('{ "clients": [') }), /config-\d+\.json/],
    ['a file that is a folder', () => ({ CONFIG_FILE: folder }), /grantbox-/],
    ['a bad issuer', () => ({ ISSUER: 'http://localhost:9000/?tenant=a' }), /ISSUER/],
    ['an issuer that is no URL', () => ({ ISSUER: 'localhost' }), /ISSUER/],
    ['a port that is none', () => ({ PORT: '70000' }), /PORT/],
    ['clients that are no JSON', () => ({ CLIENTS: '[{' }), /CLIENTS/],
    ['keys that are not there', () => ({ KEYS_FILE: join(folder, 'no-keys.json') }), /no-keys\.json/],
  ])('%s', async (_what, env, words) => {
    const { code, stdout, stderr } = await run({ env: env() });
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toMatch(words);
    expect(stderr).not.toMatch(noStack);
  });

  it('everything that is wrong at once, without secrets', async () => {
    const config = file(
      JSON.stringify({
        clients: [{ client_id: 'a', client_secret: 'the-secret-of-a', grant_types: ['magic'], redirect_uri: 'x' }],
        users: [{ name: 'no sub' }],
        loginMode: 'telepathy',
      }),
    );
    const env = { CONFIG_FILE: config, PORT: 'many', SIGNING_ALG: 'HS256', SENSOR_CLIENT_SECRET: 'a-new-secret\u0007' };
    const { code, stderr } = await run({ env });
    expect(code).toBe(1);
    for (const words of ['PORT', 'SIGNING_ALG', 'grant_types', 'redirect_uri', 'users[0]', 'loginMode'])
      expect(stderr).toContain(words);
    expect(stderr).not.toMatch(/the-secret-of-a|a-new-secret/);
    expect(stderr).not.toMatch(noStack);
  });

  it.each([
    [['--prot', '9000'], /--prot|port/],
    [['frobnicate'], /frobnicate/],
    [['healthcheck', '--url', 'nonsense'], /--url/],
  ])('the arguments %j', async (args, words) => {
    const { code, stderr } = await run({ args });
    expect(code).toBe(1);
    expect(stderr).toMatch(words);
    expect(stderr).not.toMatch(noStack);
  });
});

describe('the log', () => {
  it('never has a secret, a code, a token, a password or a cookie, even at LOG_LEVEL=debug', async () => {
    const users = [{ sub: 'alice', password: 'a-password-of-alice' }];
    const config = file(JSON.stringify({ users, loginMode: 'password' }));
    const env = { LOG_LEVEL: 'debug', CONFIG_FILE: config, SENSOR_CLIENT_SECRET: 'a-secret-of-sensor' };
    await using child = await runningChild({ env });
    const { url } = child;
    const secrets = ['a-password-of-alice', 'a-wrong-password', 'a-secret-of-sensor', 'a-wrong-secret'];
    const typed = (password: string) =>
      post(
        `${url}/login?${authorizeQuery()}`,
        { username: 'alice', password },
        { origin: `http://127.0.0.1:${child.port}` },
      );
    await typed('a-wrong-password');
    const cookie = (await typed('a-password-of-alice')).headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
    const code = (await answer(url, cookie)).get('code') ?? '';
    const tokens = (await (await redeem(url, code)).json()) as Tokens;
    await redeem(url, code);
    await redeem(url, 'a-made-up-code', { code_verifier: 'a-made-up-verifier' });
    const basic = (secret: string) => ({
      authorization: `Basic ${Buffer.from(`sensor:${secret}`).toString('base64')}`,
    });
    await post(`${url}/oauth2/token`, { grant_type: 'client_credentials' }, basic('a-secret-of-sensor'));
    await post(`${url}/oauth2/token`, { grant_type: 'client_credentials' }, basic('a-wrong-secret'));
    await post(`${url}/oauth2/token`, { client_id: 'sensor', client_secret: 'a-wrong-secret' });
    await post(`${url}/oauth2/token`, {
      grant_type: 'refresh_token',
      client_id: 'frontend',
      refresh_token: tokens.refresh_token,
    });
    await get(`${url}/userinfo?access_token=${tokens.access_token}`, {
      authorization: `Bearer ${tokens.access_token}`,
    });
    await get(`${url}/api/products`, { authorization: `Bearer ${tokens.access_token}x` });
    await get(`${url}/connect/logout?id_token_hint=${tokens.id_token}`, { cookie });
    await until(() => child.output.stdout.includes('/connect/logout'));

    const everything = child.output.stdout + child.output.stderr;
    expect(everything).toContain('alice signed in');
    const [, cookieValue = ''] = cookie.split('=');
    expect(cookieValue).not.toBe('');
    for (const secret of [
      ...secrets,
      code,
      cookieValue,
      ...Object.values(tokens).filter(value => String(value).length > 40),
    ])
      expect(everything).not.toContain(secret);
    for (const jwt of [tokens.access_token, tokens.id_token]) expect(everything).not.toContain(jwt.split('.')[2]);
    expect(everything).not.toMatch(/a-made-up|eyJ/);
  });

  it('is JSON, a line for each request, with a link to the explanation of an error', async () => {
    await using child = await runningChild();
    await post(`${child.url}/oauth2/token`, { grant_type: 'client_credentials' }, { authorization: asSensor });
    await post(`${child.url}/oauth2/token`, { client_id: 'nobody\r\n{"msg":"forged"}' });
    await post(`${child.url}/oauth2/token`, { client_id: 'nobody' });
    await until(() => (child.output.stdout.match(/POST \/oauth2\/token/g) ?? []).length === 3);
    const lines = child.output.stdout
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line) as Record<string, unknown>);
    expect(lines.map(({ msg }) => msg)).toEqual(
      expect.arrayContaining([
        'POST /oauth2/token 200',
        expect.stringMatching(/^400 POST \/oauth2\/token invalid_request: /),
        expect.stringMatching(/^401 POST \/oauth2\/token invalid_client: /),
      ]),
    );
    const refused = lines.find(({ reason }) => reason === 'client_unknown');
    expect(refused).toMatchObject({ level: 40, error: 'invalid_client', request_id: expect.stringMatching(/^req_/) });
    expect(refused?.msg).toContain(`/dashboard/problems/${refused?.request_id}`);
    for (const line of lines) expect(Date.parse(String(line.time))).not.toBeNaN();
  });
});

describe('healthcheck', () => {
  it('exits with 0 while a sandbox is up, and with 2 where nobody answers', async () => {
    observes('command healthcheck');
    const child = await runningChild();
    const env = { PORT: String(child.port) };
    // asked again, as container engines do: on a busy machine an answer may take longer than a probe waits
    await expect.poll(() => run({ args: ['healthcheck'], env })).toMatchObject({ code: 0, stderr: '' });
    await expect.poll(() => run({ args: ['healthcheck', '--url', `${child.url}/health`] })).toMatchObject({ code: 0 });
    child.process.kill('SIGTERM');
    await child.ended;
    const after = await run({ args: ['healthcheck'], env });
    expect(after).toMatchObject({ code: 2, stdout: '' });
    expect(after.stderr).toMatch(/ did not answer: /);
  });
});

it('--version and --help are told on stdout, and exit with 0', async () => {
  const version = await run({ args: ['--version'] });
  expect(version).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  const help = await run({ args: ['--help'] });
  expect(help).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('--port') });
});

it('a login works against the process as it ships', async () => {
  await using child = await runningChild();
  const code = (await answer(child.url, await login(child.url))).get('code') ?? '';
  expect((await redeem(child.url, code)).status).toBe(200);
});
