import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../src/base/events/exchange.ts';
import { redact, redactText, secretsOf } from '../../../src/record/flows/redaction.ts';
import { workOf } from '../../support/work.ts';

const jwt = (claims: object, signature = 'c2lnbmF0dXJlLXNpZ25hdHVyZQ') =>
  `${part({ alg: 'RS256', typ: 'JWT' })}.${part(claims)}.${signature}`;
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const signed = jwt({ sub: 'alice' });
const json = { 'content-type': 'application/json; charset=utf-8' };
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const html = { 'Content-Type': 'text/html; charset=utf-8' };

interface Parts {
  readonly url?: string;
  readonly sent?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly got?: Readonly<Record<string, string>>;
  readonly answer?: string;
}

function exchange({ url = '/', sent = {}, body, got = {}, answer }: Parts): Exchange {
  return {
    url,
    ip: '127.0.0.1',
    requestHeaders: Object.entries(sent).flat().join('\n'),
    ...(body === undefined ? {} : { requestBody: { text: body, bytes: body.length } }),
    responseHeaders: Object.entries(got).flat().join('\n'),
    ...(answer === undefined ? {} : { responseBody: { text: answer, bytes: answer.length } }),
  };
}

const masked = (parts: Parts) => redact(exchange(parts));

describe('a redacted exchange', () => {
  it.each([
    'code',
    'code_verifier',
    'client_secret',
    'password',
    'refresh_token',
    'access_token',
    'token',
    'subject_token',
    'actor_token',
    'assertion',
    'client_assertion',
    'device_code',
    'user_code',
    'auth_req_id',
    'registration_access_token',
    'id_token_hint',
    'login_hint_token',
    'response',
    'clientSecret',
    'newPassword',
  ])('has no %s, in whatever form it was sent', name => {
    const secret = 'Zm9-b.r_1234567';
    const query = `x=1&${name}=${secret}&state=kept-state`;
    const member = JSON.stringify({ [name]: secret, nested: [{ [name]: secret }], state: 'kept-state' });
    const fields = `<input type="hidden" name="${name}" value="${secret}"><input value='${secret}' name='${name}'>`;
    for (const parts of [
      { url: `/callback?${query}` },
      { url: `/callback#${query}` },
      { sent: form, body: query },
      { sent: json, body: member },
      { sent: { Referer: `http://localhost/?${query}` } },
      { got: { Location: `http://localhost:3000/callback?${query}` } },
      { got: { Location: `com.example:/callback#${query}` } },
      { got: json, answer: member },
      { got: json, answer: member.slice(0, -30) },
      { got: html, answer: `<form>${fields}</form><p>state=kept-state <a href="/x?y=1&amp;${name}=${secret}">` },
      { got: { 'Content-Type': 'text/plain' }, answer: `${name}=${secret} and state=kept-state` },
    ] satisfies Parts[]) {
      const text = JSON.stringify(masked(parts));
      expect(text, JSON.stringify(parts)).not.toContain(secret);
      expect(text, JSON.stringify(parts)).toContain('[redacted]');
    }
    expect(masked({ url: `/callback?${query}` }).url).toContain('state=kept-state');
  });

  it.each([
    ['Authorization', 'Basic d2ViOndlYi1zZWNyZXQ=', 'Basic [redacted]'],
    ['authorization', 'Bearer opaque-token-1234', 'Bearer [redacted]'],
    ['Authorization', `Bearer ${signed}`, `Bearer ${signed.slice(0, signed.lastIndexOf('.'))}.[redacted]`],
    ['Authorization', `DPoP ${signed}`, `DPoP ${signed.slice(0, signed.lastIndexOf('.'))}.[redacted]`],
    ['DPoP', signed, `${signed.slice(0, signed.lastIndexOf('.'))}.[redacted]`],
    ['Cookie', 'sid=abc; __Host-login=def', 'sid=[redacted]; __Host-login=[redacted]'],
    ['Set-Cookie', 'sid=abc; Path=/; HttpOnly', 'sid=[redacted]; Path=/; HttpOnly'],
    ['X-Anything', `a token ${signed}.`, `a token ${signed.slice(0, signed.lastIndexOf('.'))}.[redacted].`],
    ['Proxy-Authorization', 'Digest response="x"', 'Digest [redacted]'],
  ])('shows %s: %s as %s', (name, value, shown) => {
    expect(masked({ sent: { [name]: value } }).requestHeaders).toBe(`${name}\n${shown}`);
    expect(masked({ got: { [name]: value } }).responseHeaders).toBe(`${name}\n${shown}`);
  });

  it('keeps the claims of a token and takes its signature', () => {
    const { responseBody } = masked({ got: json, answer: JSON.stringify({ access_token: signed, expires_in: 300 }) });
    expect(JSON.parse(responseBody?.text ?? '')).toEqual({
      access_token: `${signed.slice(0, signed.lastIndexOf('.'))}.[redacted]`,
      expires_in: 300,
    });
  });

  it('keeps nothing but the header of what is encrypted, and all of what is not signed', () => {
    const encrypted = [part({ alg: 'RSA-OAEP', enc: 'A256GCM' }), 'a-key', 'an-iv', 'a-cipher-text', 'a-tag'].join('.');
    const unsigned = `${part({ alg: 'none' })}.${part({ sub: 'alice' })}.`;
    const { url } = masked({ url: `/?id_token_hint=${encrypted}&request=${unsigned}` });
    expect(url).toBe(`/?id_token_hint=${encrypted.split('.')[0]}.[redacted]&request=${unsigned}`);
  });

  it('has no signed authorization response: its claims hold the code', () => {
    const response = jwt({ code: 'the-code' });
    expect(masked({ url: `/cb?response=${response}` }).url).toBe('/cb?response=[redacted]');
    const page = `<input type="hidden" name="response" value="${response}">`;
    expect(masked({ got: html, answer: page }).responseBody?.text).toBe(
      '<input type="hidden" name="response" value="[redacted]">',
    );
  });

  it('has no private key', () => {
    const body = JSON.stringify({ jwks: { keys: [{ kty: 'EC', crv: 'P-256', x: 'x-value', d: 'private-d' }] } });
    const text = masked({ sent: json, body }).requestBody?.text;
    expect(text).toContain('x-value');
    expect(text).not.toContain('private-d');
  });

  it('has no secret that a text elsewhere in it repeats, in any spelling', () => {
    const secret = `p&ss "w'rd" <1>`;
    const body = new URLSearchParams({ password: secret }).toString();
    const escaped = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    const answer = [
      secret,
      escaped.replaceAll('"', '&#34;').replaceAll("'", '&#39;'),
      JSON.stringify(secret),
      encodeURIComponent(secret),
      body.slice('password='.length),
    ].join('\n');
    const { responseBody } = masked({ sent: form, body, got: { 'Content-Type': 'text/plain' }, answer });
    expect(responseBody?.text.replaceAll('"', '')).toBe(Array(5).fill('[redacted]').join('\n'));
  });

  it('reads encoded names, and forms that are not quite forms', () => {
    expect(
      masked({ sent: form, body: 'client%5Fsecret=abc&Client-Secret=def&password&=&a==&%' }).requestBody?.text,
    ).toBe('client%5Fsecret=[redacted]&Client-Secret=[redacted]&password&=&a==&%');
    expect(masked({ url: `/?return_to=${encodeURIComponent('/cb?code=abc&x=1')}` }).url).toBe(
      '/?return_to=%2Fcb%3Fcode%3D[redacted]%26x%3D1',
    );
  });

  it('keeps what only sounds like a secret', () => {
    const kept = {
      token_type: 'Bearer',
      token_endpoint: 'http://localhost/oauth2/token',
      token_endpoint_auth_methods_supported: ['client_secret_basic'],
      client_secret_expires_at: 0,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      grant_types_supported: ['authorization_code', 'refresh_token'],
      id_token_signing_alg_values_supported: ['RS256'],
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      state: 'a-state',
      nonce: 'a-nonce',
      keys: [{ kty: 'RSA', n: 'n', e: 'AQAB' }],
    };
    const body = JSON.stringify(kept);
    expect(masked({ got: json, answer: body }).responseBody?.text).toBe(body);
    const query = '/authorize?response_type=code&response_mode=form_post&code_challenge_method=S256&scope=openid';
    expect(masked({ url: query }).url).toBe(query);
  });

  it('leaves the sizes and what was cut as they were', () => {
    const cut: Exchange = { ...exchange({}), responseBody: { text: '{"access_token":"abc', bytes: 70_000, cut: true } };
    expect(redact({ ...cut, responseHeaders: 'Content-Type\napplication/json' }).responseBody).toEqual({
      text: '{"access_token":"[redacted]',
      bytes: 70_000,
      cut: true,
    });
  });

  it('indents JSON that was indented', () => {
    const body = JSON.stringify({ password: 'secret-one', a: 1 }, undefined, 2);
    expect(masked({ sent: json, body }).requestBody?.text).toBe(body.replace('secret-one', '[redacted]'));
  });

  it('masks the value of a credential, and no other value', () => {
    const body = JSON.stringify({
      username: 'carol',
      credentials: [{ type: 'password', value: 'carol-password', temporary: false }],
      secret: { type: 'secret', value: 'client-password' },
      attribute: { type: 'text', value: 'blue' },
    });
    const text = masked({ sent: json, body }).requestBody?.text;
    expect(text).toBe(body.replace('carol-password', '[redacted]').replace('client-password', '[redacted]'));
  });

  it('knows secrets of other exchanges', () => {
    const secrets = secretsOf(exchange({ sent: { Authorization: `Basic ${btoa('web:an%20old%2Bsecret')}` } }));
    expect([...secrets]).toContain('an old+secret');
    expect(redact(exchange({ url: '/log?text=an+old%2Bsecret' }), secrets).url).toBe('/log?text=[redacted]');
    expect(redactText('it was an old+secret, sent with code=abc', secrets)).toBe(
      'it was [redacted], sent with code=[redacted]',
    );
  });

  it.each<[(times: number) => string]>([
    [times => '-eyJ'.repeat(16 * times)],
    [times => '<input '.repeat(9 * times)],
    [times => '"a":"'.repeat(13 * times)],
    [times => 'code='.repeat(13 * times)],
    [times => `"token":"${'\\'.repeat(60 * times)}`],
    [times => 'a.'.repeat(32 * times)],
    [times => '%'.repeat(64 * times)],
    [times => '\ud800code=\ud800'.repeat(times)],
  ])('is made with as much work as there is text: %s', textOf => {
    const workFor = (times: number, type: typeof json | typeof form) => {
      const text = textOf(times);
      return workOf(() => void masked({ sent: type, body: text, got: type, answer: text, url: `/?${text}` }));
    };
    for (const type of [json, form, html]) expect(workFor(1000, type)).toBeLessThan(3 * workFor(500, type));
  });
});
