import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join as pathOf } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { createSandbox } from '../support/bundle.ts';
import { freePort } from '../support/free-port.ts';
import { openBrowser, type TestBrowser } from './support/chromium.ts';
import { firstHalf, lesson, secondHalf } from './support/room-drive.ts';

const seats = 24;
let browser: TestBrowser;
let folder: string;
let room: Sandbox;
let now = Date.now() / 1000;
beforeAll(async () => {
  browser = await openBrowser();
  folder = await mkdtemp(pathOf(tmpdir(), 'grantbox-class-'));
});
afterAll(async () => {
  await browser.close();
  await room.stop();
  await rm(folder, { recursive: true });
});

it('the board names those who are stuck in a room with slips and a restart, at 1920×1080 and in 28 px', async () => {
  const [port, workshopFile] = [await freePort(), pathOf(folder, 'room.json')];
  const open = () =>
    createSandbox({ port, workshop: seats, workshopFile, controlToken: 'trainer' }, { now: () => now });
  room = await open();
  const board = await (await browser.newContext({ viewport: { width: 1920, height: 1080 } })).newPage();
  await board.goto(`${room.url}/room`);
  await board.getByTestId('room-key').fill('trainer');
  await board.getByTestId('room-sign-in').click();
  const pupils = await firstHalf(room, seats);
  await room.stop();
  room = await open();
  await secondHalf(room, pupils, seconds => {
    now += seconds;
  });
  await expect.poll(() => board.locator('.hand').getAttribute('data-seat')).toBe(pupils.hand); // it came back by itself

  await board.goto(`${room.url}/room/lessons/${lesson}`);
  for (const [name, why] of pupils.stuck) {
    const card = board.locator(`.stuck[data-seat="${name}"]`);
    expect(await card.locator('.room-why').textContent()).toMatch(why);
    expect((await card.boundingBox())?.y).toBeLessThan(1000);
  }
  expect(await board.locator('.stuck').count()).toBe(pupils.stuck.size);
  const sizes = await board
    .locator('.room-seats :is(p, code), .room-name, .room-tasks li, .room-stuck')
    .evaluateAll(all => all.map(each => Number.parseFloat(getComputedStyle(each).fontSize)));
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(28);
  const { height, width } = await board.evaluate(() => ({
    height: document.documentElement.scrollHeight,
    width: document.documentElement.scrollWidth,
  }));
  expect({ width, isOneScreen: height <= 1080 }).toEqual({ width: 1920, isOneScreen: true });
  await board.setViewportSize({ width: 375, height: 760 });
  expect(await board.evaluate(() => document.documentElement.scrollWidth)).toBe(375);
});
