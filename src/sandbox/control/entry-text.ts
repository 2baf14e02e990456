import type { Entry } from './entry.ts';

const widest = 100;

/** An entry as an item of a list in `clients.config.ts`, in its style; what it says is exactly the entry. */
export function entryText(entry: Entry): string {
  return `${literal(entry, '', { isItem: true })},`;
}

/** An entry with its name within, as a member of an object. */
export function namedEntryText({ name, ...entry }: Entry): string {
  return `${key(String(name))}: ${literal(entry, '', { isItem: true })},`;
}

function literal(value: unknown, indent: string, { isItem = false } = {}): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const items = Array.isArray(value)
    ? value.map(each => literal(each, `${indent}  `))
    : Object.entries(value).map(([name, each]) => `${key(name)}: ${literal(each, `${indent}  `)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  if (items.length === 0) return open + close;
  const space = Array.isArray(value) ? '' : ' ';
  const inline = `${open}${space}${items.join(', ')}${space}${close}`;
  if (!isItem && !inline.includes('\n') && indent.length + inline.length <= widest) return inline;
  return `${open}\n${items.map(item => `${indent}  ${item},\n`).join('')}${indent}${close}`;
}

/** `__proto__: …` would set the prototype, `['__proto__']: …` is a member. */
function key(name: string): string {
  if (name === '__proto__') return "['__proto__']";
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name);
}

function quoted(text: string): string {
  const inside = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"');
  return `'${inside.replaceAll("'", "\\'")}'`;
}
