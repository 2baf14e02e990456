import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../../../src/client/cli/commands.ts';
import type { LessonProgress } from '../../../../src/extensions/lessons/control.ts';
import type { Sandbox } from '../../../../src/index.ts';
import { modules } from '../../../../src/modules.ts';
import { ConfigError } from '../../../../src/sandbox/config/load-config.ts';
import { startSandbox } from '../../../../src/sandbox/sandbox.ts';
import { createAgent } from '../../../support/agent.ts';
import { loadConfig } from '../../../support/load-config.ts';
import { packFolder, printer } from './support.ts';

const configOf = (cwd: string, lessons = true) =>
  loadConfig({ cwd, overrides: { port: 0, logLevel: 'silent', lessons } });

/** The problems that a start reports, a line each. */
async function problemsOf(cwd: string): Promise<readonly string[]> {
  const error = await startSandbox(await configOf(cwd)).catch((thrown: unknown) => thrown);
  if (!(error instanceof ConfigError)) throw new Error('the sandbox started', { cause: error });
  return error.message
    .split('\n')
    .slice(1)
    .map(line => line.replace('  - ', ''));
}

describe('lessons in a folder beside the configuration', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startSandbox(await configOf(packFolder({ '01-printer': printer, pictures: { 'a.png': '' } })));
  });
  afterAll(() => sandbox.stop());

  it('are on the pages and in the control API behind the built-in ones', async () => {
    const { lessons } = (await (await fetch(`${sandbox.url}/_sandbox/lessons`)).json()) as {
      lessons: readonly { readonly id: string; readonly title: string }[];
    };
    expect(lessons[0]?.id).toBe('discovery');
    expect(lessons.at(-1)).toMatchObject({ id: 'printer', title: 'The printer logs in' });
    const { html } = await createAgent(sandbox.url).open(`${sandbox.url}/lessons`);
    expect(html).toContain('The printer logs in');
  });

  it('run in an issuer of the learner and check themselves', async () => {
    const ask = async (what: string, init: RequestInit = {}) =>
      (await (await fetch(`${sandbox.url}/_sandbox/lessons/printer/${what}`, init)).json()) as LessonProgress;
    const { issuer, learner } = await ask('start', { method: 'POST' });
    const answer = await fetch(`${issuer}/oauth2/token`, {
      method: 'POST',
      headers: { Authorization: `Basic ${btoa('printer:printer-secret')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    expect(answer.status).toBe(200);
    await expect
      .poll(async () => (await ask(`progress?learner=${learner}`)).tasks)
      .toMatchObject([{ task: 'token', state: 'done' }, { task: 'whose' }]);
  });
});

describe('an invalid lesson stops the start', () => {
  it('with all problems of all lessons, each with its file and its line or member', async () => {
    const { 'lesson.md': text, 'lesson.ts': code } = printer;
    const cwd = packFolder({
      '01-heading': {
        'lesson.md': text.replace('minutes: 10', 'minutes: ten').replace('## Task token', '## Exercise token'),
        'lesson.ts': code.replace("'token.issued'", "'token.isued'").replace('scopes:', 'skopes:'),
      },
      '02-client': { 'lesson.md': text, 'lesson.ts': code.replace("'client_credentials'],", "'client_credential'],") },
      '03-unclosed': { 'lesson.md': text, 'lesson.ts': code.replace('({ seen }) =>', '({ seen }) = >') },
      '04-tasks': { 'lesson.md': text, 'lesson.ts': code.replace("id: 'token'", "id: 'tokens'") },
      '05-half': { 'lesson.md': text },
      Printer_6: printer,
    });
    const problems = await problemsOf(cwd);
    expect(problems).toEqual([
      'lessons/01-heading/lesson.md:3: found "minutes: ten", expected a whole number of minutes',
      'lessons/01-heading/lesson.md:10: found "## Exercise token: Get a token", expected ## Task ID: TITLE, ## Quiz ID: TITLE or ## Picture',
      'lessons/01-heading/lesson.ts: tasks[0].checks[0].pattern.type: found "token.isued", expected the type of an event (did you mean token.issued?)',
      expect.stringMatching(/^lessons\/01-heading\/lesson\.ts: issuer: skopes: .*did you mean scopes\?/),
      expect.stringMatching(
        /^lessons\/02-client\/lesson\.ts: issuer: clients\[0\]\.grant_types\[0\]: found "client_credential"/,
      ),
      expect.stringMatching(/^lessons\/03-unclosed\/lesson\.ts: expected a file that can be loaded: /),
      'lessons/04-tasks/lesson.ts: tasks[0].id: found "tokens", expected the id of a heading in lesson.md: ## Task token',
      'lessons/05-half/lesson.ts: expected a file that exists',
      'lessons/Printer_6: found "Printer_6", expected a name such as 01-printer: small letters, digits and -, at most 40 of them',
    ]);
  });

  it('with a step of a chain that reads nothing of a request', async () => {
    const ofChain = printer['lesson.ts']
      .replace('({ seen })', '({ chain })')
      .replace('seen({', "chain({ type: 'request.completed', read: { is: 'x' } } as never, {");
    const cwd = packFolder({ '01-chain': { ...printer, 'lesson.ts': ofChain } });
    expect(await problemsOf(cwd)).toEqual([
      expect.stringMatching(
        /^lessons\/01-chain\/lesson\.ts: tasks\[0\]\.checks\[0\]\.steps\[0\]\.read: .*parameter, header/,
      ),
    ]);
  });

  it('with a part of a request that does not exist, and a task after one that is not earlier', async () => {
    const { 'lesson.ts': code } = printer;
    const cwd = packFolder({
      '01-request': {
        ...printer,
        'lesson.ts': code.replace('seen({ type', "seen({ request: { metod: 'POST' } as never, type"),
      },
      '02-after': { ...printer, 'lesson.ts': code.replace("id: 'token',", "id: 'token', after: 'token',") },
    });
    expect(await problemsOf(cwd)).toEqual([
      'lessons/01-request/lesson.ts: tasks[0].checks[0].pattern.request.metod: expected a known name (did you mean method?)',
      'lessons/02-after/lesson.ts: tasks[0].after: found "token", expected the id of an earlier task',
    ]);
  });

  it('whose drawing does not exist, and not one with a drawing that does', async () => {
    const drawn = (drawing: string) =>
      packFolder({
        '01-printer': {
          ...printer,
          'lesson.ts': printer['lesson.ts'].replace('tasks:', `drawing: '${drawing}', tasks:`),
        },
      });
    expect(await problemsOf(drawn('rings'))).toEqual([
      'lessons/01-printer/lesson.ts: drawing: found "rings", expected scope-rings or proof-beside-token',
    ]);
    await (await startSandbox(await configOf(drawn('scope-rings')))).stop();
  });

  it('whose name a built-in lesson has', async () => {
    expect(await problemsOf(packFolder({ '01-refresh': printer }))).toEqual([
      'lessons/01-refresh: found "refresh", expected a name that no other lesson has',
    ]);
  });

  it('with each wrong id of a task, and a wrong client, beside all other problems', async () => {
    const { 'lesson.md': text, 'lesson.ts': code } = printer;
    const lesson = code
      .replace("id: 'token'", "id: 'tokn', after: 'tokn'")
      .replace("'token.issued'", "'token.isued'")
      .replace("'client_credentials'],", "'client_credential'],");
    const written = text.replace('minutes: 10', 'minutes: ten').replace("- [ ] A person's\n", '');
    const cwd = packFolder({ '01-both': { 'lesson.md': written, 'lesson.ts': lesson }, '02-both': printer });
    expect(await problemsOf(cwd)).toEqual([
      'lessons/01-both: found "both", expected a name that no other lesson has',
      expect.stringContaining('minutes: ten'),
      'lessons/01-both/lesson.md:18: expected a list with two answers or more below ## Quiz whose',
      expect.stringContaining('token.isued'),
      expect.stringContaining('client_credential'),
      'lessons/01-both/lesson.ts: tasks[0].id: found "tokn", expected the id of a heading in lesson.md: ## Task token',
      'lessons/01-both/lesson.ts: tasks[0].after: found "tokn", expected the id of an earlier task',
      'lessons/02-both: found "both", expected a name that no other lesson has',
    ]);
  });

  it('with a task that only one of the two files has', async () => {
    const { 'lesson.md': text, 'lesson.ts': code } = printer;
    const cwd = packFolder({
      '01-told': { 'lesson.md': `${text}\n## Task more: Get more\n`, 'lesson.ts': code },
      '02-coded': {
        'lesson.md': text,
        'lesson.ts': code.replace('tasks: [', "tasks: [{ id: 'more', checks: [seen({ type: 'key.rotated' })] }, "),
      },
    });
    expect(await problemsOf(cwd)).toEqual([
      'lessons/01-told/lesson.ts: tasks: expected a task with the id "more"',
      'lessons/02-coded/lesson.md: expected a heading ## Task more: TITLE',
    ]);
  });

  it('with a field that no event of its type has, and a sentence that would never be shown', async () => {
    const { 'lesson.ts': code } = printer;
    const cwd = packFolder({
      '01-field': { ...printer, 'lesson.ts': code.replace('grant_type:', 'grant_typ:') },
      '02-close': {
        ...printer,
        'lesson.ts': code.replace("id: 'token',", "id: 'token', close: { pkce_mismach: 'x', grant_type: 'y' },"),
      },
    });
    expect(await problemsOf(cwd)).toEqual([
      'lessons/01-field/lesson.ts: tasks[0].checks[0].pattern.grant_typ: found "grant_typ", expected a field of token.issued (did you mean grant_type?)',
      'lessons/02-close/lesson.ts: tasks[0].close: found "pkce_mismach", expected the reason of a refusal, or what a check compares (did you mean pkce_mismatch?)',
    ]);
  });

  it('and fails grantbox validate', async () => {
    const cwd = packFolder({ '01-printer': { ...printer, 'lesson.md': 'no front matter' } });
    const { code, note } = await runCommand('validate', { words: [], flags: {} }, { modules, cwd });
    expect(code).toBe(1);
    expect(note).toContain('lessons/01-printer/lesson.md:1: expected front matter between two lines of ---');
  });

  it('is needed for grantbox validate to fail, in a folder that has only lessons', async () => {
    const cwd = packFolder({ '01-printer': printer });
    expect(await runCommand('validate', { words: [], flags: {} }, { modules, cwd })).toEqual({
      code: 0,
      out: 'no problems (lessons: 1); there is no clients.config.* in the working directory\n',
      note: '',
    });
  });

  it('but not with LESSONS=off', async () => {
    const cwd = packFolder({ '01-printer': { 'lesson.md': 'no front matter' } });
    await (await startSandbox(await configOf(cwd, false))).stop();
  });
});

describe('the optional lines of the front matter', () => {
  const own = (...lines: readonly string[]) => ({
    ...printer,
    'lesson.md': printer['lesson.md'].replace('minutes:', [...lines, 'minutes:'].join('\n')),
  });

  it('put a lesson into its level, beside a lab that no other lesson has, and say what it needs', async () => {
    const first = own(
      'level: everyday',
      'aim: let a printer in',
      'after: client-credentials',
      'lab: login-csrf',
      'remember: It is let in.',
    );
    const sandbox = await startSandbox(
      await configOf(packFolder({ '01-printer': first, '02-copier': own('after: printer') })),
    );
    try {
      const { html } = await createAgent(sandbox.url).open(`${sandbox.url}/lessons`);
      const [, , everyday = '', , own = ''] = html.split('data-testid="lessons-level"');
      const pair = everyday.split('<li').find(row => row.includes('/lessons/printer"'));
      expect(pair).toContain('<p>let a printer in.</p>');
      expect(pair).toContain('needs lesson 2');
      expect(pair).toContain('/lessons/login-csrf"');
      expect(own).toContain('Your own');
      const [, number] = /(\d+)\. <a\s+href="\/lessons\/printer"/.exec(everyday) ?? [];
      expect(own).toMatch(new RegExp(`/lessons/copier"[\\s\\S]*needs lesson ${number}\\s*<`));
    } finally {
      await sandbox.stop();
    }
  });

  it('are checked, each problem with its line and the name that is meant', async () => {
    const cwd = packFolder({
      '01-printer': own(
        'level: everday',
        'aim: let it in.',
        'after: client-credential, printr',
        'lab: logn-csrf',
        'rember: It.',
      ),
      '02-printer-two': own('remember:', 'author: Kim'),
      recall: printer,
    });
    expect(await problemsOf(cwd)).toEqual([
      'lessons/01-printer/lesson.md:3: found "level: everday", expected first steps, everyday, attacks (did you mean everyday?)',
      'lessons/01-printer/lesson.md:4: found "aim: let it in.", expected the end of the sentence "Afterwards you can", without its period',
      'lessons/01-printer/lesson.md:7: found "rember", expected a name of the front matter (did you mean remember?)',
      'lessons/01-printer/lesson.md:5: found "client-credential", expected the id of a different lesson (did you mean client-credentials?)',
      expect.stringMatching(
        /^lessons\/01-printer\/lesson\.md:5: found "printr", expected the id of a different lesson/,
      ),
      'lessons/01-printer/lesson.md:6: found "logn-csrf", expected the id of a lab (did you mean login-csrf?)',
      'lessons/02-printer-two/lesson.md:3: found "remember:", expected remember: and its value',
      'lessons/recall: found "recall", expected a name other than recall, which is the page of the missed questions',
    ]);
  });
});
