/** An attribute of a tag that a page of a program wrote, with its characters; undefined where it has none. */
export function attributeOf(tag: string, name: string): string | undefined {
  const value = new RegExp(`\\b${name}\\s*=\\s*"([^"]*)"`, 'i').exec(tag)?.[1];
  return value?.replace(/&(#x[0-9a-f]+|#\d+|\w+);/gi, (whole, entity: string) => characterOf(entity) ?? whole);
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function characterOf(entity: string): string | undefined {
  if (/^#x/i.test(entity)) return String.fromCodePoint(Number.parseInt(entity.slice(2), 16));
  if (entity.startsWith('#')) return String.fromCodePoint(Number(entity.slice(1)));
  return named[entity.toLowerCase()];
}
