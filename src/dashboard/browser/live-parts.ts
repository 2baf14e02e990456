import { onFeed } from './feed.ts';
import { base, fetchPage, redraw, showPart, throttle, untilReleased } from './page.ts';

const refreshMilliseconds = 500;

/**
 * Refreshes the parts of Home that differ, each unless the user is about to click in it. Before the first sign-in it has other parts
 * than afterwards, and then is replaced as a whole.
 */
export function startHome(): void {
  const live = document.getElementById('home-live');
  if (live === null) return;
  let stale = false;
  const refresh = throttle(async () => {
    stale = false;
    const page = await fetchPage(`${base}/dashboard/api/v1/home${location.search}`);
    if (page === undefined) return;
    const before = recordedSteps(live);
    const parts = namesOf(live) === namesOf(page) ? live.querySelectorAll('[data-part]') : [live];
    for (const part of parts) {
      // asked after the fetch, because the pointer may have come during it
      if (isTouched(part)) stale = true;
      else if (part === live) redraw(live, page.body.innerHTML);
      else showPart(part, page);
    }
    markArrivals(live, before);
  }, refreshMilliseconds);
  const late = () => stale && setTimeout(refresh, 0);
  live.addEventListener('pointerout', late);
  live.addEventListener('focusout', late);
  onFeed(refresh);
}

function namesOf(root: ParentNode): string {
  return [...root.querySelectorAll('[data-part]')].map(({ id }) => id).join();
}

/**
 * Refreshes parts of a page after events elsewhere. Each part has an id, and lists in `data-follow` the kinds of messages that
 * it follows (`clock`, `fault`). A part under the pointer or with the focus is refreshed later, also if the pointer comes while
 * the page is fetched.
 */
export function startFollowing(): void {
  const parts = () => [...document.querySelectorAll<HTMLElement>('[id][data-follow]')];
  if (parts().length === 0) return;
  const stale = new Set<string>();
  const refresh = throttle(async () => {
    const free = parts().filter(part => stale.has(part.id) && !isTouched(part));
    if (free.length === 0) return;
    // before the fetch, because an event during it makes a part stale again
    for (const { id } of free) stale.delete(id);
    const page = await fetchPage(location.href).catch(() => undefined);
    for (const part of free) {
      if (page === undefined || isTouched(part)) stale.add(part.id);
      else showPart(part, page);
    }
  }, refreshMilliseconds);
  const late = () => stale.size > 0 && setTimeout(refresh, 0);
  for (const part of parts()) {
    part.addEventListener('pointerleave', late);
    part.addEventListener('focusout', late);
  }
  onFeed(({ kind }) => {
    for (const { id, dataset } of parts()) if (isFor(dataset.follow ?? '', kind)) stale.add(id);
    if (stale.size > 0) refresh();
  });
}

function isTouched(part: Element): boolean {
  return part.matches(':hover, :focus-within');
}

/** A missed event may have been of any kind. */
function isFor(kinds: string, kind: string): boolean {
  return kind === 'resync' || kind === 'missed' || kind === 'reset' || kinds.split(' ').includes(kind);
}

const askMilliseconds = 300;

/**
 * Draws the steps of a flow that runs as they are recorded: each has its place already, so nothing moves. When more
 * requests come to a flow that was over, a link offers them, because the page would change while somebody reads.
 */
export function startFlow(): void {
  const live = document.getElementById('flow-live');
  const { flow, status } = live?.dataset ?? {};
  if (live === null || flow === undefined) return;
  const isDrawn = status === 'open' && document.querySelector('.presenter') === null;
  const ask = throttle(async () => {
    const more = document.getElementById('flow-more');
    const response = await fetch(`${base}/dashboard/api/v1/flows/${flow}/progress`);
    const { requests } = (await response.json()) as { requests: number };
    const added = requests - Number(more?.dataset.requests);
    if (more === null || added <= 0) return;
    if (isDrawn) await draw(live);
    else tell(more, added);
  }, askMilliseconds);
  onFeed(({ kind }) => {
    if (kind === 'request') ask();
  });
}

async function draw(live: HTMLElement): Promise<void> {
  const page = await fetchPage(location.href);
  if (page === undefined) return;
  await untilReleased(live);
  const before = recordedSteps(live);
  showPart(live, page);
  const announce = document.getElementById('announce');
  const arrived = markArrivals(live, before);
  if (announce !== null && arrived.length > 0) announce.textContent = arrived.join('. ');
  live.querySelector('.arrives.refused')?.scrollIntoView({ block: 'nearest' });
}

function tell(more: HTMLElement, added: number): void {
  const link = document.createElement('a');
  link.href = location.href.split('#', 1)[0] ?? '';
  link.textContent = 'reload';
  more.replaceChildren(`${added} new ${added === 1 ? 'request' : 'requests'} in this flow: `, link);
  more.hidden = false;
}

const steps = '.seq > li:not(.never-reached, .omitted)';

function recordedSteps(root: HTMLElement): ReadonlySet<string> {
  return new Set([...root.querySelectorAll(steps)].map(words));
}

function markArrivals(root: HTMLElement, before: ReadonlySet<string>): string[] {
  const arrived = [...root.querySelectorAll(steps)].filter(step => !before.has(words(step)));
  for (const step of arrived) step.classList.add('arrives');
  return arrived.map(words);
}

function words(step: Element): string {
  return (step.querySelector('.label')?.textContent ?? '').replace(/\s+/g, ' ').trim();
}
