import { describe, expect, it } from 'vitest';
import { requestedScopes } from '../../src/protocol/requests/requested-access.ts';
import { foreignScopes, formatScope, parseScope } from '../../src/protocol/scope.ts';
import { createTestServer, sensor, web } from '../support/server.ts';

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
  const { server } = createTestServer();

  it('are none when none are asked for', () => {
    expect(requestedScopes(server, web, undefined)).toEqual([]);
  });

  it('may come in any order', () => {
    expect(requestedScopes(server, web, 'profile openid')).toEqual(['profile', 'openid']);
  });

  const define = 'to define it, add it to scopes in the configuration';

  it.each([
    ['bikes:read', 'not registered for this client: bikes:read'],
    ['telemetry:write bikes:read', 'not registered for this client: bikes:read'],
    ['bikes:read telemetry:write', 'not registered for this client: bikes:read'],
    ['Telemetry:write', `unknown scope: Telemetry:write; ${define}`],
    ['telemetry moon', `unknown scope: telemetry moon; ${define}`],
    ['moon bikes:read', `not registered for this client: bikes:read; unknown scope: moon; ${define}`],
    ['openid,profile', 'unknown scope: openid,profile; spaces separate scopes'],
  ])('refuse the whole request for a foreign one: %s', (scope, description) => {
    expect(() => requestedScopes(server, sensor, scope)).toThrow(`invalid_scope: ${description}`);
  });

  it.each(['tele"metry', 'telemetry\\write', 'tëlemetry'])('refuse characters no scope has: %s', scope => {
    expect(() => requestedScopes(server, sensor, scope)).toThrow(
      'invalid_scope: scope contains characters that are not allowed',
    );
  });

  it('may be very many', () => {
    expect(() => requestedScopes(server, sensor, 'x '.repeat(30_000) + 'y'.repeat(30_000))).toThrow('invalid_scope');
  });
});
