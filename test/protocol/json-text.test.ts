import { describe, expect, it } from 'vitest';
import { readJsonObject } from '../../src/protocol/json-text.ts';

const problem = (text: string, deepest = 4) => {
  const read = readJsonObject(text, deepest);
  return 'reason' in read ? `${read.line}:${read.column} ${read.reason}` : read.value;
};

describe('a typed JSON object', () => {
  it.each([
    '{}',
    '{"a":1}',
    ' {\n"a" : [ 1 , -2.5e+3, null ] }\r\n',
    '{"é":"ü\\u00e9 😀","\u0080":""}',
    '{"a":{"a":[[]]}}',
  ])('is read as JSON.parse does: %j', text => {
    expect(problem(text)).toEqual(JSON.parse(text));
  });

  it('knows the lines of its own members only', () => {
    const read = readJsonObject('{\n "a": {\n "inner": 1 },\n\n "b": 2 }', 4);
    expect('lines' in read && [...read.lines]).toEqual([
      ['a', 2],
      ['b', 5],
    ]);
  });

  it.each([
    ['', '1:1 it ends here, but an object, { … } is missing'],
    ['{"a":1', '1:7 it ends here, but a comma or } is missing'],
    ['{\n"a":1,\n}', '3:1 } is not expected here; expected: a name in double quotes (is there a comma too many?)'],
    ['{"a" 1}', '1:6 1 is not expected here; expected: a colon after the name'],
    ['{"a":1 "b":2}', '1:8 "b" is not expected here; expected: a comma or }'],
    ['{"a":[1,]}', '1:9 ] is not expected here; expected: a value'],
    ['{"a":[1}}', '1:8 } is not expected here; expected: a comma or ]'],
    ['{"a":1}}', '1:8 } is not expected here; expected: nothing more'],
    ['{"a":,}', '1:6 , is not expected here; expected: a value'],
    ['[1]', '1:1 [ is not expected here; expected: an object, { … }'],
    ['"a"', '1:1 "a" is not expected here; expected: an object, { … }'],
    ["{'a':1}", '1:2 text must be in double quotes'],
    ['{a:1}', '1:2 a is not a JSON value; text must be in double quotes'],
    ['{"a":tru}', '1:6 tru is not a JSON value; text must be in double quotes'],
    ['{"a":NaN}', '1:6 NaN is not a JSON value; text must be in double quotes'],
    ['{"a":01}', '1:6 01 is not a JSON value; text must be in double quotes'],
    ['{"a":"x\ny"}', '1:6 this text is not closed or contains a line break or an invalid \\'],
    ['{"a":"\\x"}', '1:6 this text is not closed or contains a line break or an invalid \\'],
    ['// one\n{}', '1:1 JSON has no comments'],
    ['{"a":1,"a":2}', '1:8 "a" appears twice in the same object'],
    ['{"a":{"__proto__":1}}', '1:7 __proto__ cannot be a name'],
    ['{"a":{"__pr\\u006fto__":1}}', '1:7 __proto__ cannot be a name'],
    ['{"a":[[[[]]]]}', '1:9 it is nested deeper than 4 levels'],
  ])('is refused with line, column and reason: %j', (text, expected) => {
    expect(problem(text)).toBe(expected);
  });

  it('cuts long values in messages', () => {
    expect(problem(`{"a":${'x'.repeat(500)}}`)).toBe(
      `1:6 ${'x'.repeat(40)}… is not a JSON value; text must be in double quotes`,
    );
  });

  it('accepts the texts that JSON.parse accepts, except by its stricter rules', () => {
    const pieces = ['{', '}', '[', ']', ':', ',', '"a"', '"b"', '1', 'null', ' ', '-', 'x'];
    let seed = 7;
    const next = (count: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * count);
    };
    for (let round = 0; round < 20_000; round++) {
      const text = `{${Array.from({ length: next(8) }, () => pieces[next(pieces.length)]).join('')}}`;
      const isJson = parses(text);
      const read = readJsonObject(text, 20);
      const isTaken = 'value' in read || read.reason.includes('appears twice');
      expect(isTaken, text).toBe(isJson);
    }
  });
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
