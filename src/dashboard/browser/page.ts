/** The path of the issuer. */
export const base = document.documentElement.dataset.base ?? '';

/** The page at an address; undefined if the sandbox refuses it. */
export async function fetchPage(address: string, request?: RequestInit): Promise<Document | undefined> {
  const response = await fetch(address, request);
  if (!response.ok) return undefined;
  return new DOMParser().parseFromString(await response.text(), 'text/html');
}

/** Fetches this page again and replaces the parts that differ, by their ids. */
export async function refreshParts(parts: Iterable<Element>): Promise<void> {
  const page = await fetchPage(location.href);
  if (page === undefined) return;
  for (const part of parts) {
    await untilReleased(part);
    showPart(part, page);
  }
}

/** Replaces the contents of a part by those of the part with its id in the page that was fetched, if they differ. */
export function showPart(part: Element, page: Document): void {
  const now = page.getElementById(part.id)?.innerHTML;
  if (now !== undefined) redraw(part, now);
}

type Enhancement = (part: ParentNode) => void;

const enhancements: Enhancement[] = [];
/** The HTML that each part was drawn with, because scripts change the elements afterwards. */
const drawn = new WeakMap<Element, string>();

/** Adds what scripts add to a page, such as copy buttons: at once, and to each part that is redrawn. */
export function enhance(enhancement: Enhancement): void {
  enhancements.push(enhancement);
  enhancement(document);
}

/** Adds it to a part that was just put into the page. */
export function enhancePart(part: ParentNode): void {
  for (const enhancement of enhancements) enhancement(part);
}

/** Replaces the contents of a part if they differ. The focus stays where it is, and what was opened stays open. */
export function redraw(part: Element, html: string): void {
  if (html === (drawn.get(part) ?? part.innerHTML)) return;
  const focused = placeOf(part, document.activeElement);
  const opened = [...part.querySelectorAll('details[open]')].map(details => placeOf(part, details));
  part.innerHTML = html;
  drawn.set(part, html);
  for (const find of opened) find()?.setAttribute('open', '');
  enhancePart(part);
  focused()?.focus({ preventScroll: true });
}

const names = ['id', 'data-testid', 'data-copy', 'name', 'href'] as const;

function placeOf(part: Element, element: Element | null): () => HTMLElement | undefined {
  if (element === null || element === part || !part.contains(element)) return () => undefined;
  const named = element.closest(names.map(name => `[${name}]`).join());
  const around = named === null || named === part || !part.contains(named) ? '' : selectorOf(named);
  const selector = named === element ? around : `${around} ${element.localName}`;
  const at = [...part.querySelectorAll(selector)].indexOf(element);
  return () => part.querySelectorAll<HTMLElement>(selector)[at];
}

function selectorOf(element: Element): string {
  const name = names.find(each => element.hasAttribute(each)) ?? 'id';
  return `[${name}="${CSS.escape(element.getAttribute(name) ?? '')}"]`;
}

const lookAgainMilliseconds = 50;

/**
 * Resolves once no button of the pointer is down in the element. A click is lost if its target is replaced between the press and
 * the release.
 */
export async function untilReleased(element: Element | null): Promise<void> {
  while (element?.matches(':active')) await new Promise(resolve => setTimeout(resolve, lookAgainMilliseconds));
}

export type SandboxAnswer = 'ready' | 'away' | 'signed-out';

const patienceMilliseconds = 5000;

/** Tells whether the sandbox answers. On the dashboard, it must also accept this browser. */
export async function askSandbox(path = '/dashboard/api/v1/unseen'): Promise<SandboxAnswer> {
  const options: RequestInit = { cache: 'no-store', signal: AbortSignal.timeout(patienceMilliseconds) };
  const response = await fetch(base + path, options).catch(() => undefined);
  if (response?.status === 401) return 'signed-out';
  return response?.ok === true ? 'ready' : 'away';
}

/** Returns a function that runs the work soon. Two runs have at least this distance and never overlap. */
export function throttle(work: () => Promise<unknown>, milliseconds: number): () => void {
  let busy = false;
  let wanted = false;

  async function run(): Promise<void> {
    busy = true;
    while (wanted) {
      wanted = false;
      const again = performance.now() + milliseconds;
      // A failure is a lost connection, which the stream shows already.
      await work().catch(() => {});
      await new Promise(resolve => setTimeout(resolve, again - performance.now()));
    }
    busy = false;
  }

  return () => {
    wanted = true;
    if (!busy) void run();
  };
}
