import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { type } from '../client/cli/support.ts';
import { observes } from '../observed.ts';
import { createSandbox } from '../support/bundle.ts';
import * as script from '../support/flow-scripts.ts';
import { runVitest, type VitestRun } from '../support/vitest-project.ts';
import { authorizeQuery, callback, get, post, redeem } from '../support/wire.ts';
import { madeFolder, patience, playwrightCli } from './support/made-folder.ts';

/** What a client does wrong, and the change of the generated test that mends it. */
interface Mistake {
  readonly reason: string;
  make(sandbox: Sandbox): Promise<unknown>;
  readonly mend: readonly [from: string | RegExp, to: string];
  /** What the message of the failed test says. */
  readonly said: RegExp;
}

const unregistered = 'http://localhost:5173/other';

const mistakes: readonly Mistake[] = [
  {
    reason: 'pkce_mismatch',
    async make({ url }) {
      const { code } = await script.walkToCode(url, { state: 'the state of a login' });
      await redeem(url, code, { code_verifier: 'another-verifier-of-43-characters-0123456789' });
    },
    mend: ["'code_verifier', wrongVerifier", "'code_verifier', verifier1"],
    said: /400 invalid_grant.*pkce_mismatch/s,
  },
  {
    reason: 'redirect_uri_not_registered',
    make: async ({ url }) => get(`${url}/oauth2/authorize?${authorizeQuery({ redirect_uri: unregistered })}`),
    mend: [`"${callback}"`, `"${unregistered}"`],
    said: /expected '400' to be ''.*redirect_uri/s,
  },
  {
    reason: 'redirect_uri_mismatch',
    async make({ url }) {
      const { code } = await script.walkToCode(url, { state: 'the state of a login' });
      await redeem(url, code, { redirect_uri: unregistered });
    },
    mend: [`'${unregistered}'`, `'${callback}'`],
    said: /400 invalid_grant.*redirect_uri_mismatch/s,
  },
  {
    reason: 'client_secret_wrong',
    make: async ({ url }) =>
      post(`${url}/oauth2/token`, { grant_type: 'client_credentials' }, { authorization: `Basic ${btoa('robot:x')}` }),
    mend: ['a wrong secret', 'secret-of-robot'],
    said: /401 invalid_client/,
  },
  {
    reason: 'code_replayed',
    async make({ url }) {
      const { code } = await script.walkToCode(url, { state: 'the state of a login' });
      await redeem(url, code);
      await redeem(url, code);
    },
    mend: [/const answer3 =[\s\S]*?\/\/ in the session: .*/, ''],
    said: /400 invalid_grant/,
  },
  {
    reason: 'api_token_expired',
    async make({ url, clock }) {
      const { access_token } = await script.logInAndCall(url, { state: 'the state of a login' });
      clock.advance(301);
      await get(`${url}/api/products`, { authorization: `Bearer ${access_token}` });
    },
    mend: [/await issuer\.clock\.set\(\d+\);(?![\s\S]*await issuer\.clock\.set)/, ''],
    said: /401 .*invalid_token/,
  },
  {
    reason: 'state_reused',
    async make({ url }) {
      for (let login = 0; login < 3; login++) await script.walkToCode(url, { state: 'always-the-same' });
    },
    mend: [/const login[23] =[\s\S]*?;\n\s+expect.*/g, ''],
    said: /to not include 'state_reused'/,
  },
];

const config = {
  signingAlg: 'ES256',
  clients: [
    {
      client_id: 'frontend',
      redirect_uris: [callback],
      loopback_redirects: false,
      scope: 'openid profile email products:read',
    },
    { client_id: 'robot', client_secret: 'the secret of robot', grant_types: ['client_credentials'] },
  ],
  users: [{ sub: 'alice', password: 'the password of alice', claims: { name: 'Alice' } }],
} as const;

let folder: string;

beforeAll(async () => {
  folder = await madeFolder();
});
afterAll(() => rm(folder, { recursive: true }));

/** The generated test of a mistake, made from the session that a sandbox exported. */
async function reproduced(
  { reason, make }: Pick<Mistake, 'reason' | 'make'>,
  flags: readonly string[] = [],
): Promise<string> {
  await using sandbox = await createSandbox(config);
  await make(sandbox);
  const file = await (await get(`${sandbox.url}/dashboard/export/json`)).text();
  const { problems, flows } = JSON.parse(file);
  const problem = problems.find((each: { reason: string }) => each.reason === reason);
  // an expired token is no problem of a client that refreshes it
  const wanted = problem === undefined ? ['--flow', flows[0].id] : ['--problem', problem.id];
  await writeFile(join(folder, `${reason}.json`), file);
  const { code, out, note } = await type(['reproduce', `${reason}.json`, ...wanted, ...flags], {
    cwd: folder,
  });
  if (code !== 0) throw new Error(note);
  return out;
}

describe('a generated Vitest test', () => {
  let run: VitestRun;
  const files = new Map<string, string>();

  beforeAll(async () => {
    for (const mistake of mistakes) {
      const text = await reproduced(mistake, ['--vitest']);
      files.set(`${mistake.reason}.test.ts`, named(text, mistake.reason));
      files.set(`${mistake.reason}-mended.test.ts`, named(text.replace(...mistake.mend), `${mistake.reason} mended`));
    }
    run = await runVitest(Object.fromEntries(files));
  });

  it.each(mistakes.map(({ reason, said }) => [reason, said] as const))(
    'fails as the session did: %s',
    (reason, said) => {
      observes('command reproduce', 'command reproduce --problem', 'command reproduce --vitest');
      const verdict = run.verdicts.find(({ title }) => title === reason);
      expect(verdict, run.output).toMatchObject({ status: 'failed' });
      expect(verdict?.messages.join('\n')).toMatch(said);
    },
  );

  it.each(mistakes.map(({ reason }) => reason))('passes once the mistake of the client is mended: %s', reason => {
    const verdict = run.verdicts.find(({ title }) => title === `${reason} mended`);
    expect(verdict, run.output).toEqual({ title: `${reason} mended`, status: 'passed', messages: [] });
  });

  it('has the clients and users of the session, made-up secrets, and says how it fails', () => {
    const text = files.get('pkce_mismatch.test.ts') ?? '';
    expect(text).toContain('// It fails as the session did: 400 invalid_grant (pkce_mismatch).');
    expect(text).toContain('client_id: "frontend"');
    expect(text).toContain('password: "password-of-alice"');
    expect(text).toContain('signingAlg: "ES256"');
    expect(text).not.toContain('robot');
    expect([...files.values()].join()).not.toMatch(/\[redacted\]|the secret of robot|the password of alice/);
  });
});

/** Titles tell the tests of one run apart. */
const named = (text: string, title: string) => text.replace(/^test\(('.*?')(?=, async)/m, `test('${title}'`);

describe('a generated Playwright test', () => {
  it('fails as the session did, and passes once it is mended', async () => {
    observes('command reproduce --playwright');
    const [mistake] = mistakes;
    if (mistake === undefined) throw new Error('no mistake');
    const text = await reproduced(mistake, ['--playwright']);
    expect(text).toContain("import { expect, test } from 'grantbox/playwright';");
    await writeFile(
      join(folder, 'playwright.config.ts'),
      `export default ${JSON.stringify({ ...patience, reporter: 'line', outputDir: 'results' })};`,
    );
    await writeFile(join(folder, 'a.spec.ts'), named(text, 'as it was'));
    await writeFile(join(folder, 'b.spec.ts'), named(text.replace(...mistake.mend), 'mended'));
    const args = [playwrightCli, 'test', '--config', folder];
    const output = await new Promise<string>(resolve => {
      execFile(process.execPath, args, { cwd: folder }, (_failed, stdout, stderr) => resolve(stdout + stderr));
    });
    expect(output).toMatch(/1 failed\n.*a\.spec\.ts.*as it was/);
    expect(output).toMatch(/1 passed/);
    expect(output).toContain('invalid_grant code_verifier does not match');
  });
});

describe('grantbox reproduce', () => {
  it('writes a file, and takes the newest problem where none is named', async () => {
    observes('command reproduce --out');
    await reproduced({ reason: 'client_secret_wrong', make: mistakes[3]?.make ?? (async () => {}) });
    const typed = ['reproduce', 'client_secret_wrong.json', '--out', 'robot.test.ts'];
    const { code, out } = await type(typed, { cwd: folder });
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringMatching(/robot\.test\.ts was written: .* 401 invalid_client/),
    });
    expect((await type(typed, { cwd: folder })).note).toMatch(/robot\.test\.ts already exists/);
  });

  it('repeats a flow that worked', async () => {
    observes('command reproduce --flow');
    const make = async (sandbox: Sandbox) => {
      await script.logInAndCall(sandbox.url, { state: 'the state of a login' });
      await get(`${sandbox.url}/nowhere`);
    };
    await reproduced({ reason: 'path_unknown', make });
    const { flows } = JSON.parse(
      await (await import('node:fs/promises')).readFile(join(folder, 'path_unknown.json'), 'utf8'),
    );
    const { out } = await type(['reproduce', 'path_unknown.json', '--flow', flows[0].id], { cwd: folder });
    expect(out).toContain('Nothing was refused in the session, so that the test passes.');
    const { verdicts, output } = await runVitest({ 'a.test.ts': out });
    expect(verdicts, output).toMatchObject([{ status: 'passed' }]);
  });

  it.each([
    ['no file', [], /name the file/],
    ['two kinds', ['a.json', '--problem', 'x', '--flow', 'y'], /cannot be used together/],
    ['two runners', ['a.json', '--vitest', '--playwright'], /cannot be used together/],
    ['a file that is not there', ['a.json'], /a\.json cannot be read/],
    [
      'a problem that is not there',
      ['client_secret_wrong.json', '--problem', 'prb_x'],
      /no problem "prb_x"\. Name one with --problem: prb_/,
    ],
    [
      'a file that no runner reads',
      ['client_secret_wrong.json', '--out', 'x.txt'],
      /--out expects a file ending in \.ts/,
    ],
  ])('ends with a sentence for %s', async (_, args, said) => {
    const { code, out, note } = await type(['reproduce', ...args], { cwd: folder });
    expect(code).not.toBe(0);
    expect({ out, note }).toEqual({ out: '', note: expect.stringMatching(said) });
  });

  it.each([['a device flow', 'path_unknown', script.startDevice]])(
    'says that it does not repeat %s',
    async (_, reason, start) => {
      const make = async ({ url }: Sandbox) => {
        await start(url);
        await get(`${url}/nowhere`);
      };
      await reproduced({ reason, make });
      const { flows } = JSON.parse(
        await (await import('node:fs/promises')).readFile(join(folder, `${reason}.json`), 'utf8'),
      );
      const { note } = await type(['reproduce', `${reason}.json`, '--flow', flows[0].id], { cwd: folder });
      expect(note).toMatch(/a device flow waits for its user on a page/);
    },
  );
});
