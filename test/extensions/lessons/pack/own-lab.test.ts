import { existsSync, readFileSync } from 'node:fs';
import { join as inFolder } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LabReport, LessonProgress } from '../../../../src/extensions/lessons/control.ts';
import type { Sandbox } from '../../../../src/index.ts';
import { ConfigError } from '../../../../src/sandbox/config/load-config.ts';
import { startSandbox } from '../../../../src/sandbox/sandbox.ts';
import { type } from '../../../client/cli/support.ts';
import { observes } from '../../../observed.ts';
import { createAgent } from '../../../support/agent.ts';
import { loadConfig } from '../../../support/load-config.ts';
import { newFolder } from '../../../support/new-folder.ts';
import { begin, enterRoom, join, marksOf } from '../workshop/learner.ts';
import { packFolder, printer } from './support.ts';

type Files = Readonly<Record<'lesson.md' | 'lesson.ts' | 'solve.ts', string>>;

/** The files that `--new --lab` writes. */
async function scaffold(name: string): Promise<Files> {
  const cwd = newFolder();
  expect(await type(['lessons', '--new', name, '--lab'], { cwd })).toMatchObject({
    code: 0,
    out: `lessons/01-${name} was written. Next:  grantbox lessons --test ${name}\n`,
  });
  const read = (file: string) => readFileSync(inFolder(cwd, 'lessons', `01-${name}`, file), 'utf8');
  return { 'lesson.md': read('lesson.md'), 'lesson.ts': read('lesson.ts'), 'solve.ts': read('solve.ts') };
}

const startIn = async (cwd: string, more: Readonly<Record<string, unknown>> = {}) =>
  startSandbox(await loadConfig({ cwd, overrides: { port: 0, logLevel: 'silent', ...more } }));

const partOf = (html: string, testid: string) =>
  html.slice(html.indexOf(`data-testid="${testid}"`)).split('</section>', 1)[0];

let lab: Files;
beforeAll(async () => {
  lab = await scaffold('news');
});

describe('a lab of a user, as --new --lab writes it', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    const beside = { ...printer, 'lesson.md': printer['lesson.md'].replace('minutes:', 'lab: news\nminutes:') };
    sandbox = await startIn(packFolder({ '01-printer': beside, '02-news': lab }));
  });
  afterAll(() => sandbox.stop());

  it('passes its own test, in attack and in defence', async () => {
    observes('command lessons --lab');
    const cwd = packFolder({ '01-news': lab });
    expect(await type(['lessons', '--test'], { cwd })).toEqual({
      code: 0,
      out: 'ok      news / attack\nok      news / again\n',
      note: '',
    });
    expect(await type(['validate'], { cwd })).toMatchObject({ code: 0 });
  });

  it('is listed as a lab beside its lesson', async () => {
    const { lessons } = (await (await fetch(`${sandbox.url}/_sandbox/lessons`)).json()) as {
      lessons: readonly { readonly id: string; readonly kind: string }[];
    };
    expect(lessons.at(-1)).toMatchObject({ id: 'news', kind: 'lab' });
    const { html } = await createAgent(sandbox.url).open(`${sandbox.url}/lessons`);
    expect(html.split('<li').find(row => row.includes('/lessons/printer"'))).toContain('/lessons/news"');
  });

  it('asks for a prediction, runs the attack, is defended, and compares the two', async () => {
    const agent = createAgent(sandbox.url);
    let page = await agent.submit(await agent.open(`${sandbox.url}/lessons/news`), 'lesson-begin');
    expect(page.html, 'no step before the prediction').not.toMatch(/lab-step-|lab-attack-/);
    page = await agent.submit(page, 'lesson-answer-predict', { option: 'a' });
    page = await agent.submit(page, 'lab-attack-attack');
    expect(partOf(page.html, 'lesson-state-attack')).toContain('Done');
    expect(partOf(page.html, 'lab-steps-attack')).toMatch(/Mallory reads the reports[\s\S]*?accepts the token/);
    expect(partOf(page.html, 'lab-defence')).toContain('The API of the lab does not compare <code>aud</code>');
    page = await agent.submit(page, 'lab-defend');
    page = await agent.submit(page, 'lesson-answer-predict-again', { option: 'reports' });
    page = await agent.submit(page, 'lab-attack-again');
    expect(partOf(page.html, 'lesson-state-again')).toContain('Done');
    expect(partOf(page.html, 'lab-steps-again')).toMatch(/Mallory reads the reports[\s\S]*?invalid_token/);
    expect(partOf(page.html, 'lab-changed')).toContain('/labs/api/reports');
  });
});

describe('a lab of a user', () => {
  const { stringify } = JSON;
  const client = {
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code'],
    response_types: ['code'],
    redirect_uris: ['http://localhost:3000/callback'],
    scope: 'openid',
  };
  const ask = (client_id: string) =>
    `/oauth2/authorize?${new URLSearchParams({ response_type: 'code', client_id, redirect_uri: 'http://localhost:3000/callback', scope: 'openid' })}`;

  it('makes only its own clients lab-* careless, and only while its defence is off', async () => {
    const code = `export const lesson = ({ chain }) => ({
      issuer: { clients: ${stringify(['lab-web', 'web'].map(client_id => ({ ...client, client_id })))} },
      lab: {
        weak: { relax: ['pkce_absent'] },
        steps: ['token', 'reports'].map(id => ({ id, by: 'mallory', run: async () => {} })),
      },
      tasks: ['attack', 'again'].map(id => ({ id, checks: [chain({ type: 'code.issued' })] })),
    });`;
    const cwd = packFolder({ '01-news': { ...lab, 'lesson.ts': code }, '02-printer': printer });
    const clients = ['lab-web', 'web'].map(client_id => ({ ...client, client_id }));
    const sandbox = await startIn(cwd, { clients, loginMode: 'picker' });
    try {
      const post = async <Told>(path: string, body = {}): Promise<Told> => {
        const headers = { 'Content-Type': 'application/json' };
        const init = { method: 'POST', headers, body: stringify(body) };
        return (await fetch(`${sandbox.url}/_sandbox/lessons/${path}`, init)).json();
      };
      const isCareless = async (issuer: string, client_id: string) =>
        (await fetch(issuer + ask(client_id), { redirect: 'manual' })).status === 200;
      const { issuer = '', learner } = await post<LessonProgress>('news/start');
      expect(await isCareless(issuer, 'lab-web')).toBe(true);
      expect(await isCareless(issuer, 'web')).toBe(false);
      expect(await isCareless(sandbox.url, 'lab-web')).toBe(false);
      expect((await post<LabReport>(`news/defence?learner=${learner}`, { isDefended: true })).isDefended).toBe(true);
      expect(await isCareless(issuer, 'lab-web')).toBe(false);
    } finally {
      await sandbox.stop();
    }
  });

  it('shows a mistake in a step, and refuses a request that would not be recorded, and goes on', async () => {
    const code = lab['lesson.ts']
      .replace("if (body.access_token === undefined) throw stop('The server gave Mallory no token.');", 'body.a.b;')
      .replace("mallory.call('/labs/api/reports'", "mallory.call('/dashboard'");
    const cwd = packFolder({ '01-news': { ...lab, 'lesson.ts': code } });
    const { out } = await type(['lessons', '--test'], { cwd });
    expect(out).toMatch(/NOT OK {2}news \/ attack: .*step token: This step has an error: TypeError/);
    const dashboard = packFolder({
      '01-news': { ...lab, 'lesson.ts': lab['lesson.ts'].replace("'/labs/api/reports'", "'/dashboard'") },
    });
    const sandbox = await startIn(dashboard);
    try {
      const post = async (path: string) =>
        (
          await fetch(`${sandbox.url}/_sandbox/lessons/news/${path}`, {
            method: 'POST',
            headers: { 'Content-Type': 'application/json' },
            body: '{}',
          })
        ).json();
      const { learner } = await post('start');
      const { steps } = await post(`attack?learner=${learner}`);
      expect(steps[1].stopped).toMatch(/^A step can ask endpoints of this lab only, .* not http.*\/dashboard\.$/);
    } finally {
      await sandbox.stop();
    }
  });

  it('is on the board of a room', async () => {
    const key = 'the key of the trainer';
    const room = await startIn(packFolder({ '01-news': lab }), { workshop: 2, controlToken: key });
    try {
      const trainer = await enterRoom(room, key);
      const learner = await join(room);
      await begin(learner, 'news');
      const board = await trainer.open(`${room.url}/room/lessons/news`);
      expect(board.html).toContain('The token of news');
      expect(marksOf(board, learner.name)).toHaveLength(4);
    } finally {
      await room.stop();
    }
  });

  it('with problems stops the start, and all of them are told at once', async () => {
    const { 'lesson.md': text, 'lesson.ts': code } = lab;
    const files = {
      '01-names': {
        ...lab,
        'lesson.md': text
          .replace('stops: reports', 'stops: report')
          .replace('## Step token: Mallory', '## Step tokn: Mallory')
          .replace('## Yours: ', '## Mine: ')
          .replace('- [x]', '- [ ]'),
        'lesson.ts': code
          .replace("by: 'mallory'", "by: 'mallroy'")
          .replace("weak: { api: ['aud'] }", "weak: { api: ['audience'], clients: { 'lab-nws': {} } }")
          .replace("id: 'again'", "id: 'agian'"),
      },
      '02-empty': {
        ...lab,
        'lesson.md': text
          .replace(/stops: .*\n/, '')
          .replace(/## Quiz predict[\s\S]*?(?=\n## Step)/, '')
          .replace(/## Defence[\s\S]*?(?=\n## Task)/, ''),
        'lesson.ts': code.replace("weak: { api: ['aud'] }", 'weak: {}'),
      },
      '03-weak': {
        ...lab,
        'lesson.ts': code
          .replaceAll("'lab-NAME'", "'app'")
          .replaceAll("'lab-news'", "'app'")
          .replace(/collections: \{[\s\S]*?\n {4}\},\n/, '')
          .replace("weak: { api: ['aud'] }", "weak: { api: ['aud'], relax: ['pkce_absent'], unprotected: ['state'] }"),
      },
      '04-client': {
        ...lab,
        'lesson.ts': code.replace("weak: { api: ['aud'] }", "weak: { clients: { 'lab-news': { scope: 5 } } }"),
      },
      '05-printer': { ...printer, 'lesson.md': `${printer['lesson.md']}\n## Step one: A step\n` },
      '06-order': {
        ...lab,
        'lesson.md': text
          .replace('## Task attack', '## Task x')
          .replace('## Task again', '## Task attack')
          .replace('## Task x', '## Task again'),
      },
      '07-desk': {
        ...lab,
        'lesson.ts': code.replace(
          "weak: { api: ['aud'] }",
          "weak: { api: ['aud'] }, desk: { label: 'Go', victim: async () => undefined }",
        ),
      },
    };
    const error = await startIn(packFolder(files)).catch((thrown: unknown) => thrown);
    const lines = (error as ConfigError).message
      .split('\n  - ')
      .slice(1)
      .map(line => line.replace('lessons/', ''));
    expect(error).toBeInstanceOf(ConfigError);
    expect(lines).toEqual([
      '01-names/lesson.md:72: found "## Mine: The line in your own API", expected ## Step ID: TITLE, ## Task ID: TITLE, ## Quiz ID: TITLE, ## Defence: TITLE, ## Yours: TITLE or ## Picture',
      '01-names/lesson.ts: lab.steps[0].by: found "mallroy", expected alice, mallory or app (did you mean mallory?)',
      '01-names/lesson.ts: lab.weak.api[0]: found "audience", expected alg, jku, aud or typ (did you mean aud?)',
      '01-names/lesson.ts: tasks[1].id: found "agian", expected the id of a heading in lesson.md: ## Task again',
      '01-names/lesson.ts: lab.steps[0].id: found "token", expected the id of a heading in lesson.md: ## Step tokn',
      '01-names/lesson.md: expected a heading ## Yours: TITLE',
      '01-names/lesson.md: expected [x] at the right line below ## Quiz predict',
      '01-names/lesson.md:11: found "report", expected the id of a step (did you mean reports?)',
      '01-names/lesson.ts: lab.weak.clients: found "lab-nws", expected a client in issuer.clients whose client_id begins with lab- (did you mean lab-news?)',
      '02-empty/lesson.ts: lab.weak: found an object, expected a weakness: relax, unprotected, always, clients or api',
      '02-empty/lesson.md: expected a heading ## Defence: TITLE',
      '02-empty/lesson.md: expected a question ## Quiz predict: TITLE, asked before the attack',
      '02-empty/lesson.md:1: expected stops: and the id of the step at which the defence stops the attack',
      '03-weak/lesson.ts: lab.weak.relax: expected a client in issuer.clients whose client_id begins with lab-: no other is careless',
      '03-weak/lesson.ts: lab.weak.unprotected: expected a client lab-app in issuer.clients, which the demo app of a lab is',
      '03-weak/lesson.ts: lab.weak.api: expected collections in issuer, which {{issuer}}/labs/api serves',
      expect.stringMatching(/^04-client\/lesson\.ts: lab\.weak: clients\[0\]\.scope: found 5, expected text/),
      expect.stringMatching(
        /^05-printer\/lesson\.md:\d+: found "## Step one: A step", expected `lab` in lesson\.ts, because only a lab has/,
      ),
      '06-order/lesson.md: found again, attack, expected the tasks of a lab, in this order: attack, again',
      '07-desk/lesson.ts: tasks: found attack, again, expected the tasks of a lab, in this order: attack, again, goal',
      '07-desk/lesson.md: found attack, again, expected the tasks of a lab, in this order: attack, again, goal',
    ]);
  });
});

it('--lab is only of use with --new', async () => {
  const cwd = newFolder();
  const { code, note } = await type(['lessons', '--lab'], { cwd });
  expect([code, existsSync(inFolder(cwd, 'lessons'))]).toEqual([1, false]);
  expect(note).toContain('--lab is only of use with --new');
});
