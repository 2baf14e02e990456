import type { HarLogin } from './login.ts';

/** The parameters of a redirect, in its query or in its fragment. */
export function carriedBy({ search, hash }: URL): URLSearchParams {
  return new URLSearchParams([...new URLSearchParams(search), ...new URLSearchParams(hash.slice(1))]);
}

/** Whether a redirect leads to the client, as far as its request was recorded. */
export function isBackTo(location: URL, { redirect_uri: uri, origin }: HarLogin): boolean {
  if (uri === undefined) return location.origin !== origin;
  return URL.canParse(uri) && location.href.startsWith(new URL(uri).href.replace(/[?#].*$/, ''));
}
