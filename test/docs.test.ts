import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { documents, withoutBlocks } from './support/documents.ts';

const pages = [
  ...['CONTRIBUTING.md', 'SECURITY.md', 'CODE_OF_CONDUCT.md', 'bench/README.md'],
  ...readdirSync('docs')
    // the files that recipes name are those of an application
    .filter(file => file.endsWith('.md') && file !== 'recipes.md')
    .map(file => join('docs', file)),
];
const textOf = (page: string) => readFileSync(page, 'utf8');

describe.each(pages)('%s', page => {
  const text = textOf(page);

  it('names files and folders that are there', () => {
    const named = [
      ...text.matchAll(
        /`((?:src|test|docs|scripts|bench|templates|examples|fixtures|deploy|\.ci|\.github)\/[\w./-]*)`/g,
      ),
    ];
    for (const [, path = ''] of named) {
      // made by a build
      if (!path.startsWith('templates/assets/')) expect(existsSync(path), path).toBe(true);
    }
  });
});

const reference = documents.filter(document => /^docs\/(providers\/)?[^/]+\.md$/.test(document));

it('the reference has at most 29 pages: a new subject takes the place of another, or goes to a page that is there', () => {
  expect(reference.length).toBeLessThanOrEqual(29);
});

const guides = documents.filter(document => document.startsWith('docs/guides/'));

describe.each([...reference, ...guides, 'CONTRIBUTING.md', 'SECURITY.md'])('a person can read %s', document => {
  const lines = withoutBlocks(textOf(document)).split('\n');

  it('because no line has more than 200 characters, addresses aside', () => {
    expect(lines.filter(line => [...line.replaceAll(/<?https?:\/\/[^\s)>`|]+>?/g, '')].length > 200)).toEqual([]);
  });

  it('because no cell of a table is empty', () => {
    expect(lines.filter(line => /^\s*\|(.*\|)?\s*\|/.test(line))).toEqual([]);
  });
});

describe('docs/architecture.md', () => {
  const text = textOf('docs/architecture.md');

  it('has each folder of the sources in its map', () => {
    const folders = readdirSync('src', { withFileTypes: true }).filter(entry => entry.isDirectory());
    const rows = text.split('\n').filter(line => line.startsWith('| `src/'));
    for (const { name } of folders) expect(rows.join('\n'), name).toContain(`\`src/${name}/\``);
  });
});

describe('CONTRIBUTING.md', () => {
  const text = textOf('CONTRIBUTING.md');

  it('walks through a contribution at places that are there', () => {
    const habits = textOf('src/server/http/habits.ts');
    const [before, after] = [
      "['token', 'tokens', 'token.oauth2']",
      "['token', 'tokens', 'token.oauth2', 'oauth-token']",
    ];
    expect(text).toContain(`token: ${after}`);
    // before somebody has made it, or after
    expect([before, after].some(names => habits.includes(`token: ${names}`))).toBe(true);
    expect(textOf('test/server/http/habits.test.ts')).toMatch(/'\/oauth2\/token': \[\s*(\.\.\.\[\s*)?'\/token',/);
  });

  it('uses scripts of the package', () => {
    const used = [...text.matchAll(/^ *npm (?:run )?(\w+)$/gm)].map(([, name = '']) => name);
    const scripts = ['ci', ...Object.keys(packageJson.scripts)];
    expect(used.length).toBeGreaterThan(3);
    for (const name of used) expect(scripts, name).toContain(name);
  });
});

it('the owner of the repository is named in one line of package.json, from which npm derives the other addresses', () => {
  expect(packageJson.repository).toMatch(/^github:[\w-]+\/grantbox$/);
  expect(Object.keys(packageJson)).not.toEqual(expect.arrayContaining(['bugs']));
  expect(Object.keys(packageJson)).not.toEqual(expect.arrayContaining(['homepage']));
});

describe('.github', () => {
  const workflows = readdirSync('.github/workflows').map(file => textOf(join('.github/workflows', file)));

  it('runs scripts and commands that are there', () => {
    const scripts = Object.keys(packageJson.scripts);
    for (const text of workflows) {
      for (const [, name = ''] of text.matchAll(/npm run ([\w-]+)/g)) expect(scripts, name).toContain(name);
      for (const [, file = ''] of text.matchAll(/(?:node|bash) ((?:\.ci|scripts)\/\S+)/g)) {
        expect(existsSync(file), file).toBe(true);
      }
    }
  });

  it('tests on each version of Node that is promised', () => {
    const least = packageJson.engines.node.replace('>=', '');
    expect(textOf('.github/workflows/ci.yml')).toContain(`node: ['${least}', '22', '24', '26']`);
    expect(textOf('.nvmrc').trim()).toBe('24');
  });

  it('gives no workflow more than it says it needs', () => {
    for (const text of workflows) expect(text).toMatch(/^permissions:\n {2}contents: read$/m);
  });
});
