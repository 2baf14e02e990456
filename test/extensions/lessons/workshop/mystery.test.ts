import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join as pathOf } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type Drawn, drawMystery } from '../../../../src/extensions/lessons/draw.ts';
import { lesson } from '../../../../src/extensions/lessons/labs/a12-mystery/lesson.ts';
import type { RoomFile } from '../../../../src/extensions/lessons/workshop/room-file.ts';
import { createSandbox, type Sandbox, type SandboxConfig } from '../../../../src/index.ts';
import { freePort } from '../../../support/free-port.ts';
import { begin, enterRoom, join, type Learner, marksOf } from './learner.ts';

const sandboxes: Sandbox[] = [];
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(pathOf(tmpdir(), 'grantbox-mystery-'));
});
afterEach(() => Promise.all(sandboxes.splice(0).map(each => each.stop())));
afterAll(() => rm(folder, { recursive: true }));

async function openRoom(config: SandboxConfig): Promise<Sandbox> {
  const sandbox = await createSandbox({ port: 0, logLevel: 'silent', workshop: 2, ...config });
  sandboxes.push(sandbox);
  return sandbox;
}

async function drawnIn(file: string): Promise<readonly (Drawn | undefined)[]> {
  const { seats }: RoomFile = JSON.parse(await readFile(file, 'utf8'));
  return seats.map(({ progress }) => progress.lessons.mystery?.drawn);
}

/** A seed with which the account of Alice can be taken over by her e-mail address, in the mystery of this number. */
function seedOf(times: number): string {
  const { suspects = [] } = lesson.lab ?? {};
  for (let number = 0; ; number++) {
    let drawn: Drawn | undefined;
    for (let time = 0; time < times; time++) drawn = drawMystery({ suspects, before: drawn, seed: `${number}` });
    if (drawn?.missing === 'email') return `${number}`;
  }
}

/** Attacks by the pages alone, because the control API of a seat belongs to the trainer. */
async function takeOver({ agent, issuer: seat }: Learner, issuer: string): Promise<void> {
  await agent.submit(await agent.open(`${seat}/lessons/mystery`), 'lab-act');
  const signIn = await agent.submit(await agent.open(`${issuer}/demo-app`), 'app-sign-in-second');
  await agent.submit(signIn, 'login-user-mallory');
}

it('the seats of a room with a seed have the same mystery, and the board shows who has found it', async () => {
  const seed = seedOf(1);
  const file = pathOf(folder, 'seed.json');
  const room = await openRoom({ seed, workshopFile: file });
  const trainer = await enterRoom(room, room.workshop?.key ?? '');
  const [learner, other] = [await join(room), await join(room)];
  const issuer = await begin(learner, 'mystery');
  await begin(other, 'mystery');
  await takeOver(learner, issuer);
  const marks = async ({ name }: { readonly name: string }) =>
    marksOf(await trainer.open(`${room.url}/room/lessons/mystery`), name);
  await expect.poll(() => marks(learner)).toEqual(['done', 'begun']);
  expect(await marks(other)).toEqual(['begun', 'not yet']);
  const missing = 'email';
  const page = await learner.agent.open(`${learner.issuer}/lessons/mystery`);
  await learner.agent.submit(page, 'lesson-answer-name', { option: missing });
  expect(await marks(learner)).toEqual(['done', 'done']);
  sandboxes.pop();
  await room.stop();
  expect(await drawnIn(file)).toEqual([
    { missing, times: 1 },
    { missing, times: 1 },
  ]);
});

it('a mystery goes on after a restart of its room', async () => {
  const [workshopFile, port] = [pathOf(folder, 'restart.json'), await freePort()];
  const seed = seedOf(2);
  const before = await openRoom({ workshopFile, port, seed });
  const trainer = await enterRoom(before, before.workshop?.key ?? '');
  const learner = await join(before);
  await begin(learner, 'mystery');
  await begin(learner, 'mystery');
  await before.stop();
  const [drawn] = await drawnIn(workshopFile);
  expect(drawn).toEqual({ missing: 'email', times: 2 });

  const after = await openRoom({ workshopFile, port, seed });
  const { html } = await learner.agent.open(`${learner.issuer}/lessons/mystery`);
  const [, issuer = ''] = /data-lesson-issuer="([^"]+)"/.exec(html) ?? [];
  await takeOver(learner, issuer);
  await expect
    .poll(async () => marksOf(await trainer.open(`${after.url}/room/lessons/mystery`), learner.name))
    .toEqual(['done', 'begun']);
  sandboxes.pop();
  await after.stop();
  expect(await drawnIn(workshopFile)).toEqual([drawn]);
});
