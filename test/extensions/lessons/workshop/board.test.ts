import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../../../src/index.ts';
import { type Agent, createAgent } from '../../../support/agent.ts';
import { begin, enterRoom, join, type Learner, marksOf, shown, work } from './learner.ts';

const key = 'the key of the trainer';
const lesson = 'client-credentials';
let sandbox: Sandbox;
let trainer: Agent;
let learners: readonly Learner[];
let now = 1_800_000_000;
beforeAll(async () => {
  const config = { port: 0, logLevel: 'silent', workshop: 3, controlToken: key } as const;
  sandbox = await createSandbox(config, { now: () => now });
  trainer = await enterRoom(sandbox, key);
  learners = [await join(sandbox), await join(sandbox), await join(sandbox)];
});
afterAll(() => sandbox.stop());

const board = () => trainer.open(`${sandbox.url}/room/lessons/${lesson}`);
const stuckAt = (html: string) =>
  /data-testid="room-stuck">([\s\S]*?)<\/p>/.exec(html)?.[1]?.replace(/\s+/g, ' ') ?? '';

describe('the board', () => {
  it('is for the trainer: others are asked for the key, and a wrong one is refused', async () => {
    const visitor = createAgent(sandbox.url);
    const asked = await visitor.open(`${sandbox.url}/room`);
    expect([asked.status, shown(asked.html, 'room-board')]).toEqual([401, '']);
    const wrong = await visitor.submit(asked, 'room-sign-in', { key: 'wrong' });
    expect([wrong.status, shown(wrong.html, 'room-notice')]).toEqual([401, expect.stringContaining('not the key')]);
    expect((await visitor.open(`${sandbox.url}/room/lessons/${lesson}`)).url.pathname).toBe('/room');
    const stream = await fetch(`${sandbox.url}/room/stream`, { redirect: 'manual' });
    expect(stream.status).toBe(303);
  });

  it('shows each seat with the marks of its tasks, done and close in words, too', async () => {
    const [first, second, third] = learners as [Learner, Learner, Learner];
    await work(await begin(first, lesson), lesson, 'token');
    await work(await begin(second, lesson), lesson, 'call', 'a measurement without the temperature');
    const page = await board();
    expect(marksOf(page, first.name)).toEqual(['done', 'not yet', 'not yet', 'not yet', 'not yet']);
    expect(marksOf(page, second.name)).toEqual(['done', 'close', 'not yet', 'not yet', 'not yet']);
    expect(marksOf(page, third.name)).toEqual(Array(5).fill('not yet'));
    const all = await trainer.open(`${sandbox.url}/room`);
    const [at] = [await trainer.open(`${sandbox.url}/_sandbox/lessons`)];
    const ids = (JSON.parse(at.html) as { lessons: { id: string }[] }).lessons.map(({ id }) => id);
    expect(marksOf(all, first.name)[ids.indexOf(lesson)]).toBe('begun');
    expect(all.html).toContain('1/5');
  });

  it('names the reason most seats were refused for, with its explanation, and forgets it after five minutes', async () => {
    const [first, second] = learners as [Learner, Learner, Learner];
    const issuers = [first, second].map(({ name }) => `${sandbox.url}/i/${lesson}-${name}`);
    for (const issuer of issuers) await work(issuer, lesson, 'call', 'a measurement without the temperature');
    const stuck = stuckAt((await board()).html);
    expect(stuck).toContain('2 seats');
    const href = /href="([^"]+)"/.exec(stuck)?.[1] ?? '';
    expect(href).toMatch(new RegExp(`/i/${lesson}-[a-z-]+/dashboard/problems/req_`));
    expect((await trainer.open(href)).status).toBe(200);
    now += 301;
    expect(stuckAt((await board()).html)).toContain('Nobody was refused');
  });

  it('does not call a refusal that was the task a reason to be stuck', async () => {
    const [first] = learners as [Learner, Learner, Learner];
    await work(`${sandbox.url}/i/${lesson}-${first.name}`, lesson, 'scope');
    const page = await board();
    expect(marksOf(page, first.name)[2]).toBe('done');
    expect(stuckAt(page.html)).toContain('Nobody was refused');
  });

  it('tells the browser of the projector by a stream that something changed', async () => {
    const cookie = [...trainer.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(`${sandbox.url}/room/stream`, { headers: { Cookie: cookie } });
    const reader = response.body?.getReader();
    await reader?.read(); // how long to wait before the next try
    const [first] = learners as [Learner, Learner, Learner];
    await work(`${sandbox.url}/i/${lesson}-${first.name}`, lesson, 'token');
    expect(new TextDecoder().decode((await reader?.read())?.value)).toContain('event: board');
    await reader?.cancel();
  });

  it('loads itself again where there are no scripts', async () => {
    expect((await board()).html).toContain('<noscript><meta http-equiv="refresh" content="5"></noscript>');
  });
});
