import { describe, expect, it } from 'vitest';
import { lazily } from '../../../src/base/lazily.ts';
import { createPlaygroundIssuers } from '../../../src/extensions/lessons/playground/playground-issuers.ts';
import type { OwnIssuers } from '../../../src/sandbox/extension.ts';

/** Counts issuers without creating any. */
function counted() {
  const living = new Map<string, number>();
  const begun: string[] = [];
  const fake = {
    list: () => [...living].map(([id, createdAt]) => ({ id, createdAt })),
    async createHere() {
      const id = `issuer-${begun.length}`;
      begun.push(id);
      living.set(id, begun.length);
      const issuer = `http://localhost/i/${id}`;
      return {
        told: { id, issuer, createdAt: begun.length },
        issuer: { issuer },
        stop: () => void living.delete(id),
      };
    },
  };
  // the rest of these is not read
  const shortLived = lazily(async () => fake as unknown as OwnIssuers);
  const issuers = createPlaygroundIssuers({ shortLived, home: () => 'http://localhost/playground', most: 2 });
  return { issuers, living, begun };
}

describe('the issuers of the visitors of a playground', () => {
  it('are one for each visitor, also after a double click', async () => {
    const { issuers, begun } = counted();
    const both = await Promise.all([issuers.open('a'), issuers.open('a')]);
    expect(new Set(both)).toEqual(new Set(['http://localhost/i/issuer-0']));
    expect(await issuers.open('a')).toBe(issuers.running('a'));
    expect(begun).toHaveLength(1);
  });

  it('are few: a further one ends the oldest', async () => {
    const { issuers, living } = counted();
    for (const visitor of ['a', 'b', 'c']) await issuers.open(visitor);
    expect([...living.keys()]).toEqual(['issuer-1', 'issuer-2']);
    expect(issuers.running('a')).toBeUndefined();
    expect(issuers.running('b')).toBe('http://localhost/i/issuer-1');
  });

  it('end with the seat of their visitor', async () => {
    const { issuers, living } = counted();
    await issuers.open('a');
    issuers.close();
    await Promise.resolve();
    expect([...living.keys()]).toEqual([]);
  });

  it('are created anew when their lifetime is over', async () => {
    const { issuers, living } = counted();
    await issuers.open('a');
    living.clear();
    expect(issuers.running('a')).toBeUndefined();
    expect(await issuers.open('a')).toBe('http://localhost/i/issuer-1');
  });
});
