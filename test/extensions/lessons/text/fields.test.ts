import { describe, expect, it } from 'vitest';
import { builtIn } from '../../../../src/extensions/lessons/built-in.ts';
import { fieldFindings } from '../../../../src/extensions/lessons/pack/check-fields.ts';
import { type Field, fieldOf, readPasted } from '../../../../src/extensions/lessons/text/fields.ts';

const field = (line: string): Field => fieldOf(line) ?? { name: '', from: '', label: '' };
const code = field('{{code: the code from the address bar}}');
const nonce = field('{{nonce from DPoP-Nonce: the nonce}}');

describe('a box', () => {
  it('has a name, the member that it is read from, and a label', () => {
    expect(code).toEqual({ name: 'code', from: 'code', label: 'the code from the address bar' });
    expect(nonce).toEqual({ name: 'nonce', from: 'DPoP-Nonce', label: 'the nonce' });
    for (const line of ['{{code}}', '{{Code: x}}', '{{code:}}', 'a {{code: x}}']) expect(fieldOf(line)).toBeUndefined();
  });

  it.each([
    [code, ' abc ', 'abc'],
    [code, 'http://localhost:3000/callback?code=a%2Bc&state=xyz', 'a+c'],
    [code, 'localhost:3000/callback?state=xyz&code=abc#x', 'abc'],
    [code, 'code=abc', 'abc'],
    [code, 'abc&session_state=1&state=xyz', 'abc'],
    [code, '"abc",', 'abc'],
    [field('{{access_token: x}}'), 'HTTP/1.1 200 OK\n\n{"access_token":"a.b.c","id_token":"d"}', 'a.b.c'],
    [field('{{second from refresh_token: x}}'), '{ "refresh_token" : "r2" }', 'r2'],
    [nonce, 'HTTP/1.1 400\ndpop-nonce: n1\nDate: x', 'n1'],
    [field('{{resource_metadata: x}}'), 'WWW-Authenticate: Bearer resource_metadata="http://h/m"', 'http://h/m'],
    [field('{{resource_metadata: x}}'), 'http://h/m', 'http://h/m'],
    [code, '  ', ''],
  ])('takes its value from what is pasted: %#', (own, pasted, value) => {
    expect(readPasted(own, pasted)).toEqual({ value });
  });

  it.each([
    ['http://localhost:3000/callback?error=access_denied', /no code: it says error=access_denied/],
    ['the code here', /Paste the value alone/],
    ['a$(b)', /one of the characters/],
    ["a'b", /one of the characters/],
    ['a'.repeat(9000), /longer than/],
  ])('says why it takes nothing: %#', (pasted, problem) => {
    expect(readPasted(code, pasted)).toEqual({ problem: expect.stringMatching(problem) });
  });
});

describe('lesson.md', () => {
  const found = (...lines: string[]) =>
    fieldFindings(['## Task a: A', '', ...lines]).map(({ line, expected }) => `${line}: ${expected}`);
  const sh = (line: string) => ['```sh', line, '```'];

  it('may have a box above its commands', () => {
    expect(found('{{code: the code}}', '', ...sh('curl {{issuer}} -d code={{code}}'))).toEqual([]);
  });

  it.each([
    [[...sh('curl -d code={{code}}')], '4: {{issuer}}, or a name with a box {{code: LABEL}} above'],
    [
      ['{{code: x}}', ...sh('curl {{code}} {{coda}}')],
      '5: {{issuer}}, or a name with a box {{coda: LABEL}} above (did you mean {{code}}?)',
    ],
    [[...sh('curl {{code}}'), '{{code: x}}'], '4: its box above this line, not in line 6'],
    [['{{code: x}}'], '3: a command below that has {{code}}'],
    [['{{code: x}}', '{{code: y}}', '{{code}}'], '4: a name that nothing else has, not code'],
    [['{{Code: x}}'], '3: a box {{name: LABEL}} or {{name from MEMBER: LABEL}}, with a small first letter'],
    [['{{code: x}}', ...sh('X={{code}}')], '4: "{{code}}", in quotes, because the block is not curl alone'],
    [[...sh('CODE=paste the code here')], '4: a box {{name: LABEL}} above the command, and {{name}} in the command'],
    [['![a](b.png)'], '3: words, or messages below ## Picture: an image is not shown'],
    [['## Quiz q: Q', '{{code: x}}', '{{code}}'], '4: a box below a heading ## Task'],
  ])('says what is wrong with a box, a command or an image: %#', (lines, expected) => {
    expect(found(...lines)).toEqual([expected]);
  });

  it.each(builtIn.map(({ id, load }) => [id, load] as const))('of %s has boxes for its commands', async (_id, load) => {
    expect(fieldFindings((await load()).text.split('\n'))).toEqual([]);
  });
});
