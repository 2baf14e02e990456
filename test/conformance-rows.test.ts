import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { conformance, conformanceItems } from './support/conformance.ts';

/** The rows of tables, and the items of lists: an id, and its result or its text. */
const rows = [...conformance.matchAll(/^\| ([A-Z0-9]+-\d+) \| .* \| ([^|]*) \| [^|]* \|$/gm)].map(
  ([, id = '', result = '']) => ({
    id,
    result,
  }),
);
const ids = [...rows, ...conformanceItems].map(({ id }) => id);

/** The rows of the checklist, by the letters of their ids and how many there are. */
const checklist: Readonly<Record<string, number>> = {
  ...{ O21: 30, BCP: 19, ISS: 2, MD: 5, JAT: 6, INT: 6, REV: 4, DEV: 6, TX: 5, AST: 4, REG: 6 },
  ...{ JAR: 6, PAR: 6, RAR: 4, DP: 8, TLS: 3, MCP: 10, CIMD: 7, OX: 9, T: 31 },
};

describe('the rows of docs/conformance.md', () => {
  it.each(Object.entries(checklist))('are all there: %s, %i of them, each once', (letters, count) => {
    expect(ids.filter(id => id.replace(/-\d+$/, '') === letters)).toEqual(
      Array.from({ length: count }, (_, index) => `${letters}-${String(index + 1).padStart(2, '0')}`),
    );
  });

  it('name tests that are in the file beside them', () => {
    const named = conformanceItems.flatMap(({ tests }) => tests);
    expect(named.length).toBeGreaterThan(200);
    for (const [file, name] of named) expect(readFileSync(file, 'utf8'), `${file}: ${name}`).toContain(name);
  });

  it('say passed or which decision, if they are rows of a table', () => {
    for (const { id, result } of rows) expect(result, id).toMatch(/^(passed|decision \[)/);
  });

  it('have a test or a reason, if they are items of a list', () => {
    for (const { id, text, tests } of conformanceItems) {
      if (/^[DFR]-/.test(id)) expect(text, id).toContain('*Why:* ');
      else expect(tests.length, id).toBeGreaterThan(0);
    }
  });
});
