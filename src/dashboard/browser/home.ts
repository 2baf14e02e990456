import { markArrivals, recordedSteps } from './arrivals.ts';
import { onFeed } from './feed.ts';
import { base } from './page.ts';
import { redraw } from './redraw.ts';
import { throttle } from './throttle.ts';

const refreshMilliseconds = 500;

/** Refreshes the upper part of Home, unless the user is about to click in it. */
export function startHome(): void {
  const live = document.getElementById('home-live');
  if (live === null) return;
  let stale = false;
  const isTouched = () => live.matches(':hover, :focus-within');
  const refresh = throttle(async () => {
    stale = isTouched();
    if (stale) return;
    const response = await fetch(`${base}/dashboard/api/v1/home`);
    if (!response.ok) return;
    const now = await response.text();
    // asked again, because the pointer may have come during the fetch
    stale = isTouched();
    if (stale) return;
    const before = recordedSteps(live);
    redraw(live, now);
    markArrivals(live, before);
  }, refreshMilliseconds);
  const late = () => stale && setTimeout(refresh, 0);
  live.addEventListener('pointerleave', late);
  live.addEventListener('focusout', late);
  onFeed(refresh);
}
