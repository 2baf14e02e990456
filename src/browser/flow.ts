import { onFeed } from './feed.ts';
import { throttle } from './throttle.ts';

const askMilliseconds = 1000;

/** An open flow says when it has become longer. Nothing moves while somebody reads. */
export function startFlow(): void {
  const more = document.getElementById('flow-more');
  const { flow, requests } = more?.dataset ?? {};
  if (more === null || flow === undefined) return;
  const base = document.documentElement.dataset.base ?? '';
  const ask = throttle(async () => {
    const response = await fetch(`${base}/dashboard/api/v1/flows/${flow}/progress`);
    const { requests: now } = (await response.json()) as { requests: number };
    const added = now - Number(requests);
    if (added > 0) tell(more, added);
  }, askMilliseconds);
  onFeed(({ kind }) => {
    if (kind === 'request') ask();
  });
}

function tell(more: HTMLElement, added: number): void {
  const link = document.createElement('a');
  link.href = location.href.split('#', 1)[0] ?? '';
  link.textContent = 'reload';
  more.replaceChildren(`${added} new ${added === 1 ? 'request' : 'requests'} in this flow: `, link);
  more.hidden = false;
}
