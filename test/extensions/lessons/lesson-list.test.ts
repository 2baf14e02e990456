import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadAll } from '../../../src/extensions/lessons/built-in.ts';
import { solverOf } from '../../../src/extensions/lessons/solvers.ts';
import { createParticipant } from '../../../src/extensions/lessons/trial/participant.ts';
import { createSandbox, type Sandbox } from '../../../src/index.ts';
import { type Agent, createAgent } from '../../support/agent.ts';
import { doTask } from './deeds.ts';

describe('each built-in lesson', async () => {
  const lessons = await loadAll();
  const ids = lessons.map(({ id }) => id);

  it.each(lessons)('$id says its level, its aim and the sentence to remember', ({ text }) => {
    expect(text.level).toBeDefined();
    expect(text.aim, 'the end of "Afterwards you can"').toMatch(/^[a-z].*[^.]$/);
    expect(text.remember).toMatch(/^[A-Z].*\.$/);
  });

  it('needs lessons that come before it, and a lab needs one', () => {
    for (const [index, { id, text }] of lessons.entries()) {
      for (const each of text.after) expect(ids.slice(0, index), id).toContain(each);
      if (text.lab !== undefined) expect(text.after, id).not.toEqual([]);
    }
  });

  it('has a lab of its own level, and no lab has two lessons', () => {
    const labs = lessons.flatMap(({ text }) => text.labId ?? []);
    expect(new Set(labs).size).toBe(labs.length);
    for (const { id, text } of lessons) {
      if (text.labId === undefined) continue;
      const lab = lessons.find(each => each.id === text.labId)?.text;
      expect(lab?.lab, `${text.labId} is a lab`).toBeDefined();
      expect(lab?.level, id).toBe(text.level);
    }
  });
});

describe('the list of lessons, without scripts', () => {
  let sandbox: Sandbox;
  let agent: Agent;
  beforeAll(async () => {
    sandbox = await createSandbox({ port: 0, logLevel: 'silent' });
    agent = createAgent(sandbox.url);
  });
  afterAll(() => sandbox.stop());

  const wordsOf = (html = '') =>
    html
      .replace(/<[^>]+>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim();
  const list = async () => {
    const { html } = await agent.open(`${sandbox.url}/lessons`);
    const next = html.slice(html.indexOf('data-testid="lessons-next"')).split('</section>')[0] ?? '';
    const card = (id: string) => html.split('data-testid="lesson-card"').find(each => each.includes(`/lessons/${id}"`));
    return { html, next, told: wordsOf(next), card: (id: string) => wordsOf(card(id)?.replace(/^[^>]*>/, '')) };
  };

  it('says of each lesson its aim, its minutes, what it needs, and how many tasks are done', async () => {
    const { html, card } = await list();
    expect([...html.matchAll(/<h2 id="level-\d">([^<]*)/g)].map(([, title]) => title)).toEqual([
      'First steps',
      'Everyday',
      'Attacks',
    ]);
    expect(card('code-pkce')).toMatch(
      /^3\. Code and PKCE, by hand sign a user in by hand, .*\. needs lesson 2 40 min 0 of \d done/,
    );
    expect(card('login-csrf')).toContain('needs lesson 3');
    expect(card('code-interception'), 'beside its lesson').not.toContain('needs');
    expect(html, 'specifications are inside').not.toMatch(/RFC \d/);
  });

  it('begins with the first lesson, and continues a lesson at its first open task', async () => {
    const first = await list();
    expect(first.told).toMatch(/Start here 1\. Where am I\? .* Begin 10 min 0 of \d+ done/);
    const { html } = await agent.submit(await agent.open(`${sandbox.url}/lessons/client-credentials`), 'lesson-begin');
    const issuer = /data-lesson-issuer="([^"]+)"/.exec(html)?.[1] ?? '';
    await doTask(issuer, 'client-credentials', 'token');
    await expect
      .poll(async () => (await list()).told)
      .toMatch(/Continue 2\. A machine asks for itself .* Continue at task 2 about 10 of 15 min left/);
    const begun = await list();
    expect(begun.next).toContain('href="/lessons/client-credentials#task-');
    expect(begun.card('client-credentials')).toMatch(/15 min 1 of 5 done/);
  });

  it('counts what is done, and goes on with the first lesson that is not', async () => {
    const id = 'client-credentials';
    const page = await agent.open(`${sandbox.url}/lessons/${id}`);
    const issuer = /data-lesson-issuer="([^"]+)"/.exec(page.html)?.[1] ?? '';
    for (const { solve } of Object.values(await solverOf(id))) await solve(createParticipant(issuer, id));
    for (const { question } of (await loadAll()).find(each => each.id === id)?.text.quizzes ?? [])
      await agent.submit(page, `lesson-answer-${question.id}`, { option: question.right ?? '' });
    await expect.poll(async () => (await list()).told).toMatch(/^.* Next 1\. Where am I\? .* 1 of \d+ done/);
    expect((await list()).html).toMatch(/<h2 id="level-0">First steps<\/h2>\s*<p class="muted">1 of \d+ done\./);
  });

  it('comes back at the end of a lesson, with the sentence to remember, its lab and the next lesson', async () => {
    const url = `${sandbox.url}/lessons/token`;
    const page = await agent.submit(await agent.open(url), 'lesson-begin');
    expect(wordsOf(page.html)).toContain('after A machine asks for itself');
    const issuer = /data-lesson-issuer="([^"]+)"/.exec(page.html)?.[1] ?? '';
    for (const { solve } of Object.values(await solverOf('token'))) await solve(createParticipant(issuer, 'token'));
    expect((await agent.open(url)).html, 'the questions are open').not.toContain('data-testid="lesson-end"');
    for (const { question } of (await loadAll()).find(({ id }) => id === 'token')?.text.quizzes ?? [])
      await agent.submit(page, `lesson-answer-${question.id}`, { option: question.right ?? '' });
    const end = async () =>
      wordsOf((await agent.open(url)).html.split('data-testid="lesson-end"')[1]?.split('</section>')[0]);
    await expect
      .poll(end)
      .toMatch(/Remember An API that does not check .* You can now read any token, .* Next: 5\. An ID token is not/);
    expect(await end()).toContain('Its lab: Forged tokens');
  });
});
