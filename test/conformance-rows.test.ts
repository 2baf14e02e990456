import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const text = readFileSync('docs/conformance.md', 'utf8');
const rows = [...text.matchAll(/^\| ([A-Z0-9]+-\d+) \| (.*) \|$/gm)].map(([, id = '', rest = '']) => [
  id,
  ...rest.split(' | '),
]);
/** A file, and what it says the test in it is called. */
const named = [...text.matchAll(/`(test\/[^`]+)` “([^”]+)”/g)].map(([, file = '', name = '']) => [file, name] as const);

/** The rows of the checklist, by the letters of their ids and how many there are. */
const checklist: Readonly<Record<string, number>> = {
  ...{ O21: 30, BCP: 19, ISS: 2, MD: 5, JAT: 6, INT: 6, REV: 4, DEV: 6, TX: 5, AST: 4, REG: 6 },
  ...{ JAR: 6, PAR: 6, RAR: 4, DP: 8, TLS: 3, MCP: 10, CIMD: 7, OX: 9, T: 31 },
};

describe('the rows of docs/conformance.md', () => {
  it.each(Object.entries(checklist))('are all there: %s, %i of them, each once', (letters, count) => {
    const ids = rows.map(([id = '']) => id).filter(id => id.replace(/-\d+$/, '') === letters);
    expect(ids).toEqual(
      Array.from({ length: count }, (_, index) => `${letters}-${String(index + 1).padStart(2, '0')}`),
    );
  });

  it('name tests that are in the file beside them', () => {
    expect(named.length).toBeGreaterThan(200);
    for (const [file, name] of named) expect(readFileSync(file, 'utf8'), `${file}: ${name}`).toContain(name);
  });

  it('say passed, which decision, or why they do not apply', () => {
    for (const [id = '', , result = ''] of rows) {
      if (/^[DFR]-/.test(id)) continue; // the decisions themselves
      expect(result, id).toMatch(/^(passed|not applicable: \w)|decision \[/);
    }
  });

  it('explain each decision they speak of', () => {
    const spoken = new Set([...text.matchAll(/\[([DFR]-\d+)\]\(#decisions\)/g)].map(([, id = '']) => id));
    const explained = rows.map(([id = '']) => id).filter(id => /^[DFR]-/.test(id));
    expect([...spoken].filter(id => !explained.includes(id))).toEqual([]);
  });
});
