import { describe, expect, it } from 'vitest';
import {
  descriptionCharacters,
  invalidClient,
  invalidGrant,
  invalidRequest,
  OAuthError,
} from '../../src/protocol/errors.ts';

describe('an OAuthError', () => {
  it.each([
    [invalidRequest('parameter_missing', 'x'), 400],
    [invalidGrant('code_replayed', 'x'), 400],
    [invalidClient('client_unknown', 'x'), 401],
    [new OAuthError('server_error', 'internal', 'x'), 500],
    [new OAuthError('invalid_request', 'body_too_large', 'x', { status: 413 }), 413],
  ])('has the status of its code, or the one HTTP asks for: %s', (error, status) => {
    expect(error.status).toBe(status);
  });

  it.each([
    ['say "please"', "say 'please'"],
    ['back\\slash', "back'slash"],
    ['line\r\nbreak', 'line??break'],
    ['ünï', '?n?'],
    ['see RFC 9101 §5.2', 'see RFC 9101 section 5.2'],
    ['\0\x7f', '??'],
    ['A-Z ~!#[]', 'A-Z ~!#[]'],
  ])('describes %j as %j: only the characters of RFC 6749 §5.2', (text, told) => {
    expect(descriptionCharacters(text)).toBe(told);
    expect(invalidRequest('parameter_malformed', text).description).toBe(told);
  });

  it('keeps its cause', () => {
    const cause = new Error('why');
    expect(invalidRequest('body_malformed', 'x', { cause }).cause).toBe(cause);
  });
});
