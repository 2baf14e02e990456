import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../../src/index.ts';
import { type Agent, createAgent } from '../../support/agent.ts';

describe('a question that was missed', () => {
  let sandbox: Sandbox;
  let agent: Agent;
  beforeAll(async () => {
    sandbox = await createSandbox({ port: 0, logLevel: 'silent' });
    agent = createAgent(sandbox.url);
  });
  afterAll(() => sandbox.stop());

  const button = 'lesson-answer-discovery/same';
  const open = (path: string) => agent.open(`${sandbox.url}/lessons${path}`);
  const later = (days: number) => sandbox.clock.advance(days * 86_400);
  const asked = async () => (await open('/recall')).html.includes(`data-testid="${button}"`);

  it('comes back on the page Recall a day later, by the clock of the sandbox, and not before', async () => {
    const begun = await agent.submit(await open('/discovery'), 'lesson-begin');
    expect((await open('')).html).not.toContain('data-testid="lessons-recall"');
    const missed = await agent.submit(begun, 'lesson-answer-same', { option: 'a' });
    await agent.submit(missed, 'lesson-answer-same', { option: 'c' });
    expect(await asked()).toBe(false);
    expect((await open('/recall')).html).toContain('One question comes back later, the next in one day.');
    later(1);
    expect(await asked()).toBe(true);
    expect((await open('')).html).toMatch(/data-testid="lessons-recall">Recall one question</);
  });

  it('says why an answer is wrong and asks on, and comes back after a day once it is known', async () => {
    const wrong = await agent.submit(await open('/recall'), button, { option: 'b' });
    expect(wrong.html).toMatch(/data-testid="lesson-why">[\s\S]*A browser treats host names alike/);
    const right = await agent.submit(wrong, button, { option: 'c' });
    expect(right.html).toContain('<span class="tag ok">Right</span>');
    expect(right.html).toContain('It comes back in one day.');
    expect((await open('/recall')).html).not.toContain(button);
  });

  it('comes back after 3 and 7 more days while it is known, and then no more', async () => {
    for (const [days, told] of [
      [1, 'It comes back in 3 days.'],
      [3, 'It comes back in 7 days.'],
      [7, 'It does not come back.'],
    ] as const) {
      later(days - 0.1);
      expect(await asked(), `before ${days} days`).toBe(false);
      later(0.1);
      expect((await agent.submit(await open('/recall'), button, { option: 'c' })).html).toContain(told);
    }
    later(365);
    expect((await open('/recall')).html).toContain('No question to recall now.');
  });

  it('keeps its place among others that are due, once it is answered', async () => {
    for (const [path, missed] of [
      ['/token', 'lesson-answer-trust'],
      ['/dpop', 'lesson-answer-need'],
    ] as const) {
      const page = await agent.submit(await open(path), 'lesson-begin');
      await agent.submit(page, missed, { option: 'a' });
    }
    later(1);
    const order = ({ html }: { html: string }) => [...html.matchAll(/id="quiz-(\w+\/\w+)"/g)].map(([, id]) => id);
    const all = order(await open('/recall'));
    expect(all).toHaveLength(2);
    const [first = ''] = all;
    expect(order(await agent.submit(await open('/recall'), `lesson-answer-${first}`, { option: 'b' }))).toEqual(all);
    later(365);
  });

  it('is forgotten when its lesson is reset', async () => {
    const path = '/client-credentials';
    const page = await agent.submit(await open(path), 'lesson-begin');
    await agent.submit(page, 'lesson-answer-whose', { option: 'a' });
    expect((await open('/recall')).html).toContain('the next in one day');
    await agent.submit(await open(path), 'lesson-begin');
    expect((await open('/recall')).html).not.toContain('comes back later');
  });
});
