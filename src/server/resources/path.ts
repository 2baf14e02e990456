/** Replaces `request.path`, which Express adds: the router also runs without an Express app. */
export function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? '';
}
