import { describe, expect, it } from 'vitest';
import { requestedScopes } from '../../src/oauth/requests/requested-access.ts';
import { foreignScopes, formatScope, parseScope } from '../../src/oauth/scope.ts';
import { sensor, web } from '../support/server.ts';

describe('a scope (RFC 6749 §3.3)', () => {
  it.each([
    [undefined, []],
    ['', []],
    ['   ', []],
    ['a b', ['a', 'b']],
    [' b  a ', ['b', 'a']],
    ['a a b a', ['a', 'b']],
    ['A a', ['A', 'a']],
    ['__proto__ constructor', ['__proto__', 'constructor']],
  ])('%j has the tokens %j', (scope, tokens) => {
    expect(parseScope(scope)).toEqual(tokens);
  });

  it('is absent when it is empty', () => {
    expect(formatScope([])).toBeUndefined();
    expect(formatScope(['a', 'b'])).toBe('a b');
  });

  it('has foreign tokens', () => {
    expect(foreignScopes(['a', 'b'], ['b', 'c'])).toEqual(['a']);
  });
});

describe('the scopes a client asks for', () => {
  it('are none when none are asked for', () => {
    expect(requestedScopes(web, undefined)).toEqual([]);
  });

  it('may come in any order', () => {
    expect(requestedScopes(web, 'profile openid')).toEqual(['profile', 'openid']);
  });

  it.each([
    'bikes:read',
    'telemetry:write bikes:read',
    'bikes:read telemetry:write',
    'Telemetry:write',
    'telemetry',
    '*',
  ])('refuse the whole request for a foreign one: %s', scope => {
    expect(() => requestedScopes(sensor, scope)).toThrow('invalid_scope: not registered for this client');
  });

  it.each(['tele"metry', 'telemetry\\write', 'tëlemetry'])('refuse characters no scope has: %s', scope => {
    expect(() => requestedScopes(sensor, scope)).toThrow(
      'invalid_scope: scope contains characters that are not allowed',
    );
  });

  it('may be very many', () => {
    expect(() => requestedScopes(sensor, 'x '.repeat(30_000) + 'y'.repeat(30_000))).toThrow('invalid_scope');
  });
});
