import * as v from 'valibot';
import type { EventFact, EventType } from '../base/events/event.ts';

export const text = v.string('text');
/** Names, scopes and other texts. */
export const texts = v.array(text, 'a list of texts');
export const flag = v.boolean('true or false');

/** The last moment of a `Date`, in seconds. */
const latest = 8.64e12;

/** A number that a page can show as a time or a count. */
export const number = v.pipe(
  v.number('a number'),
  v.check(value => Math.abs(value) <= latest, `a number from -${latest} to ${latest}`),
);

/** The id of a request, a flow, a problem or a token: it becomes a part of an address. */
export const id = v.pipe(v.string('an id'), v.regex(/^[\w-]{1,80}$/, 'an id: 1 to 80 letters, digits, _ or -'));

export function word<const T extends readonly string[]>(...words: T) {
  return v.picklist(words, `one of ${words.join(', ')}`);
}

export const maybe = v.exactOptional;

function shape<const T extends string, const Members extends v.ObjectEntries>(type: T, members: Members) {
  return v.object({ type: v.literal(type), ...members }, 'an event');
}

/** A schema for each type of event, made of its members. */
export function recordedAs<const Types extends Readonly<Record<string, v.ObjectEntries>>>(types: Types) {
  const made = Object.entries(types).map(([type, members]) => [type, shape(type, members)]);
  return Object.fromEntries(made) as { readonly [T in keyof Types & string]: ReturnType<typeof shape<T, Types[T]>> };
}

/** What pages read of each type of event from a recorded session. A table that lacks a type or a member does not compile. */
export type RecordedAs<Types extends EventType> = { readonly [T in Types]: v.GenericSchema<unknown, FactOf<T>> };

/** The event of a type; some events have one of two types. */
type FactOf<T, Fact = EventFact> = Fact extends { readonly type: infer Type } ? (T extends Type ? Fact : never) : never;
