import { describe, expect, it } from 'vitest';
import { diffOf } from '../../../src/dashboard/claims/diff.ts';
import { diffPage } from '../../../src/dashboard/tokens/diff-page.ts';
import type { Piece } from '../../../src/record/problems/problem.ts';
import {
  codeFact,
  createLog,
  hostile,
  issue,
  jwt,
  now,
  optionsFor,
  refreshFact,
  tokenFact,
} from '../running-dashboard.ts';

/** What is marked in brackets. */
const shown = (pieces: readonly Piece[] = []) =>
  pieces.map(({ text, differs }) => (differs ? `[${text}]` : text)).join('');

const inWords = (before: object, after: object) =>
  diffOf({ ...before }, { ...after }).rows.map(({ name, words, before: old, after: fresh }) => {
    return [name, words, shown(old), shown(fresh)];
  });

describe('two tokens', () => {
  it.each([
    ['a claim more', {}, { tenant: 'blue' }, [['tenant', 'added', '', '[blue]']]],
    ['a claim less', { tenant: 'blue' }, {}, [['tenant', 'removed', '[blue]', '']]],
    ['another text', { tenant: 'blue' }, { tenant: 'blur' }, [['tenant', 'changed', 'blu[e]', 'blu[r]']]],
    [
      'another role',
      { roles: ['admin', 'buyer'] },
      { roles: ['buyer', 'guest'] },
      [['roles', 'changed: admin was removed; guest was added', '[[admin], buyer]', '[buyer, [guest]]']],
    ],
    [
      'other scopes',
      { scope: 'openid email products:read' },
      { scope: 'openid products:read products:write' },
      [
        [
          'scope',
          'changed: email was removed; products:write was added',
          'openid [email] products:read',
          'openid products:read [products:write]',
        ],
      ],
    ],
    [
      'the same in another order',
      { aud: ['a', 'b'] },
      { aud: ['b', 'a'] },
      [['aud', 'changed: the same values in a different order', '[a, b]', '[b, a]']],
    ],
    [
      'a list for a text',
      { aud: 'a' },
      { aud: ['a', 'b'] },
      [['aud', 'changed: b was added; text before, a list now', 'a', '[a, [b]]']],
    ],
    [
      'another kind of value',
      { email_verified: 'true' },
      { email_verified: true },
      [['email_verified', 'changed from text to true or false', 'true', 'true']],
    ],
  ])('differ in %s', (_, before, after, expected) => {
    expect(inWords(before, after)).toEqual(expected);
  });

  it('are the same whatever the order of the members of a claim', () => {
    const diff = diffOf({ address: { a: 1, b: 2 } }, { address: { b: 2, a: 1 } });
    expect(diff).toEqual({ rows: [], usual: [], same: ['address'] });
  });

  it('keep apart what is another in each, unless only one has it', () => {
    const diff = diffOf({ iat: 1, jti: 'a', sub: 'alice' }, { iat: 2, jti: 'b', sub: 'alice', nonce: 'n' });
    expect(diff.usual.map(({ name }) => name)).toEqual(['iat', 'jti']);
    expect(diff.rows).toMatchObject([{ name: 'nonce', change: 'added' }]);
    expect(diff.same).toEqual(['sub']);
  });

  it('are compared by what they hold, whatever it is called', () => {
    const before = JSON.parse('{"__proto__":{"a":1},"constructor":"x"}') as object;
    expect(diffOf({ ...before }, {}).rows.map(({ change }) => change)).toEqual(
      Object.keys({ ...before }).map(() => 'removed'),
    );
    expect(inWords({ note: hostile }, { note: 'x' })).toHaveLength(1);
  });
});

describe('what a token is compared with', () => {
  it('is the one before it, of the same type, client and user', () => {
    const events = createLog();
    issue(events, tokenFact('tok_old', { token: jwt({ roles: ['admin'] }) }));
    issue(events, tokenFact('tok_bob', { sub: 'bob', authorizationId: 'auth-2' }));
    issue(events, refreshFact('tok_refresh'));
    issue(events, tokenFact('tok_sensor', { client_id: 'sensor', authorizationId: 'auth-3' }));
    const event = issue(events, tokenFact('tok_new', { token: jwt({ roles: ['buyer'] }) }));
    issue(events, tokenFact('tok_newer'));
    const page = diffPage(event, '', optionsFor(events));
    expect(page.pair).toMatchObject({ before: { tokenId: 'tok_old' }, after: { tokenId: 'tok_new', isThis: true } });
    expect(page.claims?.rows).toMatchObject([{ name: 'roles', words: 'changed: admin was removed; buyer was added' }]);
    expect(page.candidates.map(({ name, tokens }) => [name, ...tokens.map(({ tokenId }) => tokenId)])).toEqual([
      ['Same sign-in', 'tok_newer', 'tok_refresh', 'tok_old'],
      ['Same client, different user', 'tok_bob'],
      ['Different client', 'tok_sensor'],
    ]);
  });

  it('can be of any kind, and are named by kind, user, client and time', () => {
    const events = createLog();
    const id = issue(events, tokenFact('tok_id', { tokenType: 'id', token: jwt({ aud: 'frontend' }) }));
    const event = issue(events, tokenFact('tok_1', { token: jwt({ aud: 'api' }) }));
    const page = diffPage(event, 'tok_id', optionsFor(events));
    expect(page.candidates[0]?.tokens).toEqual([
      { tokenId: id.tokenId, words: 'ID token, alice, frontend, 22:13:20 (just now)', chosen: true },
    ]);
    expect(page.pair).toMatchObject({ before: { type: 'id' }, after: { type: 'access' } });
    expect(page.claims?.rows).toMatchObject([{ name: 'aud', change: 'changed' }]);
  });

  it('is whatever is chosen, the older one first', () => {
    const events = createLog();
    const event = issue(events, tokenFact('tok_1', { exp: now + 60 }));
    issue(events, tokenFact('tok_2'));
    const page = diffPage(event, 'tok_2', optionsFor(events));
    expect(page.pair).toMatchObject({ before: { tokenId: 'tok_1', isThis: true }, after: { tokenId: 'tok_2' } });
    expect(page.facts?.rows).toMatchObject([{ name: 'lifetime', change: 'changed' }]);
  });

  it('is nothing where there is none, or where it is forgotten', () => {
    const events = createLog();
    const event = issue(events, tokenFact('tok_1'));
    expect(diffPage(event, '', optionsFor(events))).toMatchObject({ isForgotten: false, candidates: [] });
    expect(diffPage(event, '', optionsFor(events)).pair).toBeUndefined();
    expect(diffPage(event, 'tok_gone', optionsFor(events)).isForgotten).toBe(true);
  });

  it('is compared by what the server knows, where it says nothing itself', () => {
    const events = createLog();
    issue(events, codeFact('tok_1', { scope: 'openid' }));
    const event = issue(events, codeFact('tok_2', { redirect_uri: 'http://localhost:5173/other' }));
    const page = diffPage(event, '', optionsFor(events));
    expect(page.facts?.rows.map(({ name }) => name)).toEqual(['redirect_uri', 'scope']);
  });
});
