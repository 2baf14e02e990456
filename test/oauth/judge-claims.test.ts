import { afterAll, describe, expect, it } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { isAccessTokenType, judgeIssuer, judgeTimes } from '../../src/oauth/judge-claims.ts';
import { post } from '../support/wire.ts';

const sandbox = await createSandbox({ signingAlg: 'ES256' });
afterAll(() => sandbox.stop());

/** What the page of a token, Decode and the control API say of one token. */
async function saidOf(defect: string): Promise<readonly string[]> {
  const call = (path: string, body: object) =>
    fetch(`${sandbox.url}/_sandbox/${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
  const minted = (await (await call('tokens', { client: 'frontend', user: 'alice', defect })).json()) as {
    token: string;
    tokenId: string;
  };
  const { token, tokenId } = minted;
  const page = await fetch(`${sandbox.url}/dashboard/tokens/${tokenId}`);
  const decoded = await post(`${sandbox.url}/dashboard/decode`, { token }, { origin: sandbox.url });
  return Promise.all([page, decoded, await call('tokens/inspect', { token })].map(response => response.text()));
}

describe('a claim', () => {
  it.each([
    ['expired', /xpired (\d+ \w+)+ ago/],
    ['not_yet_valid', /ot valid yet, valid in/],
    ['wrong_issuer', /iss is .{1,80}; this sandbox is http/],
  ])('is judged alike by each page and answer: %s', async (defect, words) => {
    for (const said of await saidOf(defect)) expect(said.replace(/&\w+;|&#\d+;/g, '"')).toMatch(words);
  });

  it.each([
    ['an exp of now', { exp: 100 }, 'fail: expired 0 s ago'],
    ['a later exp', { exp: 101 }, 'pass: not expired, 1 s left'],
    ['an exp as text', { exp: '101' }, 'fail: exp is "101", but must be a number'],
    ['an exp in milliseconds', { exp: 1.7e12 }, 'fail: exp is 1700000000000: this looks like milliseconds'],
    ['no exp', {}, 'note: no exp: the token never expires'],
    ['an nbf as text', { exp: 101, nbf: 'x' }, 'fail: nbf is "x", but must be a number'],
    ['an nbf of now', { exp: 101, nbf: 100 }, 'pass: not expired'],
  ])('is judged by the time: %s', (_what, times, said) => {
    const [first] = judgeTimes(times, 100);
    expect(`${first?.level}: ${first?.text}`.startsWith(said)).toBe(true);
  });

  it('names the issuer exactly, and the type as RFC 9068 allows it', () => {
    expect(['https://a', 'https://a/', undefined].map(iss => judgeIssuer(iss, 'https://a').level)).toEqual([
      'pass',
      'fail',
      'note',
    ]);
    expect(['at+jwt', 'application/AT+JWT', 'JWT', undefined].map(isAccessTokenType)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
