import { expect, it } from 'vitest';
import { checkText } from '../../../src/extensions/lessons/pack/read-pack.ts';
import { picture, pictureStep } from '../../../src/extensions/lessons/text/lesson-text.ts';

const names = { browser: 'Browser', client: 'Shop', server: 'Server', api: 'API' };

it('a picture has the lanes that take part, and each message from lane to lane', () => {
  const steps = ['client to server: code', 'server to client: tokens: two of them', 'client to api: token'];
  expect(
    picture(
      steps.flatMap(line => pictureStep(line) ?? []),
      names,
    ),
  ).toEqual({
    lanes: ['Shop', 'Server', 'API'],
    steps: [
      { from: 'Shop', to: 'Server', what: 'code', first: 1, last: 2, isBack: false },
      { from: 'Server', to: 'Shop', what: 'tokens: two of them', first: 1, last: 2, isBack: true },
      { from: 'Shop', to: 'API', what: 'token', first: 1, last: 3, isBack: false },
    ],
  });
});

it.each(['client to client: nothing', 'client to shop: code', 'client: code', 'client to server:'])(
  'a line in a different form is no message: %s',
  line => expect(pictureStep(line)).toBeUndefined(),
);

it('a line of a picture that is no message is a problem of a lesson', () => {
  const facts = '---\ntitle: A\nminutes: 1\nneeds: curl\nreferences: RFC 6749 §4.1\nreviewed: 2026-11-23\n---\nStory';
  const text = `${facts}\n\n## Picture\n\n- client to server: code\n- client and server: code\n\n## Task a: A\n`;
  expect(checkText(text)).toEqual([
    { line: 13, found: '- client and server: code', expected: expect.stringContaining('FROM to TO') },
  ]);
});
