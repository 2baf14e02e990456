import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createEventLog } from '../../../../src/base/events/event-log.ts';
import { readReport } from '../../../../src/extensions/report/read-report.ts';
import { type ReportedInFolder, writeReport } from '../../../../src/extensions/report/report-files.ts';
import type { reportSettings } from '../../../../src/extensions/report/settings.ts';
import type { SandboxConfig } from '../../../../src/index.ts';
import { createSandbox } from '../../../../src/index.ts';
import { describe as describeEvent } from '../../../../src/record/words/event-words.ts';
import type { ConfigSources } from '../../../../src/sandbox/config/load-config.ts';
import { ownSettings } from '../../../../src/sandbox/config/settings.ts';
import { checkOf } from '../../../extensions/report/support.ts';
import { readXml } from '../../../extensions/report/well-formed.ts';
import { fresh, logIn, logInAndCall, settle } from '../../../extensions/report/world.ts';
import { observes } from '../../../observed.ts';
import { createAgent } from '../../../support/agent.ts';
import * as script from '../../../support/flow-scripts.ts';
import { loadConfig } from '../../../support/load-config.ts';
import { newFolder } from '../../../support/new-folder.ts';
import { authorizeQuery, callback, get, type Tokens } from '../../../support/wire.ts';

const frontend = {
  client_id: 'frontend',
  redirect_uris: [callback],
  scope: 'openid profile email products:read',
};

/** Starts, does something, stops; gives the lines of the log. */
async function run(config: SandboxConfig, use: (url: string) => Promise<unknown>): Promise<string> {
  let lines = '';
  const write = (text: string) => {
    lines += text;
  };
  const sandbox = await createSandbox({ clients: [frontend], logFormat: 'json', ...config }, { log: { write } });
  await use(sandbox.url);
  await sandbox.stop();
  return lines;
}

/** One without a history: what is not reached is not looked at. */
function recordedIssuer(): ReportedInFolder {
  const events = createEventLog({ capacity: 10, now: () => 0 });
  const server = { issuer: 'http://localhost:9000', clock: () => 0 };
  const nobody = { clients: new Map(), users: new Map(), scopes: new Map() };
  return {
    ...{ path: '', events, server: { ...server, ...nobody } as unknown as ReportedInFolder['server'] },
    config: { recording: true, collections: [], label: '' },
    describe: describeEvent,
  };
}

const read = (folder: string, name: string) => readFileSync(join(folder, name), 'utf8');

describe('REPORT_DIR', () => {
  it('writes the report as HTML, JSON and JUnit at the stop, into a folder it makes', async () => {
    observes('setting reportDir');
    const folder = join(newFolder(), 'made', 'here');
    await run({ reportDir: folder }, async url => {
      await logInAndCall(url);
      expect(readdirSync(folder)).toEqual([]);
    });
    expect(readdirSync(folder).sort()).toEqual([
      ...['report.html', 'report.json', 'report.xml'],
      ...['session.har', 'session.html'],
    ]);
    const report = readReport(read(folder, 'report.json'));
    expect(report).toMatchObject({ verdict: 'pass', clients: [{ client_id: 'frontend' }], unseen: [] });
    expect(readXml(read(folder, 'report.xml')).children[0]?.attributes).toMatchObject({
      name: 'frontend',
      failures: '0',
    });
    expect(read(folder, 'report.html')).toContain('frontend');
  });

  it('writes the session as HAR and as a page of its own, without a secret', async () => {
    const folder = newFolder();
    let tokens: Tokens | undefined;
    await run({ reportDir: folder }, async url => {
      tokens = await logInAndCall(url);
    });
    const har = JSON.parse(read(folder, 'session.har'));
    const asked = har.log.entries.map(({ request }: { request: { url: string } }) => new URL(request.url).pathname);
    expect(har.log).toMatchObject({ version: '1.2', comment: 'secrets are redacted' });
    expect(asked).toEqual(expect.arrayContaining(['/oauth2/authorize', '/oauth2/token', '/api/products']));
    const page = read(folder, 'session.html');
    expect(page).toContain('Sign-in with a code, frontend, alice');
    expect(page).not.toMatch(/<(script|link|img|iframe)\b/);
    for (const text of [page, read(folder, 'session.har')])
      for (const secret of [tokens?.access_token.split('.')[2], tokens?.refresh_token?.split('.')[2]])
        if (secret !== undefined) expect(text).not.toContain(secret);
    expect(tokens?.access_token.split('.')).toHaveLength(3);
  });

  it('has a test case for each flow, and says of one that was refused why', async () => {
    const folder = newFolder();
    await run({ reportDir: folder }, async url => {
      await logInAndCall(url);
      await settle(get(`${url}/oauth2/authorize?${authorizeQuery({ redirect_uri: 'http://localhost:1/elsewhere' })}`));
    });
    const flows = readXml(read(folder, 'report.xml')).children.at(-1);
    expect(flows?.attributes).toMatchObject({ name: 'flows', tests: '2', failures: '1', skipped: '0' });
    const [good, bad] = flows?.children ?? [];
    expect(good).toMatchObject({
      attributes: { classname: 'grantbox.flows', name: 'Sign-in with a code, frontend, alice' },
      children: [{ name: 'system-out' }],
    });
    expect(bad?.children[0]).toMatchObject({
      name: 'failure',
      attributes: { message: 'The redirect_uri is not registered for `frontend`' },
      text: expect.stringMatching(/localhost:1\/elsewhere[\s\S]*Fix: [\s\S]*RFC 6749/),
    });
  });

  it('proposes no change that the sandbox would refuse', async () => {
    const folder = newFolder();
    await run({ reportDir: folder }, async url => {
      for (const redirect_uri of ['http://localhost:3000/cb#top', 'http://localhost:3000/cb'])
        await settle(get(`${url}/oauth2/authorize?${authorizeQuery({ client_id: 'unknown', redirect_uri })}`));
    });
    const flows = readXml(read(folder, 'report.xml')).children.at(-1)?.children ?? [];
    const fixes = flows.map(({ children: [failure] }) => failure?.text.match(/(?<=Fix: ).*/g));
    const [general, create] = [/^Use the client_id of/, 'Create the client unknown and continue the sign-in,'];
    expect(fixes).toEqual([
      [expect.stringMatching(general)],
      [expect.stringContaining(create), expect.stringMatching(general)],
    ]);
  });

  it('waits no longer for a code: what has not come by the stop never will', async () => {
    const folder = newFolder();
    await run({ reportDir: folder }, url => script.walkToCode(url, fresh().parameters));
    const check = checkOf(readReport(read(folder, 'report.json')), 'frontend', 'code_redeemed');
    expect(check).toMatchObject({ verdict: 'warn', evidence: { count: 1 } });
  });

  it('has a folder below for each issuer beside the first, with what happened there alone', async () => {
    const folder = newFolder();
    const issuers = { 'tenant-a': { clients: [{ ...frontend, client_id: 'frontend' }] }, 'b/c': {} };
    await run({ reportDir: folder, issuers }, url => logIn(`${url}/tenant-a`, {}, createAgent(url)));
    expect(readReport(read(folder, 'report.json'))).toMatchObject({ clients: [], unseen: ['frontend'] });
    expect(readReport(read(folder, 'tenant-a/report.json'))).toMatchObject({
      issuer: expect.stringMatching(/\/tenant-a$/),
      clients: [{ client_id: 'frontend', verdict: 'pass' }],
    });
    expect(readReport(read(folder, 'b/c/report.json')).clients).toEqual([]);
  });

  it('has one for each issuer that was made at run time, written when it ends', async () => {
    const folder = newFolder();
    const sandbox = await createSandbox({ clients: [frontend], reportDir: folder });
    const [deleted, left] = [
      await sandbox.createIssuer({}, { id: 'w1' }),
      await sandbox.createIssuer({}, { id: 'w2' }),
    ];
    await logIn(deleted.issuer, {}, createAgent(sandbox.url));
    expect(await deleted.report()).toMatchObject({ clients: [{ client_id: 'frontend', verdict: 'pass' }] });
    await deleted.stop();
    expect(await left.report({ client: 'frontend' })).toMatchObject({ clients: [], unseen: ['frontend'] });
    await sandbox.stop();
    const [one, other] = ['i/w1', 'i/w2'].map(path => readReport(read(folder, `${path}/report.json`)));
    expect(one).toMatchObject({ issuer: deleted.issuer, clients: [{ client_id: 'frontend' }] });
    expect(other).toMatchObject({ issuer: left.issuer, clients: [] });
  });

  it('is tried at the start, and what is wrong with it is listed with the rest', async () => {
    const folder = newFolder();
    const file = join(folder, 'a-file');
    writeFileSync(file, 'in the way');
    const refused = createSandbox({ reportDir: join(file, 'below'), port: -1 });
    await expect(refused).rejects.toThrow(
      /has 2 problems:[\s\S]*createSandbox: port[\s\S]*createSandbox: reportDir: found ".*a-file\/below", expected a folder that this process can create or write to: .*a-file\/below \(.*ENOTDIR\)/,
    );
    await loadConfig({ env: { REPORT_DIR: join(folder, 'reports') } });
    expect(readdirSync(folder).toSorted()).toEqual(['a-file', 'reports']);
    expect(readdirSync(join(folder, 'reports'))).toEqual([]);
  });

  it('says in the log what cannot be written at the stop, and stops all the same', async () => {
    const file = join(newFolder(), 'a-file');
    const lines = await run({ reportDir: file }, async () => {
      rmdirSync(file);
      writeFileSync(file, 'in the way');
    });
    const told = lines.split('\n').filter(line => line.includes('REPORT_DIR'));
    expect(told.map(line => JSON.parse(line))).toMatchObject([
      {
        level: 50,
        folder: file,
        msg: expect.stringMatching(/could not be written to .*a-file: E\w+.*Set REPORT_DIR to a folder/),
      },
    ]);
    expect(read(join(file, '..'), 'a-file')).toBe('in the way');
  });

  it('writes the other files where one is in the way, and says which it was', async () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'session.har'));
    const lines = await run({ reportDir: folder }, async () => {});
    const told = lines.split('\n').filter(line => line.includes('REPORT_DIR'));
    expect(told.map(line => JSON.parse(line))).toMatchObject([
      { level: 50, msg: expect.stringMatching(/session\.har could not be written to .*EISDIR/) },
    ]);
    expect(read(folder, 'session.html')).toContain('No flow was recorded.');
    expect(readXml(read(folder, 'report.xml')).children.at(-1)?.attributes).toMatchObject({
      name: 'flows',
      tests: '0',
    });
  });

  it('leaves each file whole or as it was where the stop has no time left, and says which are missing', async () => {
    const all = ['report.json', 'report.html', 'report.xml', 'session.har', 'session.html'];
    for (const lastTurn of [1, 4]) {
      const folder = newFolder();
      writeFileSync(join(folder, 'report.xml'), 'of an earlier run');
      const told: object[] = [];
      const ending = new AbortController();
      let turn = 0;
      const turns = {
        async giveWay() {
          if (++turn === lastTurn) ending.abort(new Error('no time left'));
        },
        now: () => 0,
        signal: ending.signal,
      };
      await writeReport(folder, recordedIssuer(), { failure: (...line) => told.push(line) }, turns);
      const written = readdirSync(folder).filter(name => name !== 'report.xml');
      expect(written).toEqual(lastTurn === 1 ? [] : ['report.html', 'report.json']);
      for (const name of written) expect(read(folder, name)).toMatch(/[}>]\n$/);
      expect(read(folder, 'report.xml')).toBe('of an earlier run');
      const missing = all.filter(name => !written.includes(name));
      expect(told).toEqual([
        [{ folder, names: missing }, expect.stringMatching(/^REPORT_DIR: the server stopped before it could write/)],
      ]);
    }
  });

  it('is read from where the process was started, or from the folder of the file that names it', async () => {
    const inFile = join(newFolder(), 'clients.config.json');
    writeFileSync(inFile, JSON.stringify({ reportDir: 'reports' }));
    const env = { REPORT_DIR: 'out' };
    const folderOf = async (sources: ConfigSources) =>
      ownSettings<typeof reportSettings>(await loadConfig(sources)).reportDir;
    const [cwd, absolute] = [newFolder(), newFolder()];
    expect(await folderOf({ env, cwd })).toBe(join(cwd, 'out'));
    expect(await folderOf({ flags: { 'report-dir': absolute }, cwd })).toBe(absolute);
    expect(await folderOf({ env: { CONFIG_FILE: inFile }, cwd: '/work/here' })).toBe(join(inFile, '../reports'));
    expect(await folderOf({ cwd })).toBeUndefined();
  });

  it('belongs to the whole sandbox: no issuer has one of its own', async () => {
    const config = { issuers: { a: { reportDir: 'x' } } } as unknown as SandboxConfig;
    await expect(createSandbox(config)).rejects.toThrow(/reportDir/);
  });
});
