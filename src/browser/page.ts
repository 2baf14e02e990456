/** The path of the issuer. */
export const base = document.documentElement.dataset.base ?? '';

/** The page at an address; undefined if the sandbox refuses it. */
export async function fetchPage(address: string, request?: RequestInit): Promise<Document | undefined> {
  const response = await fetch(address, request);
  if (!response.ok) return undefined;
  return new DOMParser().parseFromString(await response.text(), 'text/html');
}

/** Fetches this page again and replaces the parts that differ, by their ids. Returns whether the page could be fetched. */
export async function refreshParts(parts: Iterable<Element>): Promise<boolean> {
  const page = await fetchPage(location.href);
  for (const part of parts) {
    const now = page?.getElementById(part.id)?.innerHTML ?? part.innerHTML;
    if (now !== part.innerHTML) part.innerHTML = now;
  }
  return page !== undefined;
}
