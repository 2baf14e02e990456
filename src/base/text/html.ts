const entities = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', '#34': '"', '#39': "'" }));

/** Decodes the entities that templates write. */
export function unescaped(html: string): string {
  return html.replace(/&(#?\w+);/g, (whole, name: string) => entities.get(name) ?? whole);
}

/** The attributes in a tag, decoded; one without a value is empty. */
export function attributesOf(tag: string): Readonly<Record<string, string>> {
  const found = [...tag.matchAll(/([\w-]+)(?:="([^"]*)")?/g)];
  return Object.fromEntries(found.map(([, name, value = '']) => [name, unescaped(value)]));
}

/** A form as a browser without scripts would submit it. */
interface HtmlForm {
  readonly action: string;
  /** In lower case. */
  readonly method: string;
  readonly fields: Readonly<Record<string, string>>;
}

/**
 * Finds the form that contains the element with this `data-testid` or `id`, or that the element names as its form. The fields are its
 * hidden inputs, ticked boxes, and the value of the button if the element is a button.
 */
export function findForm(html: string, name: string): HtmlForm | undefined {
  const isNamed = ({ attributes }: Tag) => attributes['data-testid'] === name || attributes.id === name;
  const elsewhere = tagsIn(html).filter(({ attributes }) => attributes.form !== undefined);
  for (const [form] of html.matchAll(/<form\b[\s\S]*?<\/form>/g)) {
    const inside = tagsIn(form);
    const { action = '', method = 'get', id } = inside[0]?.attributes ?? {};
    const tags = [...inside, ...elsewhere.filter(({ attributes }) => attributes.form === id)];
    if (!tags.some(isNamed)) continue;
    const sent = tags.filter(each => isFilledIn(each.attributes) || (each.tag === 'button' && isNamed(each)));
    const fields = sent.flatMap(({ attributes: { name: field, value = '' } }) =>
      field === undefined ? [] : [[field, value] as const],
    );
    return { action, method: method.toLowerCase(), fields: Object.fromEntries(fields) };
  }
  return undefined;
}

type Tag = ReturnType<typeof tagsIn>[number];

function tagsIn(html: string) {
  return [...html.matchAll(/<(form|input|button)\b((?:"[^"]*"|[^">])*)>/g)].map(([, tag, text]) => ({
    tag,
    attributes: attributesOf(text ?? ''),
  }));
}

function isFilledIn({ type, checked, disabled }: Readonly<Record<string, string>>): boolean {
  return type === 'hidden' || (type === 'checkbox' && checked !== undefined && disabled === undefined);
}
