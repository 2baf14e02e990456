import { onFeed } from './feed.ts';
import { fetchPage, showPart } from './page.ts';
import { throttle } from './throttle.ts';

const refreshMilliseconds = 500;

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
