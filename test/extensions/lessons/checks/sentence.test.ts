import { expect, it } from 'vitest';
import { generic, sentenceOf } from '../../../../src/extensions/lessons/checks/sentence.ts';

it.each([
  [{ field: 'scope', expected: '… orders:read …' }, 'Almost: your request has no `scope`. Ask for `orders:read`.'],
  [{ field: 'scope', sent: 'a', expected: 'b' }, 'Your request asked for the scope `a`. This task needs `b`.'],
  [{ field: 'status', sent: '400', expected: '201' }, 'The response was 400. This task needs 201.'],
  [{ field: 'sub', sent: 'alice', expected: 'bob' }, 'That was the user `alice`. This task is about `bob`.'],
  [{ field: 'sub', expected: 'bob' }, 'This task is about the user `bob`.'],
  [
    { field: 'endpoint', sent: 'discovery', expected: 'jwks' },
    'The request went to a different address than the one of this task.',
  ],
  [
    { field: 'about', sent: 'tok_1', expected: 'tok_2' },
    'That belongs to a different request or sign-in than the one before.',
  ],
  [
    { field: 'piece', sent: 'claims', expected: 'signature', part: 'piece' },
    'You changed claims. This task is about signature.',
  ],
  [
    { field: 'code_verifier', sent: 'v', expected: 'nothing', part: 'parameter' },
    'Your request has the parameter `code_verifier`. This task asks for one without.',
  ],
  [{ field: 'DPoP', expected: 'any value', part: 'header' }, 'Almost: your request has no header `DPoP`.'],
  [
    { field: 'code', sent: 'a', expected: 'b', part: 'parameter' },
    'Almost: the parameter `code` of your request is not the one that this task asks for.',
  ],
  [{ field: 'case', sent: 'none', expected: 'audience' }, generic],
] as const)('says of %j: %s', (difference, sentence) => {
  expect(sentenceOf(difference)).toBe(sentence);
});
