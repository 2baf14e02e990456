import { execFile } from 'node:child_process';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../browser/support/chromium.ts';
import { createSandbox } from '../../support/bundle.ts';
import { playwrightCli } from '../support/made-folder.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const project = join(root, 'test/judges/browser/playwright');
const output = join(root, '.made', `playwright-${process.pid}`);

interface Attachment {
  readonly name: string;
  readonly contentType: string;
  /** Base64. */
  readonly body?: string;
  readonly path?: string;
}

/** A test of the project, as Playwright reports it. */
interface Ran {
  readonly title: string;
  readonly status: string;
  readonly worker: number;
  readonly error: string;
  readonly attachments: readonly Attachment[];
  readonly annotations: readonly { readonly type: string; readonly description?: string }[];
}

interface Suite {
  readonly title: string;
  readonly suites?: readonly Suite[];
  readonly specs: readonly Spec[];
}

interface Spec {
  readonly title: string;
  readonly tests: readonly {
    readonly annotations: Ran['annotations'];
    readonly results: readonly {
      readonly status: string;
      readonly workerIndex: number;
      readonly error?: { readonly message: string };
      readonly attachments: readonly Attachment[];
    }[];
  }[];
}

/** Runs spec files of the project in a process of Playwright's own. */
async function play(specs: readonly string[], variables: Readonly<Record<string, string>> = {}): Promise<Ran[]> {
  await mkdir(output, { recursive: true });
  const env = { ...process.env, CHROMIUM: await chromiumPath(), OUTPUT: output, ...variables };
  const command = [playwrightCli, 'test', '--config', project, ...specs];
  const said = await new Promise<string>(resolve => {
    execFile(process.execPath, command, { cwd: project, env }, (_failed, stdout, stderr) => resolve(stdout + stderr));
  });
  const report = await readFile(join(output, 'report.json'), 'utf8').catch(() => {
    throw new Error(`Playwright wrote no report: ${said}`);
  });
  await rm(join(output, 'report.json'));
  const { suites } = JSON.parse(report) as { suites: readonly Suite[] };
  return suites.flatMap(suite => testsOf(suite, ''));
}

function testsOf({ suites = [], specs }: Suite, before: string): Ran[] {
  const own = specs.map(({ title, tests: [test] }) => {
    const [result] = test?.results ?? [];
    return {
      ...{ title: before + title, status: result?.status ?? 'none', worker: result?.workerIndex ?? -1 },
      ...{ error: result?.error?.message ?? '', attachments: result?.attachments ?? [] },
      annotations: test?.annotations ?? [],
    };
  });
  return [...own, ...suites.flatMap(suite => testsOf(suite, `${before}${suite.title} › `))];
}

function failuresOf(ran: readonly Ran[]): string[] {
  return ran.filter(({ status }) => status !== 'passed').map(({ title, error }) => `${title}: ${error}`);
}

afterAll(() => rm(output, { recursive: true, force: true }));

/** A process of Playwright's own, with browsers of its own, each time. */
const timeout = 180_000;

describe('grantbox/playwright', { timeout }, () => {
  it('signs users in without a click, and leaves it to the application from then on', async () => {
    const ran = await play(['sign-in.spec.js']);
    expect(failuresOf(ran)).toEqual([]);
    expect(ran).toHaveLength(19);
  });

  it('gives each test an issuer of its own, and each worker a sandbox', async () => {
    const ran = await play(['apart.spec.js', 'common.spec.cjs']);
    expect(failuresOf(ran)).toEqual([]);
    const [one, other] = ran.filter(({ title }) => title.includes('Tess'));
    expect(one?.worker).not.toBe(other?.worker);
    expect(one?.annotations).toEqual([{ type: 'sandbox', description: expect.stringMatching(/^http:\/\/localhost:/) }]);
    expect(one?.annotations).not.toEqual(other?.annotations);
  });

  it('uses a sandbox that runs already, with the configuration for the issuers of tests', async () => {
    await using sandbox = await createSandbox({ controlToken: 'open sesame', users: [{ sub: 'zoe' }] });
    const ran = await play(['apart.spec.js'], { GRANTBOX_URL: sandbox.url, CONTROL_TOKEN: 'open sesame' });
    expect(failuresOf(ran)).toEqual([]);
    const used = ran.flatMap(({ annotations }) => annotations.map(({ description }) => description));
    expect(used).toEqual([sandbox.url, sandbox.url]);
    expect(sandbox.events.count('issuer.created')).toBe(3);
    expect(sandbox.events.count('issuer.ended')).toBe(3);
  });
});

describe('examine', { timeout }, () => {
  it('signs in with a page for each module, and fails the test with what an app lacks', async () => {
    const ran = await play(['examine.spec.js']);
    const statuses = ran.map(({ title, status }) => [title.replace(/^.* › /, ''), status]);
    expect(statuses, failuresOf(ran).join('\n')).toEqual([
      ['a careful app passes', 'passed'],
      ['a careless app fails', 'failed'],
      ['a careless app passes where that is known', 'passed'],
      ['an app that says nothing cannot be examined', 'failed'],
    ]);
    expect(ran[1]?.error).toMatch(/FAIL {2}invalid-state {2}The authorization response has another state/);
    expect(ran[1]?.error).toMatch(/POST \S+\/oauth2\/token 200/);
    expect(ran[1]?.error).not.toContain('pkce');
    expect(ran[3]?.error).toContain('the script returned undefined, expected true (somebody is signed in) or false');
  });
});

describe('a test that fails', () => {
  let ran: readonly Ran[];
  beforeAll(async () => {
    ran = await play(['failing.spec.js']);
  }, timeout);
  const attachedTo = (title: string) => ran.find(each => each.title.endsWith(title))?.attachments ?? [];
  const textOf = ({ body = '' }: Attachment) => Buffer.from(body, 'base64').toString();

  it('has each refusal attached, in words', () => {
    const [first, second] = attachedTo('fails after two refusals');
    expect(first).toMatchObject({ name: 'grantbox-refused-1-of-2.txt', contentType: 'text/plain' });
    expect(second).toMatchObject({ name: 'grantbox-refused-2-of-2.txt' });
    expect(first && textOf(first)).toMatch(/^authorize answered 400 invalid_request \(client_unknown\).*: .*nobody/);
    expect(second && textOf(second)).toContain('somebody');
  });

  it('has the session attached as a self-contained page', async () => {
    const session = attachedTo('fails after two refusals').find(({ name }) => name === 'grantbox-session.html');
    expect(session).toMatchObject({ contentType: 'text/html', path: expect.stringContaining(output) });
    const page = await readFile(session?.path ?? '', 'utf8');
    expect(page).toContain('client_id=somebody');
    expect(page).not.toMatch(/<(script|link|img)\b/);
  });

  it('says so when nothing was refused', () => {
    const [told, session] = attachedTo('fails without a refusal');
    expect(told && textOf(told)).toBe('nothing was refused');
    expect(session?.name).toBe('grantbox-session.html');
  });

  it('fails for its own reason if there is no session to attach', () => {
    const failed = ran.find(({ title }) => title.endsWith('fails without a session to look at'));
    expect(failed?.error).toContain('another');
    const ours = failed?.attachments.filter(({ name }) => name.startsWith('grantbox'));
    expect(ours).toMatchObject([{ name: 'grantbox.txt' }]);
  });
});
