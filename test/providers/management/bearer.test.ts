import { describe, expect, it } from 'vitest';
import { OAuthError } from '../../../src/protocol/errors.ts';
import { apiErrors as auth0 } from '../../../src/providers/auth0/api/api.ts';
import { asApiError as github } from '../../../src/providers/github/error-forms.ts';
import { requireBearer } from '../../../src/providers/management/call.ts';
import { apiErrors as okta } from '../../../src/providers/okta/api-errors.ts';
import type { ErrorContext } from '../../../src/server/http/error-replies.ts';
import { createTestServer } from '../../support/server.ts';

const { request } = createTestServer();

function refusalOf(authorization: string | undefined, description?: string): OAuthError {
  const sent = authorization === undefined ? {} : { authorization };
  try {
    requireBearer(request({}, sent), description === undefined ? {} : { description });
  } catch (error) {
    if (error instanceof OAuthError) return error;
  }
  throw new Error('nothing was refused');
}

const unusable = [
  ['Basic bGV0OmluCg==', 'Basic'],
  ['abc.def.ghi', '11 characters without a scheme'],
  ['undefined', 'the word undefined'],
] as const;

describe('a management API', () => {
  it('says that the token is missing only where no header was sent', () => {
    expect(refusalOf(undefined).reason).toBe('access_token_missing');
    expect(refusalOf('').reason).toBe('access_token_missing');
  });

  it.each(unusable)('names what the header has in place of a token: %s', (authorization, sent) => {
    const { reason, status, details } = refusalOf(authorization, 'Access token is empty.');
    expect([reason, status, details.sent]).toEqual(['access_token_scheme_wrong', 401, sent]);
    expect(refusalOf(authorization, 'Access token is empty.').description).toBe('Access token is empty.');
  });

  it.each(unusable)('answers as its provider does for no token: %s', async authorization => {
    const context = {} as ErrorContext; // these forms do not read it
    const texts = [];
    for (const form of [okta, auth0, github]) {
      const { status, body } = await form.answer(refusalOf(authorization), context);
      expect(status).toBe(401);
      texts.push(String(body));
    }
    expect(texts[0]).toContain('"E0000005"');
    expect(texts[1]).toContain('"message":"Missing authentication","errorCode":"missing_token"');
    expect(texts[2]).toContain('"Requires authentication"');
  });
});
