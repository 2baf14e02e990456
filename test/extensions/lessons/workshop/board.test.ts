import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../../../src/index.ts';
import { type Agent, createAgent } from '../../../support/agent.ts';
import { begin, enterRoom, join, type Learner, marksOf, seatOf, seatsOn, shown, work } from './learner.ts';

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

/** The text of HTML in one line. */
const words = (html: string) => html.replace(/<[^>]*>/g, '').replace(/\s+/g, ' ');

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

  it('shows each seat with the marks of its tasks in words, too, and counts how many have done a task', async () => {
    const [first, second, third] = learners as [Learner, Learner, Learner];
    await work(await begin(first, lesson), lesson, 'token');
    await work(await begin(second, lesson), lesson, 'call', 'a measurement without the temperature');
    const page = await board();
    expect(marksOf(page, first.name)).toEqual(['done', 'begun', 'not yet', 'not yet', 'not yet']);
    expect(marksOf(page, second.name)).toEqual(['done', 'close', 'not yet', 'not yet', 'not yet']);
    expect(marksOf(page, third.name)).toEqual(Array(5).fill('not yet'));
    expect(seatOf(page, third.name)).toContain('Not begun');
    const [count = ''] = /<span class="room-count">[\s\S]*?<\/li>/.exec(page.html) ?? [];
    expect(count).toContain('<strong>2</strong> of 3');
    expect(count).toMatch(/<rect\s+width="6" height="1"\/><path d="M6 0v1"\/>/);
  });

  it('shows the lesson of most seats, and all started lessons, or all that there are', async () => {
    const [first] = learners as [Learner, Learner, Learner];
    const now = await trainer.open(`${sandbox.url}/room`);
    expect([shown(now.html, 'room-title'), seatsOn(now).length]).toEqual(['A machine asks for itself', 3]);
    const all = await trainer.open(`${sandbox.url}/room?lesson=all`);
    expect([all.url.pathname, marksOf(all, first.name)]).toEqual(['/room/lessons', ['begun']]);
    expect(all.html).toContain('1/5');
    expect(shown(all.html, 'room-title')).toBe('All lessons');
    const whole = await trainer.open(`${sandbox.url}/room/lessons?all`);
    expect(marksOf(whole, first.name).length).toBeGreaterThan(20);
    expect([all.html, whole.html].map(html => html.includes('room-whole'))).toEqual([true, false]);
    const chosen = await trainer.open(`${sandbox.url}/room?lesson=${lesson}`);
    expect(chosen.url.pathname).toBe(`/room/lessons/${lesson}`);
  });

  it('puts seats that are stuck at a task first, with the reason of their open tasks alone', async () => {
    const [first, second, third] = learners as [Learner, Learner, Learner];
    await begin(third, lesson);
    const wrong = (name: string) =>
      work(`${sandbox.url}/i/${lesson}-${name}`, lesson, 'call', 'a measurement without the temperature');
    for (let time = 0; time < 2; time++) await wrong(second.name);
    await wrong(first.name);
    const page = await board();
    expect(seatsOn(page)[0]).toBe(second.name);
    expect(seatOf(page, second.name)).toContain('room-why');
    expect(words(seatOf(page, second.name))).toContain('Task 2 · 3 refusals The row has invalid fields');
    expect(words(seatOf(page, first.name))).toContain('Task 2 · 1 refusal ');
    expect(stuckAt(page.html)).toContain('(2 seats)');
    await work(`${sandbox.url}/i/${lesson}-${second.name}`, lesson, 'call');
    expect(stuckAt((await board()).html)).toContain('(1 seat)');
    await work(`${sandbox.url}/i/${lesson}-${first.name}`, lesson, 'call');
    expect(stuckAt((await board()).html)).toContain('Nobody was refused');
  });

  it('says how long a seat has sent nothing, and calls it stuck after five minutes', async () => {
    const [first, , third] = learners as [Learner, Learner, Learner];
    now += 301;
    await work(`${sandbox.url}/i/${lesson}-${first.name}`, lesson, 'scope');
    const page = await board();
    expect(words(seatOf(page, third.name))).toContain('Task 1 · 5 min No request for 5 minutes');
    expect(marksOf(page, first.name)[2]).toBe('done');
    expect(stuckAt(page.html)).toContain('Nobody was refused');
  });

  it('counts wrong answers at a question, which has no refusal to name', async () => {
    const [first] = learners as [Learner, Learner, Learner];
    await work(`${sandbox.url}/i/${lesson}-${first.name}`, lesson, 'secret');
    const page = await first.agent.open(`${first.issuer}/lessons/${lesson}`);
    for (let time = 0; time < 3; time++) await first.agent.submit(page, 'lesson-answer-whose', { option: 'a' });
    const card = words(seatOf(await board(), first.name));
    expect(card).toContain('Task 5 · 3 wrong');
    expect(card).not.toContain('No request');
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
