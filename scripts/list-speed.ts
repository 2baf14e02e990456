// How the list of tokens moves with all its rows, and how soon a new one is there: `npm run list-speed`.
// What else the machine does is measured with it, on a page without a list, so that the answer is of the list. Ends with 1 where a
// goal is missed.
import type { Page } from 'playwright-core';
import type { Sandbox } from '../src/index.ts';
import { openBrowser } from '../test/browser/support/chromium.ts';
import { sensorToken } from '../test/support/authorization-url.ts';
import { createSandbox } from '../test/support/bundle.ts';
import { openSite } from '../test/support/site.ts';

const rows = 10_000;
const passes = 4;
const scrollSeconds = 5;
const arrivals = 40;

interface Scroll {
  readonly perSecond: number;
  /** Milliseconds between two frames, of all but the slowest twentieth. */
  readonly p95: number;
}

function percentile(numbers: readonly number[], part: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)] ?? Number.POSITIVE_INFINITY;
}

async function fill(sandbox: Sandbox): Promise<void> {
  const atOnce = 20;
  for (let made = 0; made < rows; made += atOnce) {
    await Promise.all(Array.from({ length: atOnce }, () => sensorToken(sandbox)));
  }
}

/** Goes down until there is nothing older, as somebody who looks for the very first would. */
async function loadAll(page: Page): Promise<number> {
  for (;;) {
    const { count, isAll } = await page.evaluate(() => {
      scrollTo(0, document.documentElement.scrollHeight);
      const older = document.getElementById('older');
      return { count: document.querySelectorAll('tbody tr').length, isAll: older === null || older.hidden };
    });
    if (isAll) return count;
    await page.waitForTimeout(20);
  }
}

/** From the top to the end, at one speed, a step a frame. */
async function scroll(page: Page): Promise<Scroll> {
  await page.bringToFront();
  const frames = await page.evaluate(async seconds => {
    scrollTo(0, 0);
    await new Promise(resolve => setTimeout(resolve, 500));
    const way = document.documentElement.scrollHeight - innerHeight;
    const times: number[] = [];
    return new Promise<number[]>(resolve => {
      const step = (now: number) => {
        times.push(now);
        const part = (now - (times[0] ?? now)) / 1000 / seconds;
        scrollTo(0, way * part);
        if (part < 1) requestAnimationFrame(step);
        else resolve(times);
      };
      requestAnimationFrame(step);
    });
  }, scrollSeconds);
  const gaps = frames.slice(1).map((time, index) => time - (frames[index] ?? time));
  return { perSecond: (gaps.length / ((frames.at(-1) ?? 0) - (frames[0] ?? 0))) * 1000, p95: percentile(gaps, 0.95) };
}

/** Milliseconds of a row that comes in on top, its layout included: the median of a hundred. */
async function insertion(page: Page): Promise<number> {
  const times = await page.evaluate(async () => {
    scrollTo(0, 0);
    const body = document.querySelector('tbody');
    const times: number[] = [];
    for (let count = 0; count < 100; count++) {
      const row = body?.rows[0]?.cloneNode(true) as HTMLTableRowElement;
      row.id = `copy-${count}`;
      await new Promise(requestAnimationFrame);
      const began = performance.now();
      body?.prepend(row);
      document.body.getBoundingClientRect();
      times.push(performance.now() - began);
    }
    for (let count = 0; count < 100; count++) document.getElementById(`copy-${count}`)?.remove();
    return times;
  });
  return percentile(times, 0.5);
}

/** Milliseconds from events to their rows, and from asking for nothing much to the frame after the answer. */
async function arrival(page: Page, sandbox: Sandbox): Promise<{ readonly rows: number; readonly control: number }> {
  await page.bringToFront();
  await page.evaluate(() => {
    scrollTo(0, 0);
    const seen: Record<string, number> = {};
    Object.assign(window, { seen });
    new MutationObserver(records => {
      for (const { addedNodes } of records)
        for (const node of addedNodes) if (node instanceof HTMLTableRowElement) seen[node.id] ??= Date.now();
    }).observe(document.body, { childList: true, subtree: true });
  });
  const control: number[] = [];
  const before = sandbox.events.lastId;
  for (let count = 0; count < arrivals; count++) {
    await sensorToken(sandbox);
    control.push(await roundTrip(page));
    await page.waitForTimeout(110 + count * 7);
  }
  await page.waitForTimeout(2000);
  const seen = await page.evaluate(() => (window as unknown as { seen: Record<string, number> }).seen);
  const issued = sandbox.events.latestIssued(arrivals).filter(({ id }) => id > before);
  const delays = issued.map(({ tokenId, at }) => (seen[tokenId] ?? Number.POSITIVE_INFINITY) - at * 1000);
  return { rows: percentile(delays, 0.95), control: percentile(control, 0.95) };
}

function roundTrip(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const began = performance.now();
    await (await fetch('/health')).text();
    await new Promise(requestAnimationFrame);
    return performance.now() - began;
  });
}

function say(what: string, words: string, isGood: boolean): void {
  console.log(`${isGood ? 'ok    ' : 'missed'}  ${what}: ${words}`);
  if (!isGood) process.exitCode = 1;
}

const best = (scrolls: readonly Scroll[]): Scroll => ({
  perSecond: Math.max(...scrolls.map(each => each.perSecond)),
  p95: Math.min(...scrolls.map(each => each.p95)),
});

async function measure(list: Page, empty: Page, sandbox: Sandbox): Promise<void> {
  await list.goto(`${sandbox.url}/dashboard/tokens/list`);
  await list.locator('#live.on').waitFor();
  const count = await loadAll(list);
  say('rows in the page', `${count} of ${rows}`, count === rows);
  await empty.evaluate(height => document.body.style.setProperty('height', `${height}px`), 41 * rows);
  const lists: Scroll[] = [];
  const controls: Scroll[] = [];
  for (let pass = 0; pass < passes; pass++) {
    controls.push(await scroll(empty));
    lists.push(await scroll(list));
  }
  const [shown, control] = [best(lists), best(controls)];
  const beside = (name: keyof Scroll, unit: string) =>
    `${shown[name].toFixed(1)} ${unit}, ${control[name].toFixed(1)} without a list`;
  say(
    'scrolling',
    beside('perSecond', 'frames a second'),
    shown.perSecond >= 55 || shown.perSecond >= 0.92 * control.perSecond,
  );
  say('19 frames of 20', beside('p95', 'ms'), shown.p95 <= 34 || shown.p95 <= control.p95 * 1.1);
  const inserted = await insertion(list);
  say('a row on top', `${inserted.toFixed(2)} ms`, inserted <= 4);
  const { rows: arrived, control: asked } = await arrival(list, sandbox);
  const words = `${Math.round(arrived)} ms, 19 times of 20; a request and a frame take ${Math.round(asked)} ms`;
  say('from an event to its row', words, arrived <= 400 || arrived <= 300 + 2 * asked);
}

const browser = await openBrowser();
const site = await openSite();
const sandbox = await createSandbox({ historySize: rows, historyBytes: 256_000_000 });
try {
  await fill(sandbox);
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const [list, empty] = [await context.newPage(), await context.newPage()];
  await empty.goto(site.origin);
  await measure(list, empty, sandbox);
} finally {
  await browser.close();
  await Promise.all([sandbox.stop(), site.close()]);
}
