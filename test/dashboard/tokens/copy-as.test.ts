import { describe, expect, it } from 'vitest';
import type { CodeIssued, TokenIssued } from '../../../src/base/events/event.ts';
import { type Copy, copiesOf } from '../../../src/dashboard/tokens/copy-as.ts';
import { codeFact, createLog, issue, issuer, jwt, optionsFor, refreshFact, tokenFact } from '../running-dashboard.ts';

function copies(fact: TokenIssued | CodeIssued): Readonly<Record<Copy['format'], string>> {
  const events = createLog();
  const all = copiesOf(issue(events, fact), optionsFor(events));
  return Object.fromEntries(all.map(({ format, text }) => [format, text])) as Record<Copy['format'], string>;
}

const token = jwt({ iss: issuer, roles: ['admin'], note: 'a | b\n`c`' });

describe('a token can be copied as', () => {
  it.each([
    ['an access token', tokenFact('t'), ['token', 'header', 'curl', 'json', 'markdown', 'http', 'postman']],
    ['an ID token', tokenFact('t', { tokenType: 'id' }), ['token', 'json', 'markdown', 'postman']],
    ['a refresh token', refreshFact('t'), ['token', 'curl', 'markdown', 'http', 'postman']],
    ['a code', codeFact('t'), ['token', 'markdown', 'postman']],
  ])('whatever makes sense for %s', (_, fact, formats) => {
    expect(Object.keys(copies(fact))).toEqual(formats);
  });

  it('itself, and in a header with the scheme its binding demands', () => {
    expect(copies(tokenFact('t', { token }))).toMatchObject({ token, header: `Authorization: Bearer ${token}` });
    const bound = jwt({ cnf: { jkt: 'a' } });
    expect(copies(tokenFact('t', { token: bound })).header).toBe(`Authorization: DPoP ${bound}`);
  });

  it('JSON with its header and its payload', () => {
    expect(JSON.parse(copies(tokenFact('t', { token })).json)).toEqual({
      header: { alg: 'RS256', kid: 'key-1', typ: 'at+jwt' },
      payload: { iss: issuer, roles: ['admin'], note: 'a | b\n`c`' },
    });
  });

  it('JSON of what an opaque one stands for', () => {
    const fact = tokenFact('t', { format: 'opaque', token: 'x'.repeat(43), claims: { iss: issuer } });
    expect(JSON.parse(copies(fact).json)).toEqual({ iss: issuer });
  });

  it('Markdown with a table that no value breaks', () => {
    const { markdown } = copies(tokenFact('t', { token }));
    expect(markdown).toContain('**Access token** of user `alice`, client `frontend`');
    expect(markdown).toContain('Issued 2023-11-14T22:13:20Z, expires 2023-11-14T22:18:20Z.');
    const rows = markdown.split('\n').filter(line => line.startsWith('|'));
    expect(rows.slice(2).map(row => row.split(/(?<!\\)\|/)[2])).toEqual([
      ` \`${issuer}\` `,
      ' `["admin"]` ',
      ' `` a \\| b `c` `` ',
    ]);
  });

  it('an HTTP file with the same call as the curl', () => {
    expect(copies(tokenFact('t', { token })).http.split('\n')).toEqual([
      '### This request reads products',
      `GET ${issuer}/api/products`,
      `Authorization: Bearer ${token}`,
      'Accept: application/json',
      '',
    ]);
    expect(copies(tokenFact('t', { scope: 'telemetry:write' })).http).toMatch(/json\n\n\{"name":"o'clock"\}\n$/);
    expect(copies(refreshFact('t')).http).toContain('grant_type=refresh_token&refresh_token=raw-t&client_id=frontend');
    expect(copies(refreshFact('t', { client_id: 'sensor' })).http).toContain('Basic sensor {{client_secret}}');
  });

  it('a Postman environment with a secret variable', () => {
    expect(JSON.parse(copies(refreshFact('t')).postman)).toEqual({
      name: `Grantbox ${issuer}`,
      values: [{ key: 'refresh_token', value: 'raw-t', type: 'secret', enabled: true }],
      _postman_variable_scope: 'environment',
    });
  });

  it('never the secret of its client', () => {
    const all = Object.values(copies(refreshFact('t', { client_id: 'sensor' }))).join('\n');
    expect(all).not.toContain(`it's secret`);
  });
});
