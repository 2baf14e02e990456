import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeJwt } from '../../../src/base/text/jwt.ts';
import { builtIn } from '../../../src/extensions/lessons/built-in.ts';
import type { LessonProgress } from '../../../src/extensions/lessons/control.ts';
import { solverOf } from '../../../src/extensions/lessons/solvers.ts';
import { predictions, readLessonText } from '../../../src/extensions/lessons/text/lesson-text.ts';
import { createParticipant } from '../../../src/extensions/lessons/trial/participant.ts';
import { checks } from '../../../src/extensions/report/checks/index.ts';
import { createSandbox, type Sandbox } from '../../../src/index.ts';
import { referenceUrl } from '../../../src/server/http/reference.ts';

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

it('the right answers are at each place of a quiz', async () => {
  const texts = await Promise.all(builtIn.map(async ({ id, load }) => readLessonText(id, (await load()).text)));
  const rights = texts.flatMap(({ quizzes }) =>
    quizzes.flatMap(({ question: { id, right = [] } }) => (id === predictions.again ? [] : right)),
  );
  for (const place of ['a', 'b', 'c']) {
    const share = rights.filter(right => right === place).length / rights.length;
    expect(share, place).toBeGreaterThan(0.2);
    expect(share, place).toBeLessThan(0.45);
  }
});

describe.each(builtIn)('lesson $id', ({ id, load }) => {
  it('has the words of the pages: people sign in, and a server sends a response', async () => {
    const { text } = await load();
    const prose = text.replace(/^---[\s\S]*?^---$|^```[\s\S]*?^```$/gm, '');
    expect(prose).not.toMatch(/\b[Ll]og(s|ged|ging)?\s+(in|out)\b(?! (the|a) log)|\b[Tt]he answer (is|says|has)\b/);
  });

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
    for (const reference of references) expect(referenceUrl(reference), reference).toMatch(/^https:/);
    for (const task of tasks) {
      expect(task.hints.length, task.id).toBeGreaterThan(0);
      expect(task.solution, task.id).not.toBe('');
    }
    const titles = checks.map(({ title }) => title);
    if (check !== undefined) expect(titles, 'the check of the client report').toContain(check);
    const { suspects } = lesson.lab ?? {};
    if (suspects !== undefined) expect(ids).toEqual(['goal']);
    else if (lesson.lab !== undefined) {
      expect([...(lab?.steps.keys() ?? [])], 'a text for each step').toEqual(lesson.lab.steps.map(step => step.id));
      expect(ids).toEqual(['attack', 'again', ...(lesson.lab.desk === undefined ? [] : ['goal'])]);
      expect(quizzes.map(({ question }) => question.id)).toEqual(expect.arrayContaining(Object.values(predictions)));
      for (const task of tasks.slice(0, 2)) expect(task.text, 'a prediction, and not the result').toMatch(/[Pp]redict/);
    }
    for (const { question, options } of quizzes) {
      const rights = suspects?.map(suspect => suspect.id) ?? [question.right];
      for (const right of rights) expect(question.options, question.id).toContain(right);
      for (const { id: option, text, why } of options) {
        if (option === question.right && suspects === undefined) expect(why, text).toBe('');
        else expect(why, `why ${text} is wrong`).toMatch(/^[A-Z].{20,}\.$/);
      }
      // its options are the titles of the steps, or each is the right one of some run
      if (question.id === predictions.again || suspects !== undefined) continue;
      // nobody finds the right one by its length
      const lengths = options.filter(({ id: option }) => option !== question.right).map(({ text }) => text.length);
      const right = options.find(({ id: option }) => option === question.right)?.text.length;
      expect(right, question.id).toBeLessThanOrEqual(Math.max(...lengths) + 10);
      expect(right, question.id).toBeGreaterThanOrEqual(Math.min(...lengths) - 15);
    }
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
