import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import registration from '../clients.config.ts';
import { createSandbox } from '../src/index.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');
const readme = await readFile(join(root, 'README.md'), 'utf8');

interface Block {
  readonly language: string;
  readonly text: string;
  /** Preceded by `<!-- tested -->`. */
  readonly isTested: boolean;
}

const blocks: readonly Block[] = [...readme.matchAll(/(<!-- tested -->\n)?^```(\w+)\n([\s\S]*?)^```$/gm)].map(
  ([, mark, language = '', text = '']) => ({ language, text, isTested: mark !== undefined }),
);

it('has commands that answer as shown', async () => {
  await using sandbox = await createSandbox();
  const { port } = new URL(sandbox.url);
  const here = (text: string) => text.replaceAll('localhost:9000', `localhost:${port}`);
  const shown = blocks.flatMap((block, index) =>
    block.isTested && block.language === 'sh' ? [{ command: block.text, answer: blocks[index + 1]?.text ?? '' }] : [],
  );
  expect(shown).toHaveLength(3);

  // one shell for all of them, because a later one uses what an earlier one has set
  const mark = '@@@ end of a command @@@';
  const script = shown.map(({ command }) => `${here(command)}\nprintf '\\n${mark}\\n'\n`).join('');
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script]);
  const answers = stdout.replaceAll('\r', '').split(mark);
  for (const [index, { answer }] of shown.entries()) {
    for (const line of answer.split('\n').filter(text => text !== '')) {
      expect(answers[index]).toMatch(patternOf(here(line)));
    }
  }
});

const tests = blocks.filter(({ language, isTested }) => isTested && language === 'ts');

it.each(tests.map(({ text }) => [/(?:it|test)\('(.*)'/.exec(text)?.[1], text]))(
  'has a test that passes: %s',
  async (_name, text) => {
    await using sandbox = text.includes('GRANTBOX_URL') ? await createSandbox() : undefined;
    const env = { ...process.env, ...(sandbox === undefined ? {} : { GRANTBOX_URL: sandbox.url }) };
    // in a folder of this package, where its own name is found
    const folder = await mkdtemp(join(root, 'dist', 'readme-'));
    try {
      await writeFile(join(folder, 'readme.test.ts'), text);
      await writeFile(join(folder, 'vitest.config.mjs'), 'export default {};');
      const vitest = join(root, 'node_modules/vitest/vitest.mjs');
      const { stdout } = await run(process.execPath, [vitest, 'run', '--root', folder, '--reporter', 'json'], { env });
      expect(JSON.parse(stdout)).toMatchObject({ numPassedTests: 1, success: true });
    } finally {
      await rm(folder, { recursive: true });
    }
  },
);

const excerpts = [...readme.matchAll(/^<!-- from (\S+) -->\n```ts\n([\s\S]*?)^```$/gm)];

it('has excerpts of files in a form that is checked', () => {
  expect(excerpts.length).toBe(readme.split('<!-- from ').length - 1);
  expect(excerpts.length).toBeGreaterThan(0);
});

it.each(excerpts.map(([, path = '', text = '']) => [path, text]))('shows what is in %s', async (path, text) => {
  expect(await readFile(join(root, path), 'utf8')).toContain(text);
});

it('has a front end that is registered', () => {
  const [frontend] = registration.clients;
  const snippet = blocks.find(({ text }) => text.includes('oidc-client-ts'))?.text ?? '';
  const scopes = /scope: '([^']+)'/.exec(snippet)?.[1]?.split(' ') ?? [];
  expect(snippet).toContain(`client_id: '${frontend?.client_id}'`);
  expect(frontend?.scope?.split(' ')).toEqual(expect.arrayContaining(scopes));
});

it('publishes ports to this machine alone', () => {
  const published = [...readme.matchAll(/(?:docker run .*-p |ports: \[')([\d.:]+)/g)].map(([, port]) => port);
  expect(published).toEqual(Array(3).fill('127.0.0.1:9000:9000'));
});

it('has tables that are up to date', async () => {
  await run(process.execPath, [join(root, 'scripts/docs.mjs'), '--check']);
});

it.each(['README.md', 'SECURITY.md', 'CONTRIBUTING.md'])('has links to files that exist: %s', async file => {
  const text = await readFile(join(root, file), 'utf8');
  const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, path = '']) => path);
  if (file !== 'SECURITY.md') expect(links).toContain('SECURITY.md');
  for (const path of links) await readFile(join(root, path));
});

it('names settings on the page about security that there are', async () => {
  const text = await readFile(join(root, 'SECURITY.md'), 'utf8');
  const names = [...text.matchAll(/`([A-Z]+(?:_[A-Z]+)*)(?:=[^`]*)?`/g)].map(([, name = '']) => name);
  for (const name of names) expect(readme, name).toContain(`| \`${name}\` |`);
  expect(new Set(names).size).toBeGreaterThan(8);
});

/** `…` stands for anything. */
function patternOf(line: string): RegExp {
  const parts = line.split('…').map(part => part.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(parts.join('.*'));
}
