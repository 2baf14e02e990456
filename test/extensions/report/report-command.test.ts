import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readReport } from '../../../src/extensions/report/read-report.ts';
import { createSandbox, type Sandbox } from '../../../src/index.ts';
import { type } from '../../client/cli/support.ts';
import { observes } from '../../observed.ts';
import { freePort } from '../../support/free-port.ts';
import { newFolder } from '../../support/new-folder.ts';
import { answer, authorizeQuery, callback, get, login } from '../../support/wire.ts';
import { readXml } from './well-formed.ts';
import { fresh, logInAndCall, settle } from './world.ts';

const scope = 'openid profile email products:read';
const public_ = (client_id: string) => ({ client_id, redirect_uris: [callback], scope });
const folder = newFolder();
const input = join(folder, 'report.json');

let sandbox: Sandbox;
let guarded: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({ clients: [public_('frontend'), public_('warned'), public_('idle')] });
  guarded = await createSandbox({ controlToken: 'a-control-token-of-mine' });
  const { url } = sandbox;
  await logInAndCall(url);
  const cookie = await login(url);
  // a state that comes twice, with PKCE: a warning
  for (let n = 0; n < 2; n++) await answer(url, cookie, { client_id: 'warned', ...fresh().parameters, state: 'fixed' });
});
afterAll(() => Promise.all([sandbox.stop(), guarded.stop()]));

const report = (...argv: string[]) => type(['report', '--url', sandbox.url, ...argv]);

describe('grantbox report', () => {
  it('prints a table of what a running sandbox has seen', async () => {
    observes('command report');
    const { code, out, note } = await report();
    expect({ code, note }).toEqual({ code: 0, note: '' });
    expect(out).toMatch(/^Client report of http:\/\/\S+\n/);
    expect(out).toMatch(
      /\n {2}WARN {2}state_unique +Several sign-ins used the same state\n +2 sign-ins share a state\./,
    );
    expect(out).toMatch(/\n {2}pass {2}pkce_s256 +Sign-ins use PKCE with S256\n/);
    expect(out).toMatch(
      /Registered but not seen yet: idle\n0 failed, \d+ warnings?, \d+ passed, \d+ not applicable\n$/,
    );
  });

  it('prints JSON, HTML and JUnit', async () => {
    observes('command report --format', 'command report --json');
    const { out } = await report('--json');
    expect(readReport(out)).toMatchObject({ verdict: 'warn' });
    expect((await report('--format', 'html')).out).toContain('<!doctype html>');
    expect(readXml((await report('--format', 'junit')).out).children).toHaveLength(2);
  });

  it('writes it where --output says, and prints nothing', async () => {
    observes('command report --output');
    expect(await report('--json', '--output', input)).toEqual({ code: 0, out: '', note: '' });
    expect(readReport(readFileSync(input, 'utf8'))).toMatchObject({ unseen: ['idle'] });
  });

  it('reads a report that was written, whole or one client of it', async () => {
    observes('command report --input', 'command report --client');
    await report('--json', '--output', input);
    const { out } = await type(['report', '--input', input]);
    expect(out).toBe((await report()).out);
    const one = await type(['report', '--input', 'report.json', '--client', 'warned', '--json'], { cwd: folder });
    expect(readReport(one.out)).toMatchObject({ clients: [{ client_id: 'warned' }], unseen: [] });
  });
});

describe('--fail-on', () => {
  it.each([
    { argv: [], code: 0 },
    { argv: ['--fail-on', 'fail'], code: 0 },
    { argv: ['--fail-on', 'warn'], code: 1 },
    { argv: ['--fail-on', 'warn', '--client', 'frontend'], code: 0 },
    { argv: ['--fail-on', 'warn', '--client', 'warned'], code: 1 },
  ])('$argv ends with $code where a client only warns', async ({ argv, code }) => {
    observes('command report --fail-on');
    const { code: ended, out, note } = await report(...argv);
    expect(ended).toBe(code);
    expect(out).toContain('Client report');
    expect(note).toMatch(code === 0 ? /^$/ : /^grantbox report: \d+ checks? failed or warned\n$/);
  });

  it('ends with 1 where nothing was checked', async () => {
    const none = { code: 1, note: expect.stringMatching(/nothing was checked/) };
    expect(await report('--client', 'idle', '--fail-on', 'fail')).toMatchObject(none);
    expect(await report('--client', 'idle')).toMatchObject({ code: 0, note: '' });
  });

  it('ends with 1 where a check failed, from a running sandbox and from a file', async () => {
    const other = await createSandbox({ clients: [public_('frontend')] });
    await settle(get(`${other.url}/oauth2/authorize?${authorizeQuery({ redirect_uri: 'http://x.example/' })}`));
    const asked = await type(['report', '--url', other.url, '--fail-on', 'fail']);
    const file = join(folder, 'failed.json');
    await type(['report', '--url', other.url, '--json', '--output', file]);
    await other.stop();
    expect(asked).toMatchObject({ code: 1, note: 'grantbox report: 1 check failed\n' });
    expect(await type(['report', '--input', file, '--fail-on', 'fail', '--format', 'junit'])).toMatchObject({
      code: 1,
    });
    expect(await type(['report', '--input', file])).toMatchObject({ code: 0 });
  });
});

describe('what cannot be done', () => {
  it('is a sandbox that is not there: exit code 2', async () => {
    const { code, note } = await type(['report', '--url', `http://localhost:${await freePort()}`]);
    expect([code, note]).toEqual([2, expect.stringMatching(/nothing listens/)]);
  });

  it('is a client that nobody knows', async () => {
    expect(await report('--client', 'fronten')).toMatchObject({ code: 1, note: expect.stringMatching(/frontend/) });
    await report('--json', '--output', input);
    const { code, note } = await type(['report', '--input', input, '--client', 'x']);
    expect([code, note]).toEqual([1, expect.stringMatching(/has no client "x"; it has "frontend", "warned", "idle"/)]);
  });

  it('is a sandbox that asks for a token, until it is given', async () => {
    const argv = ['report', '--url', guarded.url];
    expect(await type(argv)).toMatchObject({ code: 1, note: expect.stringMatching(/CONTROL_TOKEN/) });
    const world = { controlToken: 'a-control-token-of-mine' };
    expect(await type(argv, world)).toMatchObject({ code: 0, out: expect.stringMatching(/No client has sent/) });
  });

  it.each([
    {
      argv: ['--input', 'no-such.json'],
      says: /no-such.json cannot be read \(the file or its folder does not exist: ENOENT\)/,
    },
    { argv: ['--input', 'text.json'], says: /text.json: expected a report.json .* found text that is not JSON/ },
    { argv: ['--input', 'x.json', '--url', 'http://localhost:1'], says: /--input and --url cannot be used together/ },
    { argv: ['--json', '--format', 'html'], says: /--json and --format html cannot be used together/ },
    { argv: ['--fail-on', 'pass'], says: /--fail-on expects fail or warn, not "pass"/ },
    { argv: ['--format', 'xml'], says: /--format expects/ },
  ])('is $argv', async ({ argv, says }) => {
    writeFileSync(join(folder, 'text.json'), 'no JSON');
    const { code, out, note } = await type(['report', ...argv], { cwd: folder });
    expect([code, out, note]).toEqual([1, '', expect.stringMatching(says)]);
  });

  it('is a file that cannot be written', async () => {
    const { code, note } = await report('--output', join(folder, 'no', 'folder.json'));
    expect([code, note]).toEqual([
      1,
      expect.stringMatching(/--output: .* cannot be written \(the file or its folder does not exist: ENOENT\)/),
    ]);
  });
});
