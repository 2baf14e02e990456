import { describe, expect, it } from 'vitest';
import type { ConfigurationChanges, EntryChange } from '../../../src/base/events/configuration-events.ts';
import { changesInWords, refusalLines, reloadSentence } from '../../../src/base/events/reload.ts';

const nothing: ConfigurationChanges = { entries: [], settings: [], atNextStart: [] };
const client = (name: string, change: EntryChange['change'], ...members: string[]): EntryChange => ({
  ...{ kind: 'client', name, change },
  members: members.map(member => ({ member })),
});

describe('a configuration that was read again, in words', () => {
  it('names what was added, removed and changed, the settings, and what waits for the next start', () => {
    const changes: ConfigurationChanges = {
      entries: [
        client('spa2', 'added'),
        client('spa', 'changed', 'scope', 'redirect_uris'),
        client('old', 'removed'),
        client('older', 'removed'),
        { kind: 'user', name: 'alice', change: 'changed', members: [{ member: 'claims.email' }] },
      ],
      settings: [{ name: 'CODE_LIFETIME', from: '60', to: '30' }],
      atNextStart: [{ name: 'PORT', from: '9000', to: '9001' }],
    };
    const event = { type: 'configuration.reloaded', file: 'clients.config.ts', by: 'file', ...changes } as const;
    expect(reloadSentence(event)).toBe(
      'clients.config.ts reloaded: 1 client added (spa2), 2 clients removed (old, older), client spa changed (scope, redirect_uris), user alice changed (claims.email), CODE_LIFETIME is now 30 (was 60), PORT will be 9001 after the next start (now 9000)',
    );
    expect(reloadSentence({ ...event, ...nothing, path: '/a' })).toBe(
      'clients.config.ts reloaded for /a: nothing changed',
    );
  });

  it('names no more than five of a kind', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const added = names.map(name => client(name, 'added'));
    const changed = names.map(name => client(name, 'changed', 'scope'));
    expect(changesInWords({ ...nothing, entries: added })).toBe('6 clients added (a, b, c, d, e, …)');
    expect(changesInWords({ ...nothing, entries: changed })).toBe('6 clients changed (a, b, c, d, e, …)');
  });

  it('counts the problems of one that is refused, and has a line for each', () => {
    const event = { type: 'configuration.refused', file: 'clients.config.ts', by: 'file' } as const;
    expect(refusalLines({ ...event, problems: ['one', 'two'] })).toEqual([
      'clients.config.ts refused, the previous configuration stays in use: 2 problems',
      'one',
      'two',
    ]);
    expect(refusalLines({ ...event, problems: ['one'] })[0]).toMatch(/: 1 problem$/);
  });
});
