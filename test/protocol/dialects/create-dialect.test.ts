import { describe, expect, it } from 'vitest';
import { createDialect } from '../../../src/protocol/dialects/create-dialect.ts';
import type { DialectData } from '../../../src/protocol/dialects/dialect-data.ts';
import { invalidGrant, OAuthError } from '../../../src/protocol/errors.ts';
import { createTestServer, frontend, issuer, now } from '../../support/server.ts';

const data: DialectData = {
  name: 'made-up',
  options: { realm: 'demo' },
  metadata: {
    add: { realm: '${options.realm}', of: '${issuer}', both: '${usual.kept}', not: '${options.x}' },
    omit: ['gone'],
  },
  forms: {
    accessToken: {
      omit: ['client_id'],
      rules: [
        { claims: { azp: '${client.client_id}', aud: ['${...audience}', 'account'], who: '${user.claims.email}' } },
      ],
    },
    refreshToken: { omit: [], rules: [{ claims: { typ: 'Refresh' } }] },
  },
  accessTokenType: 'JWT',
  errors: {
    client_unknown: { status: 403, error: 'access_denied', error_description: 'No ${sent}' },
    grant_type_not_registered: [{ sent: 'password', error: 'one' }, { error: 'other' }],
  },
};
const dialect = createDialect(data);
const { server } = createTestServer({ clients: [frontend] });
const about = {
  server,
  client: frontend,
  authorization: { sub: 'alice', grant_type: 'authorization_code' },
  scopes: ['openid'],
};

describe('a dialect', () => {
  it('adds members to the metadata and leaves others out', () => {
    expect(dialect.metadata(server, { kept: 1, gone: 2 })).toEqual({ kept: 1, realm: 'demo', of: issuer, both: 1 });
  });

  it('writes a token in its form, with one audience as a text', () => {
    const usual = { sub: 'alice', client_id: 'frontend' };
    const written = dialect.write('accessToken', about, usual);
    expect(written).toEqual({ sub: 'alice', azp: 'frontend', aud: 'account', who: 'alice@example.com' });
    expect(dialect.written(usual, written)).toEqual({ by: 'made-up', claims: ['azp', 'aud', 'who'] });
  });

  it('names the issuer by its address, or by a template', () => {
    expect(dialect.identifier(issuer)).toBe(issuer);
    const other = createDialect({ ...data, identifier: '${issuer}/${options.realm}/v2.0' });
    expect(other.identifier(issuer)).toBe(`${issuer}/demo/v2.0`);
  });

  it('leaves what has no form of its own as it is', () => {
    const answer = { access_token: 'x' };
    expect(dialect.write('tokenResponse', about, answer)).toBe(answer);
  });

  it('makes refresh tokens that can be decoded, and differ for each id', () => {
    const facts = {
      authorization: { ...about.authorization, id: 'a', client_id: 'frontend', scopes: [], resources: [] },
      iat: now,
      exp: now + 60,
    };
    const tokens = ['tok_1', 'tok_2'].map(tokenId => dialect.refreshToken?.(about, { ...facts, tokenId }) ?? '');
    expect(new Set(tokens).size).toBe(2);
    const claims = JSON.parse(Buffer.from(tokens[0]?.split('.')[1] ?? '', 'base64url').toString());
    expect(claims).toMatchObject({ typ: 'Refresh', iss: issuer, azp: 'frontend', exp: now + 60, jti: 'a.1' });
  });

  it('knows the claims of its access tokens, and of no other JWT', async () => {
    await dialect.keepClaims(server, 'a.b.c', { exp: now + 60, client_id: 'frontend' }, now + 60);
    expect(await dialect.ownClaims(server, 'a.b.c')).toEqual({ exp: now + 60, client_id: 'frontend' });
    expect(await dialect.ownClaims(server, 'a.b.d')).toBeUndefined();
  });

  it('answers an error by its reason, with the value that was sent', () => {
    const unknown = new OAuthError('invalid_client', 'client_unknown', 'usual', { sent: 'nobody' });
    expect(dialect.spoken(unknown)).toMatchObject({
      status: 403,
      error: 'access_denied',
      error_description: 'No nobody',
    });
    const without = new OAuthError('invalid_client', 'client_unknown', 'usual');
    expect(dialect.spoken(without)).toMatchObject({ error_description: 'usual' });
    expect(dialect.spoken(invalidGrant('code_replayed', 'usual'))).toBeUndefined();
  });

  it('takes the first rule that fits the value', () => {
    const about = (sent: string) =>
      new OAuthError('unauthorized_client', 'grant_type_not_registered', 'usual', { sent });
    expect(dialect.spoken(about('password'))).toMatchObject({ error: 'one' });
    expect(dialect.spoken(about('implicit'))).toMatchObject({ error: 'other' });
  });
});
