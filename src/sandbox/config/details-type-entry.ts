import * as v from 'valibot';
import type { Finding } from './problem.ts';
import { entry, flag, oneOf, readDraft, readField, text } from './schema.ts';

export const typeSchema = entry({
  description: v.exactOptional(text),
  fields: v.exactOptional(v.record(v.string(), v.unknown(), 'an object with a type for each field')),
});
const fieldSchema = entry({
  type: oneOf(['string', 'number', 'boolean', 'object', 'array']),
  required: v.exactOptional(flag),
});

/** All problems of an entry of `authorizationDetailsTypes`. */
export function checkDetailsType(name: string, raw: unknown): Finding[] {
  const draft = readDraft(typeSchema, raw);
  const { fields = {} } = draft.members;
  const expected = 'a type of visible ASCII characters (RFC 9396 §2.1)';
  return [
    ...(/^[\x21-\x7e]{1,200}$/.test(name) ? [] : [{ path: [], expected }]),
    ...draft.findings,
    ...Object.entries(fields).flatMap(([field, written]) => checkField(field, written)),
  ];
}

function checkField(name: string, written: unknown): Finding[] {
  if (name === 'type')
    return [
      { path: ['fields', name], expected: 'a different name: the member type already names the type of the details' },
    ];
  return readField(fieldSchema, name, written).findings;
}
