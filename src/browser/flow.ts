import { onFeed } from './feed.ts';
import { throttle } from './throttle.ts';

const askMilliseconds = 1000;

/** Tells on the page of a flow when more requests came. Nothing moves while a user reads. */
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

const parts = ['.page-head', '.sequence', '.presenter'];

/** Steps through a flow without loading the page, in the order of the presses: a press during a load would be lost. */
export function startPresenting(): void {
  if (document.querySelector('.presenter') === null) return;
  let last = Promise.resolve();
  document.addEventListener('click', event => {
    const link = event.target instanceof Element ? event.target.closest<HTMLElement>('a[data-step]') : null;
    if (link === null || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    last = last.then(() => showStep(`a[data-step="${link.dataset.step}"]`));
  });
  addEventListener('popstate', () => location.reload());
}

async function showStep(selector: string): Promise<void> {
  const link = document.querySelector<HTMLAnchorElement>(selector);
  if (link === null) return;
  const { href } = link;
  const hadFocus = link.matches(':focus');
  const response = await fetch(href);
  if (!response.ok) return location.assign(href);
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  for (const part of parts) {
    const made = page.querySelector(part);
    if (made !== null) document.querySelector(part)?.replaceWith(made);
  }
  history.pushState(null, '', href);
  document.getElementById(new URL(href).hash.slice(1))?.scrollIntoView({ block: 'nearest' });
  if (hadFocus)
    (document.querySelector<HTMLElement>(selector) ?? document.querySelector<HTMLElement>('.presenter a'))?.focus();
}
