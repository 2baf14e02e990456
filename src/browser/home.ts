import { markArrivals, recordedSteps } from './arrivals.ts';
import { onFeed } from './feed.ts';
import { base } from './page.ts';
import { throttle } from './throttle.ts';

const refreshMilliseconds = 500;

/** Refreshes the upper part of Home, unless the user is about to click in it. */
export function startHome(): void {
  const live = document.getElementById('home-live');
  if (live === null) return;
  let stale = false;
  const refresh = throttle(async () => {
    stale = live.matches(':hover, :focus-within');
    if (stale) return;
    const response = await fetch(`${base}/dashboard/api/v1/home`);
    if (!response.ok) return;
    const before = recordedSteps(live);
    live.innerHTML = await response.text();
    markArrivals(live, before);
  }, refreshMilliseconds);
  const late = () => stale && setTimeout(refresh, 0);
  live.addEventListener('pointerleave', late);
  live.addEventListener('focusout', late);
  onFeed(refresh);
}
