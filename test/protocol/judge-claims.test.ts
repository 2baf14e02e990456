import { afterAll, describe, expect, it } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { isAccessTokenType, judgeIssuer, judgeTimes, receiversOf } from '../../src/protocol/judge-claims.ts';
import { post } from '../support/wire.ts';

const sandbox = await createSandbox({ signingAlg: 'ES256', apiAudience: ['orders'] });
afterAll(() => sandbox.stop());

const call = (path: string, body: object) =>
  fetch(`${sandbox.url}/_sandbox/${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });

/** What the page of a token, Decode and the control API say of one token. */
async function saidOf({ token, tokenId }: { readonly token: string; readonly tokenId: string }) {
  const page = await fetch(`${sandbox.url}/dashboard/tokens/${tokenId}`);
  const decoded = await post(`${sandbox.url}/dashboard/decode`, { token }, { origin: sandbox.url });
  const texts = [page, decoded, await call('tokens/inspect', { token })].map(response => response.text());
  return (await Promise.all(texts)).map(text => text.replace(/&\w+;|&#\d+;|\\"/g, '"'));
}

const mint = (members: object) =>
  sandbox.issueToken({ client: 'frontend', user: 'alice', scope: 'products:read', ...members });

/** Whether the page of a problem finds the `aud` right; the same claims are sent with a signature that does not fit. */
async function isRightByProblem(token: string): Promise<boolean | undefined> {
  const forged = `${token.slice(0, token.lastIndexOf('.'))}.${'A'.repeat(86)}`;
  const refused = await fetch(`${sandbox.url}/api/products`, { headers: { authorization: `Bearer ${forged}` } });
  expect(refused.status).toBe(401);
  const page = await (await fetch(`${sandbox.url}/dashboard/problems/latest`)).text();
  const [, judged] = /(right|wrong)<\/span><span><strong>aud</.exec(page) ?? [];
  return judged === undefined ? undefined : judged === 'right';
}

describe('a claim', () => {
  it.each([
    ['expired', /xpired (\d+ \w+)+ ago/],
    ['not_yet_valid', /ot valid yet, valid in/],
    ['wrong_issuer', /iss is .{1,80}; this sandbox is http/],
  ])('is judged alike by each page and answer: %s', async (defect, words) => {
    for (const said of await saidOf(await mint({ defect }))) expect(said).toMatch(words);
  });

  it.each([
    ['the right aud', { audience: 'orders' }, 'aud is "orders", which the sample API accepts', true],
    [
      'one right aud of two',
      { audience: ['x', 'orders'] },
      'aud is ["x","orders"], which the sample API accepts',
      true,
    ],
    ['a wrong aud', { audience: 'frontend' }, 'aud is "frontend", which the sample API refuses', false],
    ['no aud', { claims: { aud: null } }, 'o aud: the token does not name its receiver', false],
    ['an aud of numbers', { claims: { aud: [5] } }, 'aud is [5], but must be a string or a list of strings', false],
    [
      'a defect',
      { defect: 'wrong_audience' },
      'aud is "https://another-api.example", which the sample API refuses',
      false,
    ],
    ['an ID token at the API', { type: 'id' }, 'aud is "frontend", which the client frontend accepts', false],
    [
      'an ID token of nobody',
      { type: 'id', defect: 'wrong_audience' },
      'aud is "https://another-api.example", which the client frontend refuses',
      false,
    ],
  ])('aud is judged alike by each page, answer and the API: %s', async (what, members, words, isAccepted) => {
    const minted = await mint(members);
    const [page, decoded, inspected] = await saidOf(minted);
    expect(page).toContain(words);
    expect(decoded).toContain(words);
    if (words.endsWith('accepts')) expect(inspected).toContain('"faults":[]');
    else expect(inspected).toContain(words);
    expect([what, await isRightByProblem(minted.token)]).toEqual([what, isAccepted]);
    const answer = await fetch(`${sandbox.url}/api/products`, { headers: { authorization: `Bearer ${minted.token}` } });
    expect(answer.ok).toBe(isAccepted);
  });

  it('aud may be absent where the provider of a preset leaves it out', async () => {
    await using own = await createSandbox({ preset: 'cognito', signingAlg: 'RS256' });
    const minted = await own.issueToken({ client: 'frontend', user: 'alice' });
    expect(minted.claims).not.toHaveProperty('aud');
    const page = await (await fetch(`${own.url}/dashboard/tokens/${minted.tokenId}`)).text();
    expect(page).toContain('no aud, which the sample API accepts');
  });

  it('aud has no receiver here in a proof of possession', () => {
    const apis = { fits: () => false, isConfigured: () => false };
    const typed = (typ: string) => receiversOf({ header: { typ }, claims: {} }, apis, [{ client_id: 'a' }])?.others;
    expect(['dpop+jwt', 'at+jwt', 'logout+jwt', 'JWT'].map(typed)).toEqual([
      undefined,
      'the sample API',
      'the client a',
      'the sample API',
    ]);
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
