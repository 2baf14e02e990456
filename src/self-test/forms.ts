/** A form of a page, as a browser without scripts would send it. */
export interface Form {
  readonly action: string;
  /** In lower case. */
  readonly method: string;
  readonly fields: Readonly<Record<string, string>>;
}

/**
 * The form that holds the element with this `data-testid` or `id`: its hidden fields and ticked boxes, and the button's own
 * where that is what was named.
 */
export function findForm(html: string, name: string): Form | undefined {
  for (const [form] of html.matchAll(/<form\b[\s\S]*?<\/form>/g)) {
    const tags = [...form.matchAll(/<(form|input|button)\b((?:"[^"]*"|[^">])*)>/g)].map(([, tag, text]) => ({
      tag,
      attributes: attributesOf(text ?? ''),
    }));
    const isNamed = ({ attributes }: (typeof tags)[number]) =>
      attributes['data-testid'] === name || attributes.id === name;
    if (!tags.some(isNamed)) continue;
    const sent = tags.filter(each => isFilledIn(each.attributes) || (each.tag === 'button' && isNamed(each)));
    const fields = sent.flatMap(({ attributes: { name: field, value = '' } }) =>
      field === undefined ? [] : [[field, value] as const],
    );
    const { action = '', method = 'get' } = tags[0]?.attributes ?? {};
    return { action, method: method.toLowerCase(), fields: Object.fromEntries(fields) };
  }
  return undefined;
}

/** Addresses of the page's iframes. */
export function framesOf(html: string): readonly string[] {
  return [...html.matchAll(/<iframe\b((?:"[^"]*"|[^">])*)>/g)].flatMap(
    ([, text]) => attributesOf(text ?? '').src ?? [],
  );
}

function isFilledIn({ type, checked, disabled }: Readonly<Record<string, string>>): boolean {
  return type === 'hidden' || (type === 'checkbox' && checked !== undefined && disabled === undefined);
}

function attributesOf(text: string): Record<string, string> {
  const found = [...text.matchAll(/([\w-]+)(?:="([^"]*)")?/g)];
  return Object.fromEntries(found.map(([, name, value]) => [name, decode(value ?? '')]));
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#34': '"', '#39': "'" };

function decode(text: string): string {
  return text.replace(/&(#?\w+);/g, (whole, name: string) => entities[name] ?? whole);
}
