import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { badgeOf } from '../../src/dashboard/status-badge.ts';

describe('the badge of a status', () => {
  it.each([
    [200, undefined, ''],
    [302, undefined, 's3'],
    [404, undefined, 's4'],
    [401, 'refused', 's4'],
    [503, undefined, 's5'],
    [503, 'own', 'own'],
    [400, 'normal', ''],
  ] as const)('of %i with trouble %s has the look "%s"', (status, trouble, look) => {
    expect(badgeOf({ status }, trouble)).toEqual({ status, look });
  });

  it('is the only one of a page of the dashboard', () => {
    const folder = join(import.meta.dirname, '../../templates');
    const found = ['dashboard', 'partials'].flatMap(part =>
      readdirSync(join(folder, part)).filter(name =>
        /(?:answer|attempt|call|each|held|recorded|request|result|use)\.status\b/.test(
          readFileSync(join(folder, part, name), 'utf8'),
        ),
      ),
    );
    expect(found).toEqual([]);
  });
});
