import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeJwt } from '../../../src/base/text/jwt.ts';
import { builtIn } from '../../../src/extensions/lessons/built-in.ts';
import type { LessonProgress } from '../../../src/extensions/lessons/control.ts';
import { solverOf } from '../../../src/extensions/lessons/solvers.ts';
import { readLessonText } from '../../../src/extensions/lessons/text/lesson-text.ts';
import { createParticipant } from '../../../src/extensions/lessons/trial/participant.ts';
import { checks } from '../../../src/extensions/report/checks/index.ts';
import { createSandbox, type Sandbox } from '../../../src/index.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({ port: 0, logLevel: 'silent' });
});
afterAll(() => sandbox.stop());

async function ask(lesson: string, what: 'start' | 'reset', learner = ''): Promise<LessonProgress> {
  const url = `${sandbox.url}/_sandbox/lessons/${lesson}/${what}?learner=${learner}`;
  const response = await fetch(url, { method: 'POST' });
  expect(response.status, url).toBe(200);
  return (await response.json()) as LessonProgress;
}

/** The receivers of all access tokens that the issuer has issued, by client. */
async function audiencesAt(issuer: string): Promise<readonly { readonly client: string; readonly aud: unknown }[]> {
  const { events } = await (await fetch(`${issuer}/_sandbox/events?type=token.issued`)).json();
  return events
    .filter((each: { tokenType: string }) => each.tokenType === 'access')
    .map((each: { client_id: string; token: string }) => ({
      client: each.client_id,
      aud: decodeJwt(each.token)?.claims.aud,
    }));
}

describe.each(builtIn)('lesson $id', ({ id, load }) => {
  it('has a text and a solver for each task', async () => {
    const { lesson, text } = await load();
    const { tasks, story, picture, minutes, references, quizzes, check, lab } = readLessonText(id, text);
    const ids = lesson.tasks.map(task => task.id);
    expect(tasks.map(task => task.id)).toEqual(ids);
    expect(Object.keys(await solverOf(id))).toEqual(ids);
    expect(story.split(/\s+/).length).toBeLessThanOrEqual(120);
    const lines = /## Picture\n\n([^#]*)\n#/.exec(text)?.[1]?.trim().split('\n') ?? [];
    expect(picture.length).toBeGreaterThanOrEqual(3);
    expect(picture.length, 'lines of the picture that are in its form').toBe(lines.length);
    expect(minutes).toBeGreaterThan(0);
    for (const reference of references) expect(reference).toMatch(/^(RFC \d+|OIDC [A-Z][\w -]+) §[\d.]+$/);
    for (const task of tasks) {
      expect(task.hints.length, task.id).toBeGreaterThan(0);
      expect(task.solution, task.id).not.toBe('');
    }
    const titles = checks.map(({ title }) => title);
    if (check !== undefined) expect(titles, 'the check of the client report').toContain(check);
    if (lesson.lab !== undefined) {
      expect([...(lab?.steps.keys() ?? [])], 'a text for each step').toEqual(lesson.lab.steps.map(step => step.id));
      expect(ids).toEqual(['attack', 'again']);
      expect(quizzes.map(({ question }) => question.id)).toContain('predict');
    }
    for (const { question } of quizzes) expect(question.options, question.id).toContain(question.right);
  });

  it('has no access token whose audience is its client', async () => {
    const ofLesson = ((await load()).lesson.issuer.clients ?? []).map(({ client_id }) => client_id);
    const { learner } = await ask(id, 'start');
    for (const [task, { solve }] of Object.entries(await solverOf(id))) {
      const { issuer = '' } = await ask(id, 'reset', learner);
      await solve(createParticipant(issuer, id));
      // one that a learner registers has no API of its own
      const own = (await audiencesAt(issuer)).filter(({ client }) => ofLesson.includes(client));
      for (const { client, aud } of own) {
        expect(aud, `aud of an access token after ${task}`).toEqual(expect.any(String));
        expect(aud).not.toBe(client);
      }
    }
  });
});
