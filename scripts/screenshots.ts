// Makes the pictures of the README and of docs/: `npm run screenshots`, or into another folder, and some of them only:
// `npm run screenshots -- /tmp/shots problem.png`. The films need `img2webp` of the Debian package `webp`; the pages have their
// usual fonts where `fonts-inter` and `fonts-jetbrains-mono` are installed.
import { mkdir } from 'node:fs/promises';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { createParticipant } from '../src/extensions/lessons/trial/participant.ts';
import type { Sandbox } from '../src/index.ts';
import { openBrowser, type TestBrowser } from '../test/browser/support/chromium.ts';
import { firstHalf, lesson, secondHalf } from '../test/browser/support/room-drive.ts';
import { work } from '../test/extensions/lessons/workshop/learner.ts';
import { authorizationUrl } from '../test/support/authorization-url.ts';
import { createSandbox } from '../test/support/bundle.ts';
import { makeBusy } from '../test/support/busy.ts';
import { filmLogin } from './film-login.ts';

const [folder = 'docs/screenshots', ...wanted] = process.argv.slice(2);
const films = { 'live-light.webp': 'light', 'live-dark.webp': 'dark' } as const;
const callback = 'http://localhost:5173/callback';
const viewport = { width: 1280, height: 900 };
/** A projector, in a picture as wide as the others. */
const projector = { viewport: { width: 1920, height: 1080 }, deviceScaleFactor: viewport.width / 1920 };

/** What a picture shows: a page, or the element of it that a selector names. */
interface Motif {
  readonly address: string;
  readonly part?: string;
  /** A part that is higher is cut off at the bottom. In pixels. */
  readonly height?: number;
}

/** Motifs by the names of the files. */
type Motifs = Readonly<Record<string, Motif>>;

const isWanted = (file: string) => wanted.length === 0 || wanted.includes(file);

/** The pages of a sandbox that was used. */
async function motifsOf(sandbox: Sandbox): Promise<Motifs> {
  const { tokens, refused } = await makeBusy(sandbox, callback);
  const issued = sandbox.events.latestIssued(1000).find(({ token }) => token === tokens.access_token);
  const dashboard = `${sandbox.url}/dashboard`;
  return {
    'home.png': { address: dashboard, part: 'body' },
    'token.png': { address: `${dashboard}/tokens/${issued?.tokenId}` },
    'flow-failed.png': { address: `${dashboard}/flows/by-request/${refused.verifier}`, height: 1024 },
    'problem.png': { address: `${dashboard}/problems/${refused.redirectUri}` },
    'report.png': { address: `${dashboard}/report` },
    'playground.png': { address: `${sandbox.url}/playground/code` },
    'login.png': { address: authorizationUrl(sandbox, callback), part: '.gate-main' },
  };
}

/** Starts a lesson on its page. @returns the issuer of the lesson */
async function start(page: Page, address: string): Promise<string> {
  await page.goto(address);
  await page.getByTestId('lesson-begin').click();
  return (await page.locator('[data-lesson-issuer]').getAttribute('data-lesson-issuer')) ?? '';
}

/** Of the task `call`. */
const nearMiss = 'a measurement without the temperature';

/** A lesson with one task done and one nearly done, and a lab after the attack with the defence off and on. */
async function lessonMotifsOf({ url }: Sandbox, page: Page): Promise<Motifs> {
  const [begun, lab] = [`${url}/lessons/${lesson}`, `${url}/lessons/mix-up`];
  const issuer = await start(page, begun);
  await work(issuer, lesson, 'token');
  await work(issuer, lesson, 'call', nearMiss);
  const attacker = createParticipant(await start(page, lab), 'mix-up');
  await attacker.attack();
  await attacker.defend(true);
  await attacker.attack();
  return {
    'lesson.png': { address: begun },
    'lab-difference.png': { address: lab, part: '[data-testid="lab-changed"]' },
  };
}

/** A class of 24 in the middle of a lesson. `passes` moves the time by so many seconds. */
async function workshopMotifsOf(room: Sandbox, passes: (seconds: number) => void): Promise<Motifs> {
  await secondHalf(room, await firstHalf(room, 24), passes);
  return { 'workshop-board.png': { address: `${room.url}/room/lessons/${lesson}`, height: projector.viewport.height } };
}

async function openPage(browser: TestBrowser, more: BrowserContextOptions = {}): Promise<Page> {
  return (await browser.newContext({ viewport, colorScheme: 'light', reducedMotion: 'reduce', ...more })).newPage();
}

async function photograph(page: Page, motifs: Motifs): Promise<void> {
  for (const [file, { address, part = '#main', height = viewport.height }] of Object.entries(motifs)) {
    if (!isWanted(file)) continue;
    // The stream of events stays open, so that there is never silence on the network to wait for.
    const response = await page.goto(address, { waitUntil: 'load' });
    if (!response?.ok()) throw new Error(`${address} answered ${response?.status()}`);
    await page.evaluate('scrollTo(0, 0)'); // a link to a request leads into the middle of its flow
    const box = await page.locator(part).boundingBox();
    if (box === null) throw new Error(`${address} does not show ${part}`);
    const clip = { ...box, height: Math.min(box.height, height) };
    await page.screenshot({ path: `${folder}/${file}`, fullPage: true, clip });
  }
}

await mkdir(folder, { recursive: true });
const browser = await openBrowser();
for (const [file, theme] of Object.entries(films)) {
  if (isWanted(file)) await filmLogin(browser, theme, `${folder}/${file}`);
}
const sandbox = await createSandbox({ port: 9000, issuer: 'http://localhost:9000' });
const controlToken = 'trainer';
let now = Date.now() / 1000;
const room = await createSandbox(
  { port: 9001, issuer: 'http://localhost:9001', workshop: 24, controlToken },
  { now: () => now },
);
try {
  const page = await openPage(browser);
  await photograph(page, await motifsOf(sandbox));
  await photograph(page, await lessonMotifsOf(sandbox, page));
  const trainer = await openPage(browser, {
    ...projector,
    extraHTTPHeaders: { Authorization: `Bearer ${controlToken}` },
  });
  const board = await workshopMotifsOf(room, seconds => {
    now += seconds;
  });
  await photograph(trainer, board);
} finally {
  await browser.close();
  await Promise.all([sandbox.stop(), room.stop()]);
}
process.exit(); // Chromium ends with the process that opened it
