import { describe, expect, it } from 'vitest';
import { decoded, readPasted } from '../../../src/dashboard/decode/pasted.ts';
import { hostile, jwt } from '../running-dashboard.ts';

const token = jwt({ sub: 'alice', exp: 1_700_000_300, scope: 'openid' });
const other = jwt({ sub: 'bob' });
const [header = '', payload = '', signature = ''] = token.split('.');
const wrapped = token.replace(/(.{40})/g, '$1\n  ');

const tokensOf = (text: string) => readPasted(text).tokens.map(({ name, text: each }) => [name, each]);

describe('what is pasted is read as the token that is meant', () => {
  it.each([
    ['alone', token],
    ['with spaces around it', `  ${token}\n`],
    ['in double quotes', `"${token}"`],
    ['in single quotes, with a comma', `'${token}',`],
    ['after Bearer', `Bearer ${token}`],
    ['after DPoP', `DPoP ${token}`],
    ['in a header', `Authorization: Bearer ${token}`],
    ['in a header in small letters', `authorization: bearer ${token}`],
    ['with line breaks in it', wrapped],
    ['after Bearer, with line breaks in it', `Bearer ${wrapped}`],
  ])('%s', (_, text) => {
    expect(tokensOf(text)).toEqual([['', token]]);
  });

  it.each([
    [
      'a token response',
      JSON.stringify({ access_token: token, token_type: 'Bearer', expires_in: 300, id_token: other }),
    ],
    ['a fragment', `https://app.example/callback#access_token=${token}&token_type=Bearer&id_token=${other}&state=x`],
    ['a cookie header', `Cookie: theme=dark; access_token=${token}; id_token=${other}; Path=/`],
    ['a form', `access_token=${token}&id_token=${other}`],
    ['a log line', `got {access_token: "${token}", id_token: "${other}"} at 12:00`],
  ])('%s, with the name it has there', (_, text) => {
    expect(tokensOf(text)).toEqual([
      ['access_token', token],
      ['id_token', other],
    ]);
  });

  it('a command', () => {
    const [found] = tokensOf(`curl -H 'Authorization: Bearer ${token}' 'http://localhost:9000/api/products'`);
    expect(found?.[1]).toBe(token);
  });

  it('the opaque members of a token response, too', () => {
    expect(tokensOf(JSON.stringify({ access_token: 'random', refresh_token: 'other', scope: 'openid' }))).toEqual([
      ['access_token', 'random'],
      ['refresh_token', 'other'],
    ]);
  });

  it('a JWS in JSON (RFC 7515 §7.2.2)', () => {
    expect(tokensOf(JSON.stringify({ protected: header, payload, signature }))).toEqual([['', token]]);
  });

  it('claims, and a token that was decoded elsewhere', () => {
    expect(readPasted('{"sub":"alice"}').decoded).toEqual({ claims: { sub: 'alice' } });
    expect(readPasted('{"header":{"alg":"RS256"},"payload":{"sub":"alice"}}').decoded).toEqual({
      header: { alg: 'RS256' },
      claims: { sub: 'alice' },
    });
  });

  it.each(['', '   ', '\n'])('nothing, for %j', text => {
    expect(readPasted(text)).toEqual({ tokens: [], notes: [] });
  });

  it.each([hostile, '{', '[]', 'null', '...', '..', 'ey', 'ey.', '"', 'Bearer', 'Bearer ', '\u0000', 'ü'.repeat(100)])(
    'something, and never fails, for %j',
    text => {
      for (const each of readPasted(text).tokens) expect(decoded(each).text).toBe(each.text);
    },
  );

  it.each([
    ['letters', 'a'.repeat(60_000)],
    ['beginnings', 'ey'.repeat(30_000)],
    ['beginnings with dots', 'ey.'.repeat(20_000)],
    ['quotes', `${'"'.repeat(60_000)}x`],
    ['padding', `ey.${'='.repeat(60_000)}x`],
    ['names', 'a='.repeat(30_000)],
    ['spaces', `a${' '.repeat(60_000)}b`],
    ['brackets', `{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`],
    ['brackets in a token', jwt(JSON.parse(`{"a":${'['.repeat(2000)}${']'.repeat(2000)}}`))],
  ])('in one go, for 60 kB of %s', (_, text) => {
    for (const each of readPasted(text).tokens) {
      const { claims } = decoded(each);
      expect(JSON.stringify(claims ?? {}).length).toBeLessThan(100_000);
    }
  });

  it('at most eight of many', () => {
    const many = Array.from({ length: 20 }, (_, n) => `t${n}=${jwt({ n })}`).join('&');
    expect(tokensOf(many)).toHaveLength(8);
  });
});

const decode = (text: string) => decoded({ name: '', text });
const problemsOf = (text: string) => {
  const { problems, parts } = decode(text);
  return [...problems, ...parts.flatMap(part => part.problems.map(problem => `${part.name}: ${problem}`))];
};

describe('a token is taken apart', () => {
  it('into header, payload and signature, without a problem', () => {
    expect(decode(token)).toMatchObject({
      kind: 'signed',
      header: { alg: 'RS256', kid: 'key-1', typ: 'at+jwt' },
      claims: { sub: 'alice' },
      problems: [],
    });
    expect(problemsOf(token)).toEqual([]);
  });

  it('without its signature', () => {
    expect(decode(`${header}.${payload}`)).toMatchObject({ claims: { sub: 'alice' } });
    expect(problemsOf(`${header}.${payload}`)).toEqual([
      'The signature is missing. A token ends with a dot and the signature after the payload.',
    ]);
    expect(problemsOf(`${header}.${payload}.`)).toEqual(['The signature is empty.']);
  });

  it('a payload or a header alone', () => {
    expect(decode(payload)).toMatchObject({ kind: 'part', claims: { sub: 'alice' } });
    expect(decode(header)).toMatchObject({ kind: 'part', header: { alg: 'RS256' } });
    expect(problemsOf(payload)[0]).toContain('only the payload');
  });

  it('up to where it was cut, with the place and the reason', () => {
    const cut = decode(`${header}.${payload.slice(0, 40)}`);
    expect(cut.claims).toEqual({ sub: 'alice' });
    expect(cut.parts[1]).toMatchObject({ isCut: true, decoded: ['{"sub":"alice","exp":170000030', ''] });
    expect(cut.parts[1]?.problems.at(-1)).toMatch(
      /^has an error at character \d+ of the decoded text: it ends here, but .* missing$/,
    );
  });

  it.each([
    [
      'padding',
      `${header}.${payload}==.${signature}`,
      `payload: has padding (=) at character ${payload.length + 1}, which tokens leave out`,
    ],
    [
      'a letter that is none',
      `${header}.${payload}.${signature}*`,
      'signature: has * at character 7, which is not a base64url character',
    ],
    [
      'a letter missing',
      `${header}.${payload}.abcde`,
      'signature: is truncated: 5 characters are not a whole number of bytes',
    ],
    ['a part too many', `${token}.more`, 'The token has 4 parts, but a signed token has 3 and an encrypted token 5.'],
    ['an empty header', `.${payload}.${signature}`, 'header: is empty'],
  ])('with %s, and says where', (_, text, problem) => {
    expect(problemsOf(text).map(each => each.slice(0, problem.length))).toContain(problem);
    expect(decode(text).claims).toMatchObject({ sub: 'alice' });
  });

  it('in standard base64, and says where that differs', () => {
    const standard = Buffer.from('{"a":"???>>>~~~"}').toString('base64').replaceAll('=', '');
    expect(decode(`${header}.${standard}.${signature}`).claims).toEqual({ a: '???>>>~~~' });
    expect(problemsOf(`${header}.${standard}.${signature}`)[0]).toMatch(
      /has [+/] at character \d+: base64url has - and _ instead/,
    );
  });

  it('that is encrypted, up to its header', () => {
    const jwe = `${Buffer.from('{"alg":"RSA-OAEP-256","enc":"A256GCM"}').toString('base64url')}.a1.b2.c3.d4`;
    expect(decode(jwe)).toMatchObject({ kind: 'encrypted', header: { enc: 'A256GCM' } });
    expect(decode(jwe).claims).toBeUndefined();
    expect(decode(jwe).parts.map(({ name }) => name)).toEqual(['header', 'encrypted key', 'iv', 'ciphertext', 'tag']);
  });

  it.each(['random-opaque-token', 'WDSznnpz-eZ0xE9GB8V0N8hgypm8ucpJU_KvoyNpT4A', hostile])(
    'not, when it is %j',
    text => {
      expect(decode(text)).toMatchObject({ kind: 'opaque', parts: [] });
    },
  );
});
