import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { filesBelow } from './support/test-files.ts';

const folders = ['src', 'templates', 'test', 'docs', 'scripts', 'bench', '.ci', 'examples', 'fixtures', 'deploy'];

/** Text files without built assets. */
const files = [...readdirSync('.'), ...folders.flatMap(folder => filesBelow(folder).map(file => `${folder}/${file}`))]
  .filter(file => /\.(ts|mjs|ejs|md|css|txt|py|go|java|cs)$/.test(file) && !file.startsWith('templates/assets/'))
  .filter(file => file !== 'test/words.test.ts');

function linesWith(pattern: RegExp, wanted: readonly string[], part = (text: string) => text): string[] {
  return wanted.flatMap(file =>
    part(readFileSync(file, 'utf8'))
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
  );
}

/** A document without code, addresses and the names of tests. */
function prose(text: string): string {
  const withoutBlocks = text.replace(/^( *)```[\s\S]*?^\1```$/gm, block => block.replace(/.+/g, ''));
  return withoutBlocks.replace(/`[^`\n]*`|\]\([^)\n]*\)|“[^”\n]*”/g, '');
}

it('at most sixty comments of the source open with What', () => {
  const sources = files.filter(file => file.startsWith('src/'));
  expect(sources.length).toBeGreaterThan(500);
  const found = linesWith(/^\s*(\/\*\*|\*|\/\/) What /, sources);
  expect(found.length, found.join('\n')).toBeLessThanOrEqual(60);
});

it('no text says whoever', () => {
  expect(linesWith(/whoever/i, files)).toEqual([]);
});

/** A template without the values and names in attributes; its sentences are between tags, in quotes, or in its JSON. */
const markup = (text: string) => text.replace(/[\w-]+="[^"\n]*"/g, '');

/** Texts of the servers that presets stand for. */
const foreign = /^src\/providers\/(entra\/errors|github\/preset|okta\/(preset|admin\/apps))\.ts$/;

/** The text in quotes of a line that is no comment; a name alone is none. */
const quoted = /^(?!\s*(\/\/|\/?\*)).*?(?<quote>['"`])(?:(?!\k<quote>).)*?/.source;

const sentences = files.filter(file => file.startsWith('src/') && file.endsWith('.ts') && !foreign.test(file));
const pages = [...files.filter(file => /^templates\/.*\.ejs$/.test(file)), 'templates/words/en.json'];
const documents = files.filter(file => file.endsWith('.md'));

it('no text says ID Token', () => {
  expect(linesWith(/\bID Token/, files)).toEqual([]);
});

describe.each([
  [
    'people sign in',
    String.raw`(\b(log|logs|logged|logging) in\b|\blogin (page|screen)\b|\b(an?|each|first|latest|next|the|this|your) logins?\b)`,
  ],
  ['what people write is an app', String.raw`\b(an|demo|different|each|of|the|this|your) applications?\b`],
  ['a server sends a response', String.raw`\b(an|each|no|the|this) answer\b(?! to a question)`],
])('%s', (_, words) => {
  it('in the sentences of the source', () => {
    expect(linesWith(new RegExp(quoted + words), sentences)).toEqual([]);
  });

  it('in the templates', () => {
    expect(pages.length).toBeGreaterThan(100);
    expect(linesWith(new RegExp(words), pages, markup)).toEqual([]);
  });

  it('in the documents', () => {
    expect(documents.length).toBeGreaterThan(40);
    expect(linesWith(new RegExp(words), documents, prose)).toEqual([]);
  });
});
