// What the gate says of its tests, from the results that the JSON reporter of Vitest has left; scripts/test-browser.mjs adds the
// status `flaky`.
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** The files of all results in the folder. */
export async function readResults(folder) {
  const names = (await readdir(folder)).filter(name => name.endsWith('.json'));
  const texts = await Promise.all(names.map(name => readFile(join(folder, name), 'utf8')));
  return texts.flatMap(text => JSON.parse(text).testResults);
}

export function slowestLines(files) {
  return files
    .map(({ name, startTime, endTime }) => ({ name: relative(process.cwd(), name), time: endTime - startTime }))
    .sort((a, b) => b.time - a.time)
    .slice(0, 20)
    .map(({ name, time }) => `${(time / 1000).toFixed(1).padStart(8)} s  ${name}`);
}

/** A file fails as a whole where it cannot be read or where a hook throws. */
export function failedLines(files) {
  return files.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(process.cwd(), name);
    const failed = assertionResults.filter(test => test.status === 'failed');
    if (status === 'failed' && failed.length === 0) return [`FAILED file: ${file}: ${firstLine(message)}`];
    return failed.map(test => `FAILED test: ${nameOf(file, test)}: ${firstLine(test.failureMessages[0])}`);
  });
}

export function flakyLines(files) {
  return files.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(test => test.status === 'flaky')
      .map(test => `flaky: ${nameOf(relative(process.cwd(), name), test)}`),
  );
}

const nameOf = (file, { ancestorTitles, title }) => [file, ...ancestorTitles, title].join(' > ');

const firstLine = (text = '') => text.split('\n')[0].slice(0, 200);
