import type { EventFact, EventStamp, SandboxEvent } from '../../../base/events/event.ts';

type KeyOf<F> = F extends unknown ? keyof F : never;

/** The name of a field that some event has. */
export type FieldName = Exclude<KeyOf<EventFact | EventStamp>, 'type' | 'exchange'>;

/** The value of a field in the event of an earlier step: `{ $: 't.tokenId' }` reads `tokenId` of the step with `as: 't'`. */
export interface Reference {
  readonly $: `${string}.${FieldName}`;
}

export type WantedText =
  | string
  | readonly string[]
  | { readonly startsWith: string }
  | { readonly endsWith: string }
  | { readonly includes: string }
  | { readonly not: string }
  | { readonly present: boolean }
  /** For a parameter: a value that no earlier sign-in had. */
  | { readonly fresh: true }
  | Reference;

/** The expected value of a field, or a list of allowed values. */
export type WantedValue<V> = V extends string
  ? V | readonly V[] | Exclude<WantedText, string | readonly string[]>
  : V extends readonly string[]
    ? { readonly includes: string } | { readonly empty: boolean }
    : V extends number | boolean
      ? V | readonly V[]
      : never;

/** Fields of an event with their expected values. */
type WantedFields<E> = { readonly [K in Exclude<keyof E, 'type' | 'exchange'>]?: WantedValue<NonNullable<E[K]>> };

type StampFields = WantedFields<EventStamp>;

type PatternOf<F> = F extends { readonly type: infer T }
  ? WantedFields<F> & StampFields & { readonly type: T; readonly request?: WantedRequest }
  : never;

/** Parts of the request that caused an event, which say what the learner did. */
export interface WantedRequest {
  readonly method?: WantedText;
  readonly path?: WantedText;
  /** Parameters of the query or the form, by name. */
  readonly parameter?: Readonly<Record<string, WantedText>>;
  /** Headers by name. */
  readonly header?: Readonly<Record<string, WantedText>>;
  /** The piece of the token after `Authorization: Bearer` that was changed: `header`, `claims` or `signature`, or several. */
  readonly piece?: WantedText;
}

/** An event by its type and some of its fields, which the compiler compares with `src/base/events`. */
export type Pattern = PatternOf<EventFact>;

/** One field whose value a check does not accept. Without `sent` the event or request had no such field. */
export interface Difference {
  readonly field: string;
  readonly sent?: string;
  readonly expected: string;
  /** The part of the request; absent for a field of an event. */
  readonly part?: keyof WantedRequest;
  /** Names of the fields that were there. */
  readonly has?: readonly string[];
}

/** Events of earlier steps, by the name that their step gave them. */
export type NamedEvents = ReadonlyMap<string, SandboxEvent>;

/** The fields in which an event of the right type differs from the pattern. */
export function differences(
  event: SandboxEvent,
  pattern: Pattern,
  named: NamedEvents = new Map(),
): readonly Difference[] {
  return entriesOf(pattern)
    .filter(([field]) => field !== 'type' && field !== 'request')
    .flatMap(([field, wanted]) => difference(field, fieldOf(event, field), wanted, named) ?? []);
}

/** The members of a pattern without their types, because the full union is too large for the compiler. */
export function entriesOf(pattern: object): readonly (readonly [field: string, wanted: unknown])[] {
  return Object.entries(pattern);
}

export function fieldOf(event: SandboxEvent, field: string): unknown {
  return (event as unknown as Readonly<Record<string, unknown>>)[field]; // patterns are type-checked where they are written
}

/** Undefined for an accepted value. */
export function difference(field: string, value: unknown, wanted: unknown, named: NamedEvents): Difference | undefined {
  const resolved = isReference(wanted) ? valueAt(wanted, named) : wanted;
  if (fits(value, resolved)) return undefined;
  const expected = expectedText(resolved);
  return value === undefined ? { field, expected } : { field, sent: textOf(value), expected };
}

export function partsOf({ $ }: Reference): readonly [step: string, field: string] {
  const dot = $.indexOf('.');
  return [$.slice(0, dot), $.slice(dot + 1)];
}

export function isReference(wanted: unknown): wanted is Reference {
  return typeof wanted === 'object' && wanted !== null && '$' in wanted;
}

function valueAt(reference: Reference, named: NamedEvents): unknown {
  const [step, field] = partsOf(reference);
  const event = named.get(step);
  return event === undefined ? undefined : fieldOf(event, field);
}

function fits(value: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) return wanted.includes(value);
  if (typeof wanted !== 'object' || wanted === null) return value !== undefined && value === wanted;
  if ('fresh' in wanted) return value !== undefined;
  if ('present' in wanted) return wanted.present === (value !== undefined);
  if ('empty' in wanted) return Array.isArray(value) && wanted.empty === (value.length === 0);
  if (Array.isArray(value)) return 'includes' in wanted && value.includes(String(wanted.includes));
  return typeof value === 'string' && fitsText(value, wanted);
}

function fitsText(value: string, wanted: object): boolean {
  if ('not' in wanted) return value !== wanted.not;
  if ('endsWith' in wanted) return value.endsWith(String(wanted.endsWith));
  if ('startsWith' in wanted) return value.startsWith(String(wanted.startsWith));
  return 'includes' in wanted && value.includes(String(wanted.includes));
}

/** What a difference expects in place of a repeated value. */
export const newValue = 'a new value';

/** Whether a value must be new in each sign-in. */
export function mustBeFresh(wanted: WantedText): boolean {
  return typeof wanted === 'object' && 'fresh' in wanted;
}

function expectedText(wanted: unknown): string {
  if (Array.isArray(wanted)) return wanted.join(' or ');
  if (typeof wanted !== 'object' || wanted === null) return wanted === undefined ? 'the same value' : String(wanted);
  if ('present' in wanted) return wanted.present === true ? 'any value' : 'nothing';
  if ('empty' in wanted) return wanted.empty === true ? 'an empty list' : 'at least one entry';
  if ('not' in wanted) return `another than ${wanted.not}`;
  if ('endsWith' in wanted) return `…${wanted.endsWith}`;
  if ('startsWith' in wanted) return `${wanted.startsWith}…`;
  return 'includes' in wanted ? `… ${wanted.includes} …` : newValue;
}

function textOf(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') : String(value);
}
