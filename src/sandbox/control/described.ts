import * as v from 'valibot';
import { jsonObject } from '../config/schema.ts';

/** A schema with the words that the document of the API has for it. */
export function described<const T extends v.GenericSchema>(schema: T, words: string) {
  return v.pipe(schema, v.description(words));
}

/** Text, in words. */
export function text(words: string) {
  return described(v.string(), words);
}

/** A member that may be left out. */
export function optional<const T extends v.GenericSchema>(schema: T, words: string) {
  return v.optional(described(schema, words));
}

/** A member that may be left out, and is not undefined where it is there. */
export function exactOptional<const T extends v.GenericSchema>(schema: T, words: string) {
  return v.exactOptional(described(schema, words));
}

/** A JSON object with any members, which the document of the API can tell from anything else. */
export const object = v.pipe(jsonObject, v.metadata({ jsonSchema: { type: 'object' } }));

/** The type of the values that a schema accepts, as read-only. */
export type OutputOf<T extends v.GenericSchema> = Frozen<v.InferOutput<T>>;

type Frozen<T> = T extends object ? { readonly [Name in keyof T]: Frozen<T[Name]> } : T;
