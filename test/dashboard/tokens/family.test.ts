import { describe, expect, it } from 'vitest';
import type { ErrorReturned } from '../../../src/base/events/event.ts';
import type { IssuedEvent } from '../../../src/base/events/event-log.ts';
import type { FamilyBranch } from '../../../src/dashboard/tokens/family.ts';
import { type Family, familyOf } from '../../../src/dashboard/tokens/family.ts';
import { codeFact, createLog, issue, now, refreshFact, tokenFact } from '../running-dashboard.ts';

/** The tree as indented lines. */
function drawn({ branches }: Family): string[] {
  const lines = (branch: FamilyBranch, depth: number): string[] => [
    ...(branch.skipped > 0 ? [`${'  '.repeat(depth)}(${branch.skipped} between)`] : []),
    [`${'  '.repeat(depth)}${branch.tokenId} ${branch.status}`, branch.current ? '*' : '', ...branch.notes]
      .join(' ')
      .trimEnd(),
    ...(branch.omitted > 0 ? [`${'  '.repeat(depth + 1)}(${branch.omitted} more)`] : []),
    ...branch.children.flatMap(child => lines(child, depth + 1)),
  ];
  return branches.flatMap(branch => lines(branch, 0));
}

/** A code, and refresh tokens each made from the one before, with an access token beside each. */
function rotations(count: number) {
  const events = createLog();
  issue(events, codeFact('tok_c'));
  const all: IssuedEvent[] = [];
  let parentTokenId = 'tok_c';
  for (let n = 1; n <= count; n++) {
    issue(events, tokenFact(`tok_a${n}`, { parentTokenId }));
    all.push(issue(events, refreshFact(`tok_r${n}`, { parentTokenId })));
    parentTokenId = `tok_r${n}`;
  }
  return { events, all };
}

describe('the family of a token', () => {
  it('is a tree from the code over each refresh, with the status of each in words', () => {
    const { events, all } = rotations(2);
    issue(events, tokenFact('tok_other', { authorizationId: 'auth-2' }));
    const family = familyOf(events, all[0] as IssuedEvent, now);
    expect(family).toMatchObject({ words: 'The sign-in issued:', omitted: 0, revocations: [], isCut: false });
    expect(drawn(family)).toEqual([
      'tok_c used',
      '  tok_a1 valid',
      '  tok_r1 replaced *',
      '    tok_a2 valid',
      '    tok_r2 valid',
    ]);
  });

  it('shows a replaced refresh token that was used again, and what that revoked', () => {
    const { events, all } = rotations(2);
    const reused: ErrorReturned = {
      ...{ type: 'error.returned', endpoint: 'token', status: 400, error: 'invalid_grant', form: 'json' },
      ...{ reason: 'refresh_token_reused', description: 'used before', about: 'tok_r1', authorizationId: 'auth-1' },
    };
    const reason = 'refresh_token_reused';
    events.append({ type: 'token.revoked', authorizationId: 'auth-1', client_id: 'frontend', reason }, 'req_9');
    events.append(reused, 'req_9');
    const family = familyOf(events, all[1] as IssuedEvent, now + 12);
    expect(drawn(family)).toContain('  tok_r1 revoked  used again 12 s ago: refused');
    expect(family.revocations).toMatchObject([
      { words: 'refresh token used twice', requestId: 'req_9', at: { relative: '12 s ago' } },
    ]);
  });

  it('names what began it, where that was no login', () => {
    const events = createLog();
    const token = issue(events, tokenFact('tok_1', { grant_type: 'client_credentials' }));
    expect(familyOf(events, token, now).words).toBe('The client itself received:');
  });

  it('says so where its beginning is forgotten', () => {
    const events = createLog();
    const orphan = issue(events, refreshFact('tok_r9', { parentTokenId: 'tok_gone' }));
    const family = familyOf(events, orphan, now);
    expect(family).toMatchObject({
      isCut: true,
      words: 'The sign-in is no longer in the history. Its remaining tokens:',
    });
    expect(drawn(family)).toEqual(['tok_r9 valid *']);
  });

  it.each([0, 1, 2, 50, 97, 98, 99])('stays small when it is long, with generation %s in it', index => {
    const { events, all } = rotations(100);
    const lines = drawn(familyOf(events, all[index] as IssuedEvent, now));
    expect(lines.filter(line => line.endsWith('*'))).toHaveLength(1);
    expect(lines[0]).toBe('tok_c used');
    expect(lines.length).toBeLessThan(25);
    expect(Math.max(...lines.map(line => line.search(/\S/) / 2))).toBeLessThan(9);
  });

  it('counts the generations it leaves out', () => {
    const { events, all } = rotations(100);
    const lines = drawn(familyOf(events, all[49] as IssuedEvent, now));
    const path = lines.filter(line => /tok_(c|r\d+) /.test(line) && !line.includes('tok_r51'));
    expect(lines.find(line => line.includes('between'))?.trim()).toBe('(46 between)');
    expect(path.map(line => line.trim().split(' ')[0])).toEqual(
      expect.arrayContaining(['tok_c', 'tok_r47', 'tok_r48', 'tok_r49', 'tok_r50']),
    );
  });

  it('shows the newest of many, and the one in question', () => {
    const events = createLog();
    const refresh = issue(events, refreshFact('tok_r'));
    const all = Array.from({ length: 40 }, (_, n) =>
      issue(events, tokenFact(`tok_a${n}`, { parentTokenId: refresh.tokenId })),
    );
    const lines = drawn(familyOf(events, all[3] as IssuedEvent, now));
    expect(lines).toContain('  tok_a3 valid *');
    expect(lines).toContain('  tok_a39 valid');
    expect(lines).toContain('  (33 more)');
    expect(lines).toHaveLength(9);
  });
});
