import { describe, expect, it } from 'vitest';
import { jsonParts } from '../../../src/base/text/json-parts.ts';

describe('the parts of JSON', () => {
  it('are names, strings and other values', () => {
    const parts = jsonParts('{"a": "b: \\"c\\"", "n": [-1.5e3, true, null]}') ?? [];
    expect(parts.filter(({ kind }) => kind !== '').map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      'name "a"',
      'text "b: \\"c\\""',
      'name "n"',
      'value -1.5e3',
      'value true',
      'value null',
    ]);
  });

  it.each(['{}', '[ ]', '{\n  "a" :\t{"<b>": "\\u0041\\\\"}\n}\n'])('give the same text when joined: %j', text => {
    expect((jsonParts(text) ?? []).map(part => part.text).join('')).toBe(text);
  });

  it.each(['', 'curl http://localhost', '{"a":', '"text"', '7'])('are not looked for in %j', text => {
    expect(jsonParts(text)).toBeUndefined();
  });
});
