import { cpSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, it } from 'vitest';
import { chromiumPath } from '../../browser/support/chromium.ts';
import { blocksOf } from '../../support/documents.ts';
import { freePort } from '../../support/free-port.ts';
import { runProgram } from '../../support/program.ts';
import { madeFolder } from '../support/made-folder.ts';

// The examples are examined by the command that README.md names, and print what it shows.

const root = join(import.meta.dirname, '../../..');
const bin = (folder: string) => join(root, folder, 'node_modules/.bin');

/** The shown output by its title. */
const [shown = ''] = blocksOf('README.md').flatMap(({ text }) => (text.includes('0 failed') ? [text] : []));
const [ofApp = '', ofApi = ''] = shown.split(/^(?=API$)/m);

/** Runs `npm run examine` in a copy of the example, beside the libraries of these tests. */
async function examined(example: string, flags: readonly string[]): Promise<string> {
  const folder = await madeFolder();
  cpSync(join(root, 'examples', example), folder, {
    recursive: true,
    filter: path => !/\/(node_modules|dist)$/.test(path),
  });
  const command = `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'dist/grantbox.cjs')}' "$@"\n`;
  writeFileSync(join(folder, 'grantbox'), command, { mode: 0o755 });
  const PATH = [folder, bin('test/judges'), bin('.'), process.env.PATH].join(delimiter);
  const env = { PATH, PORT: String(await freePort()) };
  const { code, output } = await runProgram('npm', ['run', 'examine', '--', ...flags], { cwd: folder, env });
  expect(code, output).toBe(0);
  return output;
}

/** Each line is there, whatever the width of its columns. */
function expectLines(output: string, lines: string): void {
  const narrow = (text: string) => text.replace(/ {2,}/g, '  ');
  for (const line of lines.trim().split('\n')) expect(narrow(output).split('\n')).toContain(narrow(line));
}

it('README.md shows what the example of a single-page app prints', async () => {
  expectLines(await examined('playwright-spa', ['--browser', await chromiumPath()]), ofApp);
});

it('the single-page app withstands the attacks of RFC 9700, too', async () => {
  const output = await examined('playwright-spa', ['--browser', await chromiumPath(), '--plan', 'oauth-bcp']);
  expect(output).toContain('0 failed, 0 warnings');
});

it('README.md shows what the example of an API prints', async () => {
  expectLines(await examined('vitest-api', []), ofApi);
});
