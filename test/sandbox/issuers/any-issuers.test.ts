import { expect, it } from 'vitest';
import { reservedSegments } from '../../../src/sandbox/config/issuers.ts';
import { issuerPathIn } from '../../../src/sandbox/issuers/any-issuers.ts';

it.each([
  ['/team-a/.well-known/openid-configuration', '/team-a'],
  ['/a/b/c/d/.well-known/oauth-authorization-server', '/a/b/c/d'],
  ['/.well-known/openid-configuration/team-a', '/team-a'],
  ['/.well-known/oauth-authorization-server/a/b', '/a/b'],
  ['/team-a/oauth2/token', '/team-a'],
  ['/team-a/oauth2/authorize?client_id=x&next=/b/oauth2/token', '/team-a'],
])('%s names the issuer %s', (url, path) => {
  expect(issuerPathIn(url, reservedSegments([]))).toBe(path);
});

it.each([
  ...['/', '/team-a', '/team-a/anything', '/.well-known/openid-configuration', '/oauth2/token'],
  ...['/dashboard/oauth2/token', '/api/.well-known/openid-configuration', '/i/x/oauth2/token', '/a/login/userinfo'],
  ...['/a/b/c/d/e/oauth2/token', '/%61/oauth2/token', '/../oauth2/token', '/a/./oauth2/token', '/a//oauth2/token'],
  ...['//evil.example/oauth2/token', `/${'a'.repeat(65)}/oauth2/token`, '/a\\b/oauth2/token', '', '*'],
  'http://evil.example/a/oauth2/token',
])('%s names no issuer', url => {
  expect(issuerPathIn(url, reservedSegments([]))).toBeUndefined();
});
