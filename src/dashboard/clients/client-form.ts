import type { ChangeFault } from '../../base/events/change.ts';
import type { RegisteredClient } from '../../protocol/clients/client.ts';
import { isSameJson } from '../../protocol/json-parameter.ts';
import { readJsonObject } from '../../protocol/json-text.ts';
import { byField, type FieldTexts, faultText } from '../configure/fault-texts.ts';
import { type FormField, fields } from './client-fields.ts';

/** The values of the fields, by member. */
export interface ClientForm {
  readonly values: Readonly<Record<string, readonly string[]>>;
  /** The members without a field, as JSON. */
  readonly more: string;
}

export type Members = Readonly<Record<string, unknown>>;

/** The form of a client; `entry` has only the members that are configured, without defaults. */
export function formOfClient(client: RegisteredClient, entry: Members): ClientForm {
  const all = new Map<string, unknown>(Object.entries(client));
  const values = Object.fromEntries(fields.map(({ name }) => [name, textsOf(all.get(name))]));
  return { values, more: JSON.stringify(withoutFields(entry), null, 2) };
}

/** The form as it was sent. */
export function formAsTyped(typed: URLSearchParams): ClientForm {
  const values = Object.fromEntries(fields.map(({ name }) => [name, typed.getAll(name)]));
  return { values, more: typed.get('more') ?? '' };
}

/** The changed members compared with the form as it was shown. `null` returns a member to its default. */
export function membersOf(
  { values, more }: ClientForm,
  entry: Members,
  shown: ClientForm['values'] = {},
): { readonly members: Members } | { readonly faults: readonly ChangeFault[] } {
  const rest = more.trim() === '' ? { value: {} } : readJsonObject(more, 20);
  if ('reason' in rest) {
    return { faults: [{ member: 'more', expected: `JSON: line ${rest.line}, ${rest.reason}` }] };
  }
  const double = Object.keys(rest.value).find(name => name === 'client_id' || isField(name));
  if (double !== undefined) {
    return { faults: [{ member: 'more', sent: double, expected: 'only members that have no field of their own' }] };
  }
  const gone = Object.keys(withoutFields(entry)).filter(name => !Object.hasOwn(rest.value, name));
  const typed = fields.flatMap(field => {
    const read = readers[field.kind];
    const member = read(values[field.name] ?? []);
    const before = shown[field.name];
    const isSame = before !== undefined && isSameJson(member, read(before));
    return isSame ? [] : [[field.name, field.isTextIfOne ? textIfOne(member) : member] as const];
  });
  return {
    members: { ...Object.fromEntries(gone.map(name => [name, null])), ...rest.value, ...Object.fromEntries(typed) },
  };
}

/** The texts of faults, by the field below which they are shown. */
export function faultsByField(faults: readonly ChangeFault[]): FieldTexts {
  return byField(faults.map(fault => [fieldOf(fault.member), faultText(fault)]));
}

/** `redirect_uris[1]` belongs to the field `redirect_uris`, a member without a field to the JSON. */
function fieldOf(member: string): string {
  const [name = ''] = member.split(/[.[]/);
  if (name === '' || name === 'client_id') return name;
  if (name === 'token_endpoint_auth_method') return 'token_endpoint_auth_methods';
  return isField(name) ? name : 'more';
}

function isField(name: string): boolean {
  return name === 'token_endpoint_auth_method' || fields.some(field => field.name === name);
}

function withoutFields(entry: Members): Members {
  return Object.fromEntries(Object.entries(entry).filter(([name]) => name !== 'client_id' && !isField(name)));
}

function textsOf(value: unknown): readonly string[] {
  if (value === undefined || value === false) return [];
  if (value === true) return ['on'];
  return Array.isArray(value) ? value.map(String) : [String(value)];
}

function textIfOne(member: unknown): unknown {
  return Array.isArray(member) && member.length === 1 ? member[0] : member;
}

const readers: Readonly<Record<FormField['kind'], (values: readonly string[]) => unknown>> = {
  text: ([value = '']) => value.trim() || null,
  secret: ([value = '']) => value || null,
  words: ([value = '']) => value.trim().replace(/\s+/g, ' ') || null,
  lines: values =>
    orNull(
      values
        .flatMap(value => value.split(/\r?\n/))
        .map(line => line.trim())
        .filter(line => line !== ''),
    ),
  number: ([value = '']) => (value.trim() === '' ? null : /^\d{1,9}$/.test(value.trim()) ? Number(value) : value),
  flag: values => values.length > 0,
  choice: ([value = '']) => value || null,
  choices: values => values, // an empty list is a fault, not the default
};

function orNull(values: readonly string[]): readonly string[] | null {
  return values.length === 0 ? null : values;
}
