import { untilReleased } from './pressed.ts';
import { redraw } from './redraw.ts';

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
