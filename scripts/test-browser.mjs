// `npm run test:browser`: the tests in a browser. One that fails is run once more, by itself, because a browser has a clock of its
// own. If it passes then, it is listed at the end as flaky, and the run is green unless there are more than three of them.
//
//   npm run test:browser                                              the project `browser`
//   npm run test:browser -- --project judges-browser                  another one; several are possible
//   npm run test:browser -- test/browser/login.test.ts -t password    other arguments are those of `vitest run`
//   npm run test:browser -- --outputFile.json=results.json            the results, where a flaky test has the status `flaky`
//
// Tests of projects that have no browser, files that cannot be read and hooks that throw are never run again.
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { provideChromium } from './chromium.mjs';

/** More flaky tests than this are a problem of the tests. */
export const mostFlaky = 3;

/** If more tests than this fail, something is broken, and nothing is run again. */
export const mostRepeated = 10;

const isInBrowser = ({ project }) => project.endsWith('browser');

/**
 * What failed in a run of Vitest.
 * @returns `tests`, and `others`: files that could not be read, hooks that threw, and errors outside of all files
 */
export function failuresOf({ modules, unhandled, root }) {
  const tests = [];
  const others = unhandled.map(error => ({ file: 'outside of the files', problem: firstLine(error) }));
  for (const module of modules) {
    const file = relative(root, module.moduleId);
    for (const test of module.children.allTests('failed'))
      tests.push({ project: module.project.name, file, titles: titlesOf(test) });
    for (const part of [module, ...module.children.allSuites()])
      for (const error of part.errors()) others.push({ file, problem: firstLine(error) });
  }
  return { tests, others };
}

const titlesOf = ({ type, name, parent }) => (type === 'module' ? [] : [...titlesOf(parent), name]);

const firstLine = ({ message }) => String(message).split('\n')[0];

/** Runs the failed tests in a browser once more, one after the other, and tells which of them are flaky. */
export async function repeatFailed({ tests, others }, passesAgain) {
  const flaky = [];
  const failed = [];
  for (const test of tests) {
    const isRepeated = tests.length <= mostRepeated && isInBrowser(test);
    if (isRepeated && (await passesAgain(test))) flaky.push(test);
    else failed.push({ ...test, isRepeated });
  }
  return { flaky, failed, others, isGreen: failed.length + others.length === 0 && flaky.length <= mostFlaky };
}

/** What is printed at the end. */
export function verdictLines({ flaky, failed, others }) {
  const lines = [
    ...others.map(({ file, problem }) => `FAILED: ${file}: ${problem}`),
    ...failed.map(test => `FAILED${test.isRepeated ? ' twice' : ''}: ${nameOf(test)}`),
    ...flaky.map(test => `flaky: ${nameOf(test)}`),
  ];
  if (failed.length > mostRepeated) lines.push(`More than ${mostRepeated} tests failed, so none was run again.`);
  if (flaky.length > mostFlaky) lines.push(`${flaky.length} tests are flaky, and at most ${mostFlaky} may be.`);
  return lines;
}

const nameOf = ({ file, titles }) => [file, ...titles].join(' > ');

/** The results of Vitest's JSON reporter, with the status `flaky` for the flaky tests. */
export function withFlaky(results, { flaky, others, isGreen }, root) {
  const names = new Set(flaky.map(({ file, titles }) => [file, ...titles].join('\n')));
  const testResults = results.testResults.map(result => {
    const file = relative(root, result.name);
    const assertionResults = result.assertionResults.map(test => {
      const isFlaky = names.has([file, ...test.ancestorTitles, test.title].join('\n'));
      return isFlaky ? { ...test, status: 'flaky' } : test;
    });
    const isFailed = assertionResults.some(test => test.status === 'failed') || others.some(each => each.file === file);
    return { ...result, assertionResults, status: isFailed ? 'failed' : 'passed' };
  });
  return { ...results, success: isGreen, testResults };
}

async function runVitest(filters, options) {
  const { startVitest } = await import('vitest/node');
  const { state, config } = await startVitest('test', filters, { ...options, watch: false });
  const { root } = config;
  return { modules: state.getTestModules(), unhandled: state.getUnhandledErrors(), root };
}

/** By its name, in a run of its own, so that nothing runs beside it. The build is that of the first run. */
async function passesAgain({ project, file, titles }, options) {
  const { escapeTestName } = await import('vitest/node');
  const { outputFile, ...others } = options;
  const testNamePattern = `^${escapeTestName(titles.join(' '), false)}$`;
  const run = await runVitest([file], { ...others, project, testNamePattern, reporters: ['default'] });
  const { tests, others: errors } = failuresOf(run);
  const passed = run.modules.flatMap(module => [...module.children.allTests('passed')]);
  return passed.length > 0 && tests.length + errors.length === 0;
}

/** Runs Vitest with these arguments, and tells whether the run is green. */
async function main(args) {
  const chromium = await provideChromium();
  if (chromium === undefined || !existsSync(chromium)) {
    const lack = chromium === undefined ? 'there is none' : `there is no file ${chromium}`;
    console.error(
      `The tests in a browser need Chromium, and ${lack}: install it, or say where it is with CHROMIUM_PATH.`,
    );
    return false;
  }
  const { parseCLI } = await import('vitest/node');
  const { filter, options } = parseCLI(['vitest', 'run', ...args]);
  options.project ??= 'browser';
  // Chromium has processes of its own
  options.maxWorkers ??= availableParallelism();
  const json = options.outputFile?.json;
  const run = await runVitest(filter, {
    ...options,
    reporters: json === undefined ? ['default'] : ['default', 'json'],
  });
  if (run.modules.length === 0) return false;
  const verdict = await repeatFailed(failuresOf(run), test => passesAgain(test, options));
  if (json !== undefined) {
    const path = resolve(run.root, json);
    const results = JSON.parse(await readFile(path, 'utf8'));
    await writeFile(path, JSON.stringify(withFlaky(results, verdict, run.root)));
  }
  for (const line of verdictLines(verdict)) console.log(line);
  return verdict.isGreen;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) process.exit((await main(process.argv.slice(2))) ? 0 : 1);
