/** What a parameter may look like that nobody wanted: the words for it, and how it is written for a name. */
export const badParameters: readonly (readonly [what: string, make: (name: string) => string])[] = [
  ['missing', () => ''],
  ['empty', name => `${name}=`],
  ['without =', name => name],
  ['doubled', name => `${name}=a&${name}=b`],
  ['doubled alike', name => `${name}=a&${name}=a`],
  ['huge', name => `${name}=${'x'.repeat(9000)}`],
  ['a NUL', name => `${name}=a%00b`],
  ['a raw control character', name => `${name}=a%01b`],
  ['CR LF', name => `${name}=a%0d%0aSet-Cookie:%20evil=1`],
  ['broken percent-encoding', name => `${name}=%zz`],
  ['half an escape', name => `${name}=%`],
  ['broken UTF-8', name => `${name}=%ff%fe`],
  ['an overlong NUL', name => `${name}=%c0%80`],
  ['a lone surrogate', name => `${name}=%ed%a0%80`],
  ['an emoji', name => `${name}=%F0%9F%98%80`],
  ['right to left', name => `${name}=%E2%80%AE`],
  ['an array', name => `${name}[]=a&${name}[x]=b`],
  ['JavaScript', name => `${name}=__proto__`],
  ['a constructor', name => `${name}=constructor`],
  ['JSON', name => `${name}=%7B%22a%22%3A1%7D`],
  ['a script', name => `${name}=${encodeURIComponent('"><script>alert(1)</script>')}`],
  ['SQL', name => `${name}=${encodeURIComponent("' OR 1=1 --")}`],
  ['a template', name => `${name}=${encodeURIComponent('<%= 7*7 %>#{7*7}{{7*7}}')}`],
  ['a path', name => `${name}=../../../../etc/passwd`],
  ['a negative number', name => `${name}=-1`],
  ['a huge number', name => `${name}=${'9'.repeat(400)}`],
];

/** Text that would be markup, and run, wherever it is not escaped. */
export const script = '"\'><script>alert(1)</script><img src=x onerror=alert(2)>';

/** Addresses that do something as soon as they are a link or a picture. */
export const badAddresses = [
  'javascript:alert(1)//http://app.test/',
  'data:text/html,<script>alert(1)</script>',
  `http://app.test/${script}`,
] as const;

/** JSON texts that are not what anybody expects: of other types, deep, long, and named like things of JavaScript. */
export const badJson: readonly (readonly [what: string, text: string])[] = [
  ['nothing', ''],
  ['null', 'null'],
  ['a number', '42'],
  ['a number beyond all numbers', '1e999'],
  ['a boolean', 'true'],
  ['an empty text', '""'],
  ['a text', '"text"'],
  ['a long text', JSON.stringify('x'.repeat(9000))],
  ['a lone surrogate', '"\\ud800"'],
  ['a NUL', '"\\u0000"'],
  ['CR LF', '"a\\r\\nSet-Cookie: evil=1"'],
  ['an address with a script', '"javascript:alert(1)"'],
  ['markup', JSON.stringify(script)],
  ['an empty list', '[]'],
  ['a list of null', '[null]'],
  ['a list of lists', '[[["a"]]]'],
  ['a list with holes of every type', '[1,true,null,"a",{},[]]'],
  ['two thousand members of a list', JSON.stringify(Array.from({ length: 2000 }, (_, index) => `m${index}`))],
  ['an empty object', '{}'],
  ['an object', '{"a":{"b":1}}'],
  ['a thousand members', JSON.stringify(Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`m${n}`, n])))],
  ['__proto__', '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'],
  ['names of JavaScript', '{"toString":1,"valueOf":null,"hasOwnProperty":"x","length":-1}'],
  ['a member twice', '{"a":1,"a":2}'],
  ['twelve thousand lists in each other', `${'['.repeat(6000)}${']'.repeat(6000)}`],
  ['a thousand objects in each other', `${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}`],
  ['fifty thousand lists in each other', '['.repeat(25_000) + ']'.repeat(25_000)],
  ['no JSON', '{"a":'],
  ['words', 'undefined'],
];
