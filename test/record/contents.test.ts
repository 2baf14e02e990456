import { expect, it } from 'vitest';
import { contentsOf } from '../../src/record/flows/contents.ts';

it('a search finds each header as a line, and the decoded pairs of a form', () => {
  const { recorded, withoutSecrets } = contentsOf({
    url: '/oauth2/token?a=b+c',
    ip: '127.0.0.1',
    requestHeaders: 'Accept\n*/*\nX-Empty\n\nAuthorization\nBasic c2VjcmV0',
    requestBody: { text: 'scope=openid+profile', bytes: 20 },
    responseHeaders: 'Content-Type\napplication/json',
  });
  expect(recorded).toEqual([
    '/oauth2/token?a=b+c',
    'a=b c',
    'Accept: */*\nX-Empty: \nAuthorization: Basic c2VjcmV0',
    'Content-Type: application/json',
    'scope=openid+profile',
    'scope=openid profile',
  ]);
  expect(withoutSecrets()[2]).toBe('Accept: */*\nX-Empty: \nAuthorization: Basic [redacted]');
});
