/** Which part of a list is asked for: `page` counts from 0. */
export interface Page {
  readonly page: number;
  readonly size: number;
}

/** `category=tools` and the like, as they were sent: links to other pages keep them. */
export type Filters = readonly (readonly [name: string, value: string])[];

export function slicePage<T>(items: readonly T[], { page, size }: Page): T[] {
  return items.slice(page * size, (page + 1) * size);
}

/**
 * The value of `Link` (RFC 8288): first and last always, prev and next where there are any. Beyond the end, prev is the last page.
 * An empty list has one page.
 */
export function pageLinks(path: string, filters: Filters, { page, size }: Page, total: number): string {
  const last = Math.max(0, Math.ceil(total / size) - 1);
  const query = filters.length === 0 ? '' : `${new URLSearchParams(filters.map(([name, value]) => [name, value]))}&`;
  const link = (to: number, rel: string) => `<${path}?${query}page=${to}&size=${size}>; rel="${rel}"`;
  return [
    link(0, 'first'),
    ...(page > 0 ? [link(Math.min(page - 1, last), 'prev')] : []),
    ...(page < last ? [link(page + 1, 'next')] : []),
    link(last, 'last'),
  ].join(', ');
}
