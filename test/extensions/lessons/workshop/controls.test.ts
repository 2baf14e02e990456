import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../../../src/index.ts';
import type { Agent } from '../../../support/agent.ts';
import { begin, enterRoom, join, type Learner, marksOf, seatOf, seatsOn, shown, work } from './learner.ts';

const key = 'the key of the trainer';
const lesson = 'client-credentials';
let sandbox: Sandbox;
let trainer: Agent;
let learners: readonly [Learner, Learner];
beforeAll(async () => {
  sandbox = await createSandbox({ port: 0, logLevel: 'silent', workshop: 2, controlToken: key });
  trainer = await enterRoom(sandbox, key);
  learners = [await join(sandbox), await join(sandbox)];
});
afterAll(() => sandbox.stop());

const controls = () => trainer.open(`${sandbox.url}/room/controls`);
const press = async (button: string, typed = {}) => trainer.submit(await controls(), button, typed);
const asTrainer = { Authorization: `Bearer ${key}` };
const clockOf = async (issuer: string) => {
  const response = await fetch(`${issuer}/_sandbox/clock`, { headers: asTrainer });
  return (await response.json()) as { offset: number; frozen: boolean };
};

describe('the controls of a trainer', () => {
  it('are refused without the key: for a browser, a learner and a script', async () => {
    const [{ agent, key: seatKey }] = learners;
    expect((await agent.open(`${sandbox.url}/room/controls`)).url.pathname).toBe('/room');
    for (const token of [seatKey, 'wrong']) {
      const refused = await fetch(`${sandbox.url}/room/export`, { headers: { Authorization: `Bearer ${token}` } });
      expect(refused.status).toBe(401);
    }
    const form = { method: 'POST', body: new URLSearchParams({ seat: learners[0].name }), redirect: 'manual' } as const;
    expect((await fetch(`${sandbox.url}/room/controls/end`, form)).headers.get('location')).toBe('/room');
    const seat = (await agent.open(`${sandbox.url}/join`)).html;
    expect(shown(seat, 'join-seat')).toBe(learners[0].name);
    expect(seat).toContain('Only you and the trainer see what you do here.');
  });

  it('move the clocks of all seats and of their lessons', async () => {
    const issuer = await begin(learners[0], lesson);
    const moved = await press('controls-advance', { by: '10m', action: 'advance' });
    expect(shown(moved.html, 'controls-clock')).toBe('All seats: Clock +10 min');
    for (const each of [issuer, learners[0].issuer, learners[1].issuer]) expect((await clockOf(each)).offset).toBe(600);
    await press('controls-freeze', { action: 'freeze' });
    expect((await clockOf(issuer)).frozen).toBe(true);
    const back = await press('controls-real-time', { action: 'reset' });
    expect(back.html).not.toContain('controls-clock');
    expect(await clockOf(issuer)).toMatchObject({ offset: 0, frozen: false });
    expect((await clockOf(sandbox.url)).offset).toBe(0);
    const wrong = await press('controls-advance', { by: 'soon', action: 'advance' });
    expect([wrong.status, shown(wrong.html, 'controls-problem')]).toEqual([
      400,
      expect.stringContaining('step of time'),
    ]);
  });

  it('move the clock of a lesson that begins later, too, until the room is back at the real time', async () => {
    await press('controls-advance', { by: '10m', action: 'advance' });
    expect((await clockOf(await begin(learners[0], 'token'))).offset).toBe(600);
    await press('controls-freeze', { action: 'freeze' });
    expect((await clockOf(await begin(learners[0], 'id-token'))).frozen).toBe(true);
    await press('controls-real-time', { action: 'reset' });
    expect(await clockOf(await begin(learners[1], 'token'))).toMatchObject({ offset: 0, frozen: false });
  });

  it('hold the token responses of all seats, also in a lesson that begins later, until they let them go', async () => {
    await press('controls-hold', { endpoint: 'token' });
    const issuer = await begin(learners[1], lesson);
    const done = work(issuer, lesson, 'token');
    await heldAt(issuer);
    expect(shown((await learners[1].agent.open(`${learners[1].issuer}/lessons`)).html, 'shell-held')).toContain(
      'holds responses: token responses wait',
    );
    expect((await controls()).html).toContain('Waiting now: 1');
    await press('controls-let-go');
    await done;
    await press('controls-unhold');
    await work(issuer, lesson, 'secret');
    expect((await controls()).html).not.toContain('controls-holding');
  });

  it('open a hint on the page of each learner, and can keep them from opening others', async () => {
    await press('controls-release', { hint: `${lesson}/scope/0` });
    const page = (learner: Learner) => learner.agent.open(`${learner.issuer}/lessons/${lesson}`);
    for (const learner of learners) expect((await page(learner)).html).toContain('Take the first line of this lesson');
    await press('controls-keep-hints', { keep: 'on' });
    expect((await page(learners[0])).html).not.toContain('lesson-solution-scope');
    const form = new URLSearchParams({ task: 'scope', part: 'solution' });
    const at = `${learners[0].issuer}/lessons/${lesson}`;
    const headers = { Authorization: `Bearer ${learners[0].key}` };
    await fetch(`${at}/hint`, { method: 'POST', body: form, headers });
    expect((await page(learners[0])).html).not.toContain('data-testid="lesson-solution"');
    await press('controls-keep-hints', { keep: 'off' });
    expect((await page(learners[0])).html).toContain('lesson-solution-scope');
  });

  it('say something on each page of each learner, until it is taken back', async () => {
    const pages = ['/lessons', '/dashboard', '/playground', `/lessons/${lesson}`];
    const said = async () => {
      const visits = learners.flatMap(({ agent, issuer }) =>
        [`${sandbox.url}/join`, ...pages.map(page => issuer + page)].map(url => agent.open(url)),
      );
      return (await Promise.all(visits)).map(({ html }) => shown(html, 'shell-message'));
    };
    await press('controls-say', { message: ' Stop & look up ' });
    expect(await said()).toEqual(Array(10).fill('Your trainer says: Stop &amp; look up'));
    await press('controls-unsay', { message: '' });
    expect(await said()).toEqual(Array(10).fill(''));
  });

  it('call everybody to a lesson: each page leads there but that of the lesson, and the board shows it', async () => {
    await press('controls-call', { lesson: 'refresh' });
    const { agent, issuer } = learners[0];
    const page = await agent.open(`${issuer}/lessons/${lesson}`);
    const href = /<a href="([^"]+)"[^>]*data-testid="shell-lesson-link"/.exec(page.html)?.[1] ?? '';
    const there = await agent.open(new URL(href, issuer).href);
    expect([there.url.pathname, shown(there.html, 'shell-lesson')]).toEqual([
      `/i/${learners[0].name}/lessons/refresh`,
      '',
    ]);
    expect(shown((await trainer.open(`${sandbox.url}/room`)).html, 'room-title')).toContain('Refresh');
    await press('controls-uncall', { lesson: '' });
    expect((await agent.open(`${issuer}/lessons`)).html).not.toContain('shell-lesson"');
  });

  it('show a raised hand first on the board, until the learner or the trainer puts it down', async () => {
    const [, { agent, issuer, name }] = learners;
    const up = () => trainer.open(`${sandbox.url}/room/lessons/${lesson}`);
    const raise = async () => agent.submit(await agent.open(`${issuer}/lessons`), 'shell-hand-button');
    const raised = await raise();
    expect([raised.url.pathname, shown(raised.html, 'shell-hand')]).toEqual([
      `/i/${name}/lessons`,
      expect.stringContaining('your hand is up'),
    ]);
    expect([seatsOn(await up())[0], seatOf(await up(), name)]).toEqual([name, expect.stringContaining('Hand is up')]);
    await trainer.submit(await up(), 'room-hand');
    expect(shown((await agent.open(`${issuer}/lessons`)).html, 'shell-hand')).toBe(`You are ${name}.`);
    await raise();
    await raise();
    expect(seatOf(await up(), name)).not.toContain('Hand is up');
    const away = new URLSearchParams({ value: 'down', back: '//elsewhere.example' });
    const headers = { Authorization: `Bearer ${learners[1].key}` };
    const sent = await fetch(`${sandbox.url}/join/hand`, { method: 'POST', body: away, headers, redirect: 'manual' });
    expect(sent.headers.get('location')).toBe('/join');
    expect((await fetch(`${sandbox.url}/join/notices`)).status).toBe(404);
  });

  it('show a flow of the trainer on every seat, without its secrets, and to nobody without a seat', async () => {
    const form = new URLSearchParams({ grant_type: 'client_credentials' });
    const authorization = `Basic ${btoa('sensor:sensor-secret')}`;
    await fetch(`${sandbox.url}/oauth2/token`, { method: 'POST', body: form, headers: { authorization } });
    const flow = /<option value="(flow_[^"]+|req_[^"]+|[^"]+)"[^>]*>Client credentials/.exec(
      (await controls()).html,
    )?.[1];
    await press('controls-show', { flow });
    const { agent, issuer } = learners[0];
    const seat = await agent.open(`${issuer}/lessons`);
    expect(seat.html).toContain('Your trainer shows a flow');
    const document = await agent.open(`${sandbox.url}/join/flow`);
    expect(document.html).toContain('Client credentials, sensor');
    expect(document.html).not.toContain(authorization.slice('Basic '.length));
    expect((await fetch(`${sandbox.url}/join/flow`, { redirect: 'manual' })).status).toBe(303);
    await press('controls-hide', { flow: '' });
    expect((await agent.open(`${issuer}/lessons`)).html).not.toContain('Your trainer shows a flow');
  });

  it('reset one lesson of a seat, the whole seat, and end it', async () => {
    const [first, second] = learners;
    const board = () => trainer.open(`${sandbox.url}/room/lessons/${lesson}`);
    await work(`${sandbox.url}/i/${lesson}-${first.name}`, lesson, 'token');
    const asked = await press('controls-reset', { seat: first.name, lesson });
    expect(asked.html).toContain(`Forget “A machine asks for itself” of ${first.name}?`);
    expect(marksOf(await board(), first.name)).toContain('done');
    await trainer.submit(asked, 'controls-sure');
    expect(marksOf(await board(), first.name)).not.toContain('done');
    expect(marksOf(await board(), second.name)).toContain('done');
    await trainer.submit(await press('controls-reset', { seat: second.name, lesson: '' }), 'controls-sure');
    expect(marksOf(await board(), second.name)).not.toContain('done');
    expect((await fetch(`${sandbox.url}/i/${lesson}-${second.name}/oauth2/token`)).status).toBe(410);
    expect(shown((await second.agent.open(`${sandbox.url}/join`)).html, 'join-seat')).toBe(second.name);
    const end = new URLSearchParams({ seat: second.name });
    await fetch(`${sandbox.url}/room/controls/end`, { method: 'POST', body: end, headers: asTrainer });
    expect((await second.agent.open(`${sandbox.url}/join`)).html).toContain('1 seat is free');
    expect((await fetch(second.issuer)).status).toBe(410);
  });

  it('reset a seat whose learner asks for a page before its new keys are there', async () => {
    const { agent, issuer, name } = await join(sandbox);
    const page = () => agent.open(`${issuer}/lessons/${lesson}`);
    const asked = await press('controls-reset', { seat: name, lesson: '' });
    const keys = holdKeys();
    const reset = trainer.submit(asked, 'controls-sure');
    await keys.wanted;
    const early = page();
    await fetch(`${sandbox.url}/join`);
    keys.make();
    await Promise.all([early, reset]);
    expect((await page()).html).toContain('A machine asks for itself');
    expect((await trainer.open(`${sandbox.url}/room`)).html).toContain(name);
  });
});

/** Makes no key pair until it is told to. */
function holdKeys() {
  const { generateKeyPair } = crypto;
  const steps: Record<'want' | 'make', () => void> = { want() {}, make() {} };
  const wanted = new Promise<void>(resolve => Object.assign(steps, { want: resolve }));
  const made = new Promise<void>(resolve => Object.assign(steps, { make: resolve }));
  const set = (generate: unknown) => {
    Object.assign(crypto, { generateKeyPair: generate });
    syncBuiltinESMExports();
  };
  set((...args: Parameters<typeof generateKeyPair>) => {
    steps.want();
    void made.then(() => generateKeyPair(...args));
  });
  return {
    wanted,
    make() {
      set(generateKeyPair);
      steps.make();
    },
  };
}

/** Resolves once a response waits there. */
async function heldAt(issuer: string): Promise<void> {
  for (;;) {
    const response = await fetch(`${issuer}/_sandbox/breakpoints`, { headers: asTrainer });
    const { held } = (await response.json()) as { held: readonly unknown[] };
    if (held.length > 0) return;
  }
}
