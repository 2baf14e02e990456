import * as v from 'valibot';

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

/** Any JSON object. Names that would change a prototype are left out. */
export const anyObject = v.record(text, v.unknown(), 'an object');
