import { copyFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join as pathOf } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../../../src/index.ts';
import { observes } from '../../../observed.ts';
import { freePort } from '../../../support/free-port.ts';
import { begin, enterRoom, join, marksOf, seatOf, shown, work } from './learner.ts';

const lesson = 'client-credentials';
const sandboxes: Sandbox[] = [];
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(pathOf(tmpdir(), 'grantbox-room-'));
});
afterEach(() => Promise.all(sandboxes.splice(0).map(each => each.stop())));
afterAll(() => rm(folder, { recursive: true }));

async function openRoom(workshopFile: string, now = () => Date.now() / 1000, port = 0): Promise<Sandbox> {
  const sandbox = await createSandbox({ port, logLevel: 'silent', workshop: 3, workshopFile }, { now });
  sandboxes.push(sandbox);
  return sandbox;
}

it('a room goes on after a restart: cookies, progress, issuers with their tokens, and what the trainer decided', async () => {
  observes('setting workshopFile');
  const [file, port] = [pathOf(folder, 'restart.json'), await freePort()];
  const before = await openRoom(file, undefined, port);
  const { key = '' } = before.workshop ?? {};
  const trainer = await enterRoom(before, key);
  const learner = await join(before);
  const issuer = await begin(learner, lesson);
  await work(issuer, lesson, 'token');
  await work(issuer, lesson, 'call', 'a measurement without the temperature');
  await learner.agent.submit(await learner.agent.open(`${learner.issuer}/lessons`), 'shell-hand-button');
  const lab = await begin(learner, 'code-interception');
  const token = await tokenOf(issuer);
  await trainer.submit(await trainer.open(`${before.url}/room/controls`), 'controls-say', { message: 'Back at ten.' });
  await trainer.submit(await trainer.open(`${before.url}/room/controls`), 'controls-advance', {
    by: '10m',
    action: 'advance',
  });
  await before.stop();
  expect((await stat(file)).mode & 0o777).toBe(0o600);

  const after = await openRoom(file, undefined, port);
  expect(after.workshop?.key).toBe(key);
  const seat = await learner.agent.open(`${after.url}/join`);
  expect([shown(seat.html, 'join-seat'), shown(seat.html, 'shell-message')]).toEqual([
    learner.name,
    'Your trainer says: Back at ten.',
  ]);
  const board = await trainer.open(`${after.url}/room/lessons/${lesson}`);
  expect(marksOf(board, learner.name)[0]).toBe('done');
  expect(seatOf(board, learner.name)).toContain('Hand is up');
  expect(seatOf(board, learner.name)).toContain('<strong>1 refusal</strong>');
  expect((await fetch(`${lab}/.well-known/openid-configuration`)).status).toBe(200);
  const clock = await fetch(`${issuer}/_sandbox/clock`, { headers: { Authorization: `Bearer ${key}` } });
  expect(await clock.json()).toMatchObject({ offset: 600 });
  const called = await fetch(`${issuer}/api/telemetry`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ sensor: 'tomatoes', celsius: 21.5 }),
  });
  expect(called.status).toBe(201);
});

it('a room loses a minute at the most when it ends without a word', async () => {
  const file = pathOf(folder, 'crash.json');
  let now = 1_800_000_000;
  const room = await openRoom(file, () => now);
  const learner = await join(room);
  const issuer = await begin(learner, lesson);
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ seats: [] });
  now += 59;
  await work(issuer, lesson, 'token');
  await expect.poll(() => readFile(file, 'utf8')).toContain(learner.key);
  await work(issuer, lesson, 'call');
  const left = pathOf(folder, 'left.json');
  await copyFile(file, left);

  const after = await openRoom(left, () => now);
  const key = after.workshop?.key ?? '';
  const board = await (await enterRoom(after, key)).open(`${after.url}/room/lessons/${lesson}`);
  expect(marksOf(board, learner.name)).toContain('begun');
  expect((await fetch(`${after.url}/i/${lesson}-${learner.name}/oauth2/jwks`)).status).toBe(200);
});

it('a file that is not of a room stops the start, and stays as it is', async () => {
  const file = pathOf(folder, 'damaged.json');
  await writeFile(file, '{"grantbox":"workshop"');
  await expect(openRoom(file)).rejects.toThrow(/WORKSHOP_FILE.*the file is not JSON.*left as it is/s);
  expect(await readFile(file, 'utf8')).toBe('{"grantbox":"workshop"');
  await expect(openRoom(pathOf(folder, 'nowhere', 'room.json'))).rejects.toThrow(/WORKSHOP_FILE.*cannot be written/s);
});

it('a room is kept beside the state of the sandbox where only that has a file', async () => {
  const stateFile = pathOf(folder, 'state.json');
  sandboxes.push(await createSandbox({ port: 0, logLevel: 'silent', workshop: 1, stateFile }));
  expect(JSON.parse(await readFile(`${stateFile}.room`, 'utf8'))).toMatchObject({ grantbox: 'workshop' });
});

async function tokenOf(issuer: string): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'client_credentials', scope: 'telemetry:write' });
  const headers = { Authorization: `Basic ${btoa('greenhouse:tomato')}` };
  const response = await fetch(`${issuer}/oauth2/token`, { method: 'POST', body, headers });
  return ((await response.json()) as { access_token: string }).access_token;
}
