import { describe, expect, it } from 'vitest';
import { type } from '../../client/cli/support.ts';
import { newFolder } from '../../support/new-folder.ts';

// test/browser/examine.test.ts signs in with Playwright itself.

const script = 'export default async () => true;';
/** A Playwright that has no browser, as after npm install alone. */
const withoutBrowser = `
exports.chromium = { async launch(options) { throw new Error('no browser for ' + JSON.stringify(options) + '\\nbox'); } };`;

async function refused(files: Readonly<Record<string, string>>, ...flags: readonly string[]): Promise<string> {
  const cwd = newFolder(files);
  const { code, note } = await type(['examine', '--login-script', 'login.mjs', ...flags], { cwd, environment: {} });
  expect(code).toBe(1);
  return note;
}

describe('grantbox examine --login-script', () => {
  it('says what to install where there is no Playwright', async () => {
    const note = await refused({ 'login.mjs': script });
    expect(note).toContain('--login-script needs Playwright, which is not installed in the folder of the script');
    expect(note).toContain('npm install --save-dev playwright');
  });

  it.each([
    ['nothing', [], '{}', 'its Chromium'],
    ['a path', ['--browser', '/opt/chromium'], '{"executablePath":"/opt/chromium"}', '/opt/chromium'],
    ['a channel', ['--browser', 'chrome'], '{"channel":"chrome"}', 'chrome'],
  ])('says which browser is not there, with %s', async (_given, flags, options, named) => {
    const files = { 'login.mjs': script, 'node_modules/playwright-core/index.js': withoutBrowser };
    const note = await refused(files, ...flags);
    expect(note).toContain(`Playwright cannot start ${named}: no browser for ${options}. Run npx playwright install`);
  });

  it.each([
    ['nothing that it can call', 'export const login = 1;', 'login.mjs has no function as its default export'],
    ['a mistake', 'export default (', 'login.mjs cannot be loaded: '],
  ])('refuses a file with %s', async (_what, text, words) => {
    expect(await refused({ 'login.mjs': text })).toContain(words);
  });

  it('is one way to sign in, and not two', async () => {
    const note = await refused({ 'login.mjs': script }, '--login', 'true');
    expect(note).toContain('--login and --login-script cannot be used together');
  });
});
