import { describe, expect, it } from 'vitest';
import { createMatcher, parseQuery, type Searchable } from '../../../../src/base/events/search.ts';
import { claimsOf } from '../../../../src/dashboard/claims/claim-values.ts';
import { filterBox } from '../../../../src/dashboard/filter-box.ts';
import { createLog, issue, jwt, now, tokenFact } from '../../../dashboard/running-dashboard.ts';
import { workOf } from '../../../support/work.ts';

interface Thing {
  readonly name: string;
  readonly colours?: readonly string[];
  readonly size: number;
  readonly parts?: Readonly<Record<string, string>>;
  readonly text?: string;
  readonly at: number;
}

const contentsOf = ({ text = '' }: Thing) => ({
  recorded: [text],
  withoutSecrets: () => [text.replace('Secret', '[redacted]')],
});

const things: Searchable<Thing> = {
  fields: {
    name: { suggested: true, of: thing => thing.name },
    colour: { suggested: true, of: thing => thing.colours },
    size: { of: thing => thing.size },
    has: { values: ['parts'], of: thing => (thing.parts === undefined ? [] : ['parts']) },
    text: { within: contentsOf },
    part: { path: true, slow: true, of: (thing, path) => thing.parts?.[path.join('.')] },
  },
  words: thing => [thing.name, ...(thing.colours ?? [])],
  contents: contentsOf,
  at: thing => thing.at,
};

const all: readonly Thing[] = [
  { name: 'ball', colours: ['red', 'Dark Blue'], size: 5, text: 'A Trace and a Secret', at: now - 10 },
  { name: 'box', colours: ['brown'], size: 40, parts: { lid: 'wood', 'a.b': 'x' }, at: now - 600 },
  { name: 'Bottle', size: 40.5, at: now - 7200 },
];

function found(text: string): string[] {
  return all.filter(createMatcher(parseQuery(text, things.fields), things, now)).map(({ name }) => name);
}

const today = new Date(now * 1000).toISOString().slice(0, 10);

describe('a query', () => {
  it.each<[string, string[]]>([
    ['', ['ball', 'box', 'Bottle']],
    ['name:ball', ['ball']],
    ['NAME:BALL', ['ball']],
    ['name:b*', ['ball', 'box', 'Bottle']],
    ['-name:box', ['ball', 'Bottle']],
    ['!name:box', ['ball', 'Bottle']],
    ['colour:red', ['ball']],
    ['colour:"dark blue"', ['ball']],
    ['colour:', ['ball', 'box']],
    ['-colour:', ['Bottle']],
    ['size:40', ['box']],
    ['size:>5', ['box', 'Bottle']],
    ['size:>=40', ['box', 'Bottle']],
    ['size:<40.5 -size:<=5', ['box']],
    ['has:parts', ['box']],
    ['-has:parts', ['ball', 'Bottle']],
    ['part.lid:wood', ['box']],
    ['part.a.b:x', ['box']],
    ['"dark blue"', ['ball']],
    ['blue bal', ['ball']],
    ['-blue', ['box', 'Bottle']],
    ['trace', ['ball']],
    ['secret', []],
    ['text:trace', ['ball']],
    ['text:"and a"', ['ball']],
    ['text:secret', []],
    ['-text:trace', ['box', 'Bottle']],
    ['text:', ['ball', 'box', 'Bottle']],
    ['age:<5m', ['ball']],
    ['age:5m', ['ball']],
    ['age:>1h', ['Bottle']],
    ['age:<1h30m -age:<60s', ['box']],
    ['after:5m', ['ball']],
    ['before:5m', ['box', 'Bottle']],
    [`after:${today}T22:10`, ['ball']],
    [`before:${today}T22:10:00Z`, ['box', 'Bottle']],
    [`after:${today}T23:10+01:00`, ['ball']],
    ['after:22:10', ['ball']],
    [`after:${today}`, ['ball', 'box', 'Bottle']],
    ['name:ball siz:5', []],
    ['siz:5', []],
    ['-siz:5', []],
    ['has:lid', []],
    ['age:young', []],
  ])('%s finds %j', (text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  it.each<[string, RegExp]>([
    ['siz:5', /^Unknown operator `siz:`\. Did you mean `size:`\? Known: name, /],
    ['agee:5m', /Did you mean `age:`\?/],
    ['zzzzzzzzzz:5', /Known: name, colour, size, has, text, part\.<path>, before, after, age\.$/],
    ['name.x:5', /^Unknown operator `name\.x:`/],
    ['part:5', /^Unknown operator `part:`\. Did you mean `part\.<path>:`\?/],
    ['has:lid', /^Unknown value `lid` of `has:`\. Known: parts\.$/],
    ['age:young', /^`age:young` needs a duration, such as <5m or >2h\.$/],
    ['before:noon', /needs a time, such as 5m/],
    ['before:2026-99-99', /needs a time/],
    ['constructor:x', /^Unknown operator `constructor:`/],
  ])('says what it does not understand in %s', (text, expected) => {
    const { terms, problems } = parseQuery(text, things.fields);
    expect(terms).toEqual([]);
    expect(problems).toEqual([expect.stringMatching(expected)]);
  });

  it.each<[(times: number) => string]>([
    [times => '"'.repeat(times)],
    [times => `age:${'1m'.repeat(times)}x`],
    [times => `before:${'1'.repeat(times)}`],
    [times => 'a:'.repeat(times)],
  ])('is read with as much work as it is long: %s', textOf => {
    const workFor = (times: number) => workOf(() => void parseQuery(textOf(times), things.fields));
    expect(workFor(2000)).toBeLessThan(3 * workFor(1000));
  });

  it('is read no further than 4096 characters', () => {
    expect(parseQuery('a'.repeat(5000), things.fields).terms).toMatchObject([{ text: 'a'.repeat(4096) }]);
  });
});

describe('the box of a list', () => {
  const box = filterBox({
    action: '/things',
    query: 'siz:1',
    placeholder: '',
    parsed: parseQuery('siz:1', things.fields),
    list: things,
    items: [...all, { name: 'quo"te', colours: ['', 'a\nb', 'x'.repeat(200)], size: 1, at: now }],
  });

  it('suggests what was recorded, once each, and what there is to choose from', () => {
    expect(box.suggestions).toEqual([
      'name:ball',
      'name:box',
      'name:Bottle',
      'colour:red',
      'colour:"Dark Blue"',
      'colour:brown',
      'has:parts',
    ]);
  });

  it('names the operators, and what was not understood', () => {
    expect(box.operators).toEqual(['name:', 'colour:', 'size:', 'has:', 'text:', 'part.<path>:']);
    expect(box.problems).toHaveLength(1);
  });

  it('offers one term of each operator, and keeps what was typed', () => {
    expect(box.chips).toEqual([
      { term: 'name:ball', href: '/things?q=siz%3A1+name%3Aball' },
      { term: 'colour:red', href: '/things?q=siz%3A1+colour%3Ared' },
      { term: 'has:parts', href: '/things?q=siz%3A1+has%3Aparts' },
    ]);
  });

  it('suggests a dozen values of one operator at most', () => {
    const many = Array.from({ length: 400 }, (_, n) => ({ name: `n${n}`, size: 1, at: now }));
    const { suggestions } = filterBox({ ...box, parsed: parseQuery('', things.fields), list: things, items: many });
    expect(suggestions.filter(each => each.startsWith('name:'))).toHaveLength(12);
  });
});

it('the claims of a token are taken apart once, however often they are looked at', () => {
  const event = issue(createLog(), tokenFact('tok_1', { token: jwt({ roles: ['admin'] }) }));
  expect(claimsOf(event)).toEqual({ roles: ['admin'] });
  expect(claimsOf(event)).toBe(claimsOf(event));
});
