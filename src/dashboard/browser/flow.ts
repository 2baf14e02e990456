import { markArrivals, recordedSteps } from './arrivals.ts';
import { onFeed } from './feed.ts';
import { base, fetchPage, showPart } from './page.ts';
import { untilReleased } from './pressed.ts';
import { throttle } from './throttle.ts';

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
