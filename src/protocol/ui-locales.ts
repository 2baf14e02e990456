/** The languages of the pages for users, as `ui_locales_supported` lists them (OIDC Discovery §3). */
export const uiLocales = ['en', 'de', 'fr', 'es', 'ja', 'ar'] as const;

export type UiLocale = (typeof uiLocales)[number];

/**
 * The language for a list of language ranges, the preferred first: `de-AT` is served by `de` (RFC 4647 §3.4). Each language
 * here has no subtags, so a range finds one by its first subtag.
 */
export function lookUpLocale(ranges: readonly string[]): UiLocale | undefined {
  for (const range of ranges) {
    const primary = range.split('-', 1)[0]?.toLowerCase();
    const found = uiLocales.find(locale => locale === primary);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The ranges of `Accept-Language`, the preferred first; a weight of 0 refuses a range (RFC 9110 §12.4.2, §12.5.4). */
export function preferredRanges(header: string): string[] {
  return header
    .split(',')
    .map(each => {
      const [range = '', ...parameters] = each.split(';').map(part => part.trim());
      const weight = parameters.find(parameter => /^q=/i.test(parameter))?.slice(2) ?? '1';
      return { range, weight: /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? Number(weight) : 0 };
    })
    .filter(({ range, weight }) => range !== '' && weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ range }) => range);
}
