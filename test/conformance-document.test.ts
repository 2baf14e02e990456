import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { conformance, conformanceItems } from './support/conformance.ts';

/** The cells of each row that begins with a module of the OpenID Connect and FAPI plans; `…` stands for a prefix of FAPI. */
const rows = [...conformance.matchAll(/^\| (`(?:oidcc-|fapi2-|…).*) \|$/gm)].map(([, row = '']) => row.split(' | '));
const quoted = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
const modulesIn = (cell: string) => quoted(cell).map(name => name.replace('…', 'fapi2-security-profile-final-'));
/** Files without a folder are in `test/conformance/`. */
const testsIn = (cell: string) =>
  quoted(cell)
    .filter(name => name.endsWith('.ts'))
    .map(name => (name.includes('/') ? name : `test/conformance/${name}`));

describe('docs/conformance.md', () => {
  it('has the 38 modules of the basic plan, those of the others, and those of FAPI 2.0', () => {
    expect(rows.flatMap(([name = '']) => quoted(name)).length).toBeGreaterThan(150);
  });

  it('names tests that are there', () => {
    for (const path of testsIn(conformance)) expect(existsSync(path), path).toBe(true);
  });

  it('names each module as the title of a test in the file beside it', () => {
    for (const cells of rows) {
      const files = testsIn(cells.at(-1) ?? '').filter(file => file.startsWith('test/conformance/'));
      const sources = files.map(file => readFileSync(file, 'utf8')).join('\n');
      for (const module of modulesIn(cells[0] ?? '')) {
        const title = new RegExp(`['"](?:[\\w, -]+, )?${module}(?:, [\\w, %-]+)?['"]`);
        expect(title.test(sources), `${module} in ${files}`).toBe(true);
      }
    }
  });

  it('names each row of the RFCs in the title of a test in the file beside it', () => {
    const rfcs = [...conformance.matchAll(/^\| ((?:JAR|PAR|RAR|DP|TLS|RI|PRM|SU)-\d\d) \|.*(`[^`]+`) \|$/gm)];
    expect(rfcs).toHaveLength(31);
    for (const [, id = '', cell = ''] of rfcs) {
      const [file = ''] = testsIn(cell);
      expect(readFileSync(file, 'utf8'), id).toMatch(new RegExp(`describe\\('RFC \\d+, ${id}: `));
    }
  });

  it('names each function of a check that is there', () => {
    const checks = readFileSync('test/conformance/checks.ts', 'utf8');
    const named = quoted(conformance).filter(name => /^check[A-Z]\w+$/.test(name));
    expect(named.length).toBeGreaterThan(11);
    for (const name of named) expect(checks).toContain(`function ${name}(`);
  });

  it('explains every decision it speaks of, and no other', () => {
    const spoken = new Set([...conformance.matchAll(/\[([DFR]-\d+)\]\(#decisions\)/g)].map(([, id]) => id));
    const explained = conformanceItems.filter(({ id }) => /^[DFR]-/.test(id)).map(({ id }) => id);
    expect(explained).toEqual([...new Set(explained)]);
    expect([...spoken].sort()).toEqual([...explained].sort());
  });

  it('says of each module passed, or which decision', () => {
    for (const cells of rows) expect(cells[2], cells[0]).toMatch(/^(passed|decision \[[DF]-\d+\])/);
  });
});
