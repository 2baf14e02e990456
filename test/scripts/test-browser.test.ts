import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failedLines, flakyLines, readResults } from '../../.ci/test-results.mjs';
import { mostRepeated, repeatFailed, verdictLines } from '../../scripts/test-browser.mjs';
import { newFolder } from '../support/new-folder.ts';

const testsOf = (project: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({ project, file: 'a.test.ts', titles: ['the page', `test ${index}`] }));

/** A machine on which tests that failed pass, or fail again. */
async function judge({
  tests = testsOf('browser', 0),
  others = [] as { file: string; problem: string }[],
  passes = true,
}) {
  const repeated: string[] = [];
  const verdict = await repeatFailed({ tests, others }, async ({ titles }) => {
    repeated.push(titles.at(-1) ?? '');
    return passes;
  });
  return { repeated, isGreen: verdict.isGreen, lines: verdictLines(verdict) };
}

describe('a run of the tests in a browser', () => {
  it('is green with up to three flaky tests, and lists them', async () => {
    expect(await judge({ tests: testsOf('browser', 1) })).toEqual({
      repeated: ['test 0'],
      isGreen: true,
      lines: ['flaky: a.test.ts > the page > test 0'],
    });
    expect((await judge({ tests: testsOf('judges-browser', 3) })).isGreen).toBe(true);
  });

  it('is red with four flaky tests', async () => {
    const { isGreen, lines } = await judge({ tests: testsOf('browser', 4) });
    expect(isGreen).toBe(false);
    expect(lines).toHaveLength(5);
    expect(lines.at(-1)).toBe('4 tests are flaky, and at most 3 may be.');
  });

  it('is red with a test that fails twice, which is run only once more', async () => {
    expect(await judge({ tests: testsOf('browser', 1), passes: false })).toEqual({
      repeated: ['test 0'],
      isGreen: false,
      lines: ['FAILED twice: a.test.ts > the page > test 0'],
    });
  });

  it('never repeats a test of another project', async () => {
    expect(await judge({ tests: testsOf('unit', 1) })).toEqual({
      repeated: [],
      isGreen: false,
      lines: ['FAILED: a.test.ts > the page > test 0'],
    });
  });

  it('repeats nothing where many tests fail, because something is broken', async () => {
    expect((await judge({ tests: testsOf('browser', mostRepeated) })).repeated).toHaveLength(mostRepeated);
    const { repeated, isGreen, lines } = await judge({ tests: testsOf('browser', mostRepeated + 1) });
    expect({ repeated, isGreen }).toEqual({ repeated: [], isGreen: false });
    expect(lines.at(-1)).toMatch(/none was run again/);
  });

  it('is red with a file that could not be read, also where all else is flaky', async () => {
    const others = [{ file: 'b.test.ts', problem: 'No such module' }];
    const { isGreen, lines } = await judge({ tests: testsOf('browser', 1), others });
    expect(isGreen).toBe(false);
    expect(lines).toContain('FAILED: b.test.ts: No such module');
  });
});

/** Runs the script over a project of these files, whose tests are in a browser where the name of the file says so. */
async function run(files: Readonly<Record<string, string>>) {
  const projects = ['browser', 'unit'].map(name => ({ test: { name, globals: true, include: [`**/*.${name}.js`] } }));
  const config = `export default { test: { projects: ${JSON.stringify(projects)} } };`;
  const folder = newFolder({ 'vitest.config.js': config, ...files });
  const script = join(import.meta.dirname, '../../scripts/test-browser.mjs');
  const args = [
    script,
    '--root',
    folder,
    '--project',
    'browser',
    '--project',
    'unit',
    '--outputFile.json=results.json',
  ];
  const { PATH = '' } = process.env;
  // any file that is there: these tests open no browser
  const env = { PATH, NO_COLOR: '1', CHROMIUM_PATH: process.execPath };
  const result = await new Promise<{ isGreen: boolean; output: string }>(resolve => {
    execFile(process.execPath, args, { env }, (error, stdout) => resolve({ isGreen: error === null, output: stdout }));
  });
  return { ...result, files: await readResults(folder) };
}

/** A test that fails when it runs for the first time, and says how often it has run. */
const fragile = (name: string) => `
  import { appendFileSync, readFileSync } from 'node:fs';
  it('passes from the first time on', () => {});
  describe('the page (of $x)', () =>
    it('fails once', () => {
      const path = new URL('${name}.txt', import.meta.url);
      appendFileSync(path, 'run ');
      expect(readFileSync(path, 'utf8')).toBe('run run ');
    }));`;

describe('the script', () => {
  it('runs a failed test once more by itself, and leaves in the results that it is flaky', async () => {
    const { isGreen, output, files } = await run({ 'a.browser.js': fragile('a') });
    expect(isGreen, output).toBe(true);
    expect(output).toMatch(/1 passed \| 1 skipped/);
    expect(output.trim().split('\n').at(-1)).toBe('flaky: a.browser.js > the page (of $x) > fails once');
    expect(failedLines(files)).toEqual([]);
    expect(flakyLines(files)).toEqual([
      expect.stringMatching(/^flaky: .*a\.browser\.js > the page \(of \$x\) > fails once$/),
    ]);
  });

  it('is red with the same test where there is no browser, with a hook that throws, and with a rejection', async () => {
    const { isGreen, output, files } = await run({
      'a.unit.js': fragile('a'),
      'b.browser.js': "beforeAll(() => { throw new Error('no page'); }); it('is never run', () => {});",
      'c.browser.js': "it('passes', () => { void Promise.reject(new Error('nobody listens')); });",
    });
    expect(isGreen).toBe(false);
    expect(output).toContain('FAILED: a.unit.js > the page (of $x) > fails once');
    expect(output).toContain('FAILED: b.browser.js: no page');
    expect(output).toContain('FAILED: outside of the files: nobody listens');
    expect(failedLines(files)).toHaveLength(2);
  });
});
