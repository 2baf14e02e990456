import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RoomFile } from '../../../../src/extensions/lessons/workshop/room-file.ts';
import { createSandbox, type Sandbox } from '../../../../src/index.ts';
import { createAgent } from '../../../support/agent.ts';
import { join, shown } from './learner.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({ port: 0, logLevel: 'silent', workshop: 2, controlToken: 'the key of the trainer' });
});
afterAll(() => sandbox.stop());

it('a seat does a lab with two issuers by the buttons of its page, and nobody else sees it', async () => {
  const [learner, neighbour] = [await join(sandbox), await join(sandbox)];
  const page = `${learner.issuer}/lessons/mix-up`;
  let visit = await learner.agent.submit(await learner.agent.open(page), 'lesson-begin');
  const options = { 'lesson-answer-predict': 'c', 'lesson-answer-predict-again': 'login' };
  for (const button of [
    'lesson-answer-predict',
    'lab-attack-attack',
    'lab-defend',
    'lesson-answer-predict-again',
    'lab-attack-again',
  ]) {
    const option = Object.entries(options).find(([name]) => name === button)?.[1];
    visit = await learner.agent.submit(visit, button, option === undefined ? {} : { option });
  }
  const { html } = await learner.agent.open(page);
  expect(shown(html, 'lesson-progress')).toBe('4 of 6 done');
  const room = await fetch(`${sandbox.url}/room/export`, {
    headers: { Authorization: 'Bearer the key of the trainer' },
  });
  const { seats }: RoomFile = await room.json();
  const kept = seats.map(({ progress }) => progress.lessons['mix-up']?.answers);
  expect(kept, 'the predictions are exported with the room').toContainEqual({ predict: 'c', 'predict-again': 'login' });
  const [, issuer = ''] = /data-lesson-issuer="([^"]+)"/.exec(html) ?? [];
  for (const dashboard of [`${issuer}/dashboard`, `${issuer}-second/dashboard`]) {
    expect((await learner.agent.open(dashboard)).status, dashboard).toBe(200);
    const elsewhere = await neighbour.agent.open(dashboard);
    expect(elsewhere.url.href, dashboard).not.toContain('mix-up');
    expect((await createAgent(sandbox.url).open(dashboard)).url.href, dashboard).not.toContain('mix-up');
  }
});
