import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LessonProgress } from '../../../src/extensions/lessons/control.ts';
import { createSandbox, type Sandbox } from '../../../src/index.ts';
import { observes } from '../../observed.ts';
import { doTask } from './deeds.ts';

const id = 'client-credentials';
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({ port: 0, logLevel: 'silent' });
});
afterAll(() => sandbox.stop());

const at = (path: string, url = sandbox.url) => `${url}/_sandbox/lessons${path}`;

async function start(how: 'start' | 'reset' = 'start', cookie = '') {
  const response = await fetch(at(`/${id}/${how}`), { method: 'POST', headers: { Cookie: cookie } });
  const progress = (await response.json()) as LessonProgress;
  return { progress, cookie: response.headers.getSetCookie()[0] ?? '', issuer: progress.issuer ?? '' };
}

async function read(cookie: string): Promise<LessonProgress> {
  return (await fetch(at(`/${id}/progress`), { headers: { Cookie: cookie } })).json() as Promise<LessonProgress>;
}

const solve = (issuer: string, task: string) => doTask(issuer, id, task);

describe('a lesson', () => {
  observes('operation listLessons', 'operation startLesson', 'operation resetLesson', 'operation readLessonProgress');

  it('is listed with its minutes and references', async () => {
    const { lessons } = (await (await fetch(at(''))).json()) as { lessons: readonly object[] };
    expect(lessons).toContainEqual(expect.objectContaining({ id, minutes: 15, title: 'A machine asks for itself' }));
  });

  it('starts in an issuer of the learner, whom the cookie names to its own path', async () => {
    const first = await start();
    const second = await start();
    expect(first.cookie).toMatch(/^grantbox_learner\w*=[\w-]+; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/);
    expect(first.issuer).not.toBe(second.issuer);
    await solve(first.issuer, 'token');
    expect((await read(first.cookie)).tasks[0]?.state).toBe('done');
    expect((await read(second.cookie)).tasks[0]?.state).toBe('not yet');
  });

  it('continues if it is started a second time', async () => {
    const { cookie, issuer } = await start();
    await solve(issuer, 'token');
    const again = await start('start', cookie);
    expect(again.issuer).toBe(issuer);
    expect(again.progress.tasks[0]?.state).toBe('done');
  });

  it('names the request that did a task, and the field in which a close request differs', async () => {
    const { cookie, issuer } = await start();
    await doTask(issuer, id, 'call', 'a measurement without the temperature');
    const { tasks } = await read(cookie);
    expect(tasks.find(({ task }) => task === 'token')).toMatchObject({ state: 'done', requestId: expect.any(String) });
    expect(tasks.find(({ task }) => task === 'call')).toMatchObject({
      state: 'close',
      requestId: expect.any(String),
      says: expect.stringContaining('The row has invalid fields.'),
      difference: { field: 'status', sent: '400', expected: '201', has: expect.arrayContaining(['method', 'path']) },
    });
  });

  it('leaves no event behind when it is reset', async () => {
    const { cookie, issuer } = await start();
    await solve(issuer, 'token');
    const reset = await start('reset', cookie);
    expect(reset.issuer).toBe(issuer);
    expect(reset.progress.tasks.map(({ state }) => state)).not.toContain('done');
    const { events } = (await (await fetch(`${issuer}/_sandbox/events?type=token.issued,error.returned`)).json()) as {
      events: readonly unknown[];
    };
    expect(events).toEqual([]);
  });

  it('says in the log of the first issuer that it started, and once that a task is done', async () => {
    const { issuer } = await start();
    await solve(issuer, 'token');
    await solve(issuer, 'token');
    const ofIssuer = (event: { readonly issuer: string }) => event.issuer === issuer;
    expect(sandbox.events.latest('lesson.started', 50).filter(ofIssuer)).toMatchObject([{ lesson: id }]);
    expect(sandbox.events.latest('task.done', 50).filter(ofIssuer)).toMatchObject([
      { lesson: id, task: 'token', doneBy: expect.any(String) },
    ]);
  });

  it('does not count a token that the dashboard of its issuer minted', async () => {
    const { cookie, issuer } = await start();
    const { origin } = new URL(issuer);
    const form = new URLSearchParams({ type: 'access', client: 'greenhouse', scope: 'telemetry:write' });
    const minted = await fetch(`${issuer}/dashboard/tokens`, {
      method: 'POST',
      body: form,
      headers: { Origin: origin },
    });
    expect(minted.status, await minted.text()).toBeLessThan(400);
    expect((await read(cookie)).tasks.map(({ state }) => state)).not.toContain('done');
  });

  it('that is unknown is a 404 that names the lessons there are', async () => {
    const response = await fetch(at('/client-credential/start'), { method: 'POST' });
    expect(response.status).toBe(404);
    expect(JSON.stringify(await response.json())).toContain(id);
  });
});

it('LESSONS=off leaves out the operations, in the document of the API, too', async () => {
  observes('setting lessons');
  const without = await createSandbox({ port: 0, logLevel: 'silent', lessons: false });
  try {
    expect((await fetch(at('', without.url))).status).toBe(404);
    const paths = async (url: string) =>
      (await (await fetch(`${url}/_sandbox/openapi.json`)).text()).includes('/lessons');
    expect(await paths(without.url)).toBe(false);
    expect(await paths(sandbox.url)).toBe(true);
  } finally {
    await without.stop();
  }
});

describe('a task after another', () => {
  it('counts only what was sent after that one was done for the first time', async () => {
    const { cookie, issuer } = await start();
    const states = async () => (await read(cookie)).tasks.map(({ state }) => state);
    await doTask(issuer, id, 'token', 'a typo in the secret');
    await doTask(issuer, id, 'token');
    await expect.poll(states).toEqual(['done', 'not yet', 'not yet', 'not yet', 'not yet']);
    await doTask(issuer, id, 'token', 'a typo in the secret');
    await expect.poll(async () => (await states())[3]).toBe('done');
  });
});
