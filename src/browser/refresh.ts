import { onFeed } from './feed.ts';
import { throttle } from './throttle.ts';

const refreshMilliseconds = 500;

/** Refreshes parts of a page. Each part names the events it depends on: `<section id="file" data-refresh="configuration">`. */
export function startRefresh(): void {
  const parts = [...document.querySelectorAll<HTMLElement>('[data-refresh][id]')];
  if (parts.length === 0) return;
  const refresh = throttle(async () => {
    const response = await fetch(location.href);
    if (!response.ok) return;
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    for (const part of parts) part.innerHTML = page.getElementById(part.id)?.innerHTML ?? part.innerHTML;
  }, refreshMilliseconds);
  onFeed(({ kind }) => {
    if (kind === 'missed' || kind === 'resync' || parts.some(part => part.dataset.refresh === kind)) refresh();
  });
}
