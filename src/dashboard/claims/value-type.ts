import { isRecord } from '../../base/text/record.ts';

/** The type of a JSON value in words; of a list that of its items. */
export function typeOf(value: unknown): string {
  if (Array.isArray(value)) {
    if (value.length === 0) return 'empty list';
    return `list of ${[...new Set(value.slice(0, 1000).map(typeOf))].sort().join(' and ')}`;
  }
  if (isRecord(value)) return 'object';
  if (value === null) return 'null';
  return { string: 'text', number: 'number', boolean: 'true or false' }[typeof value as string] ?? 'nothing';
}

const forms: readonly (readonly [name: string, form: RegExp])[] = [
  ['UUID', /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i],
  ['e-mail address', /^[^\s@]{1,100}@[^\s@]{1,200}$/],
  ['URL', /^https?:\/\//],
  ['digits', /^\d+$/],
];

/** The type of a text with the form that readers of it rely on: `text (UUID)`, `text (auth0|…)`. */
export function idForm(text: string): string {
  const [name] = forms.find(([, form]) => form.test(text)) ?? [];
  if (name !== undefined) return `text (${name})`;
  const connection = /^([\w-]{1,40})\|/.exec(text)?.[1];
  return connection === undefined ? 'text' : `text (${connection}|…)`;
}

/** Whether a text has one of these forms. */
export function hasForm(text: string, name: 'UUID' | 'e-mail address' | 'URL' | 'digits'): boolean {
  return forms.some(([known, form]) => known === name && form.test(text));
}
