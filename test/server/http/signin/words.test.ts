import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { uiLocales } from '../../../../src/protocol/ui-locales.ts';
import {
  english,
  type Forms,
  loadLanguage,
  readWords,
  type Word,
} from '../../../../src/server/http/signin/language.ts';
import { scopeWords } from '../../../../src/server/http/signin/scope-words.ts';

const en = readWords('en');
const others = uiLocales.filter(tag => tag !== 'en').map(tag => [tag, readWords(tag)] as const);
const words = Object.keys(en) as Word[];
const texts = (text: string | Forms): string[] => (typeof text === 'string' ? [text] : Object.values(text));
const marks = (text: string) => (text.match(/\{\w+\}|`[^`]+`|\*[^*]+\*/g) ?? []).sort();
const templates = join(import.meta.dirname, '../../../../templates');

/** The texts may write a count in words, `one user`, in a form that is for this number alone. */
const withoutCount = (found: readonly string[]) => found.filter(mark => mark !== '{count}');

it('each language of the discovery document has its words', () => {
  const languages = uiLocales.map(loadLanguage);
  expect(languages.map(({ tag, dir }) => [tag, dir])).toEqual([
    ...['en', 'de', 'fr', 'es', 'ja'].map(tag => [tag, 'ltr']),
    ['ar', 'rtl'],
  ]);
  expect(new Set(languages.map(({ say }) => say('signIn')))).toHaveProperty('size', uiLocales.length);
});

describe.each(others)('the words in %s', (_tag, catalogue) => {
  it('have a text for each English one, and no other', () => {
    expect(Object.keys(catalogue).sort()).toEqual([...words].sort());
  });

  it('are those of English, with the same values, code and emphasis', () => {
    const wrong = words.flatMap(word =>
      texts(catalogue[word]).flatMap(text => {
        const expected = withoutCount(marks(texts(en[word]).at(-1) ?? ''));
        return JSON.stringify(withoutCount(marks(text))) === JSON.stringify(expected) ? [] : [`${word}: ${text}`];
      }),
    );
    expect(wrong).toEqual([]);
  });

  it('are translated', () => {
    const kept: readonly Word[] = [
      'ok',
      'multiFactor',
      'idToken',
      'accessToken',
      'stripError',
      'details',
      'code',
      'client',
      'logo',
      'scopeCount',
    ];
    const same = words.filter(word => JSON.stringify(catalogue[word]) === JSON.stringify(en[word]));
    expect(same.filter(word => !kept.includes(word))).toEqual([]);
  });

  it('are never empty', () => {
    expect(words.filter(word => texts(catalogue[word]).some(text => text.trim() === ''))).toEqual([]);
  });
});

it('the templates and the sources use each word, and no other', () => {
  const read = (folder: string, ending: string) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter(file => file.endsWith(ending) && !file.startsWith('words'))
      .map(file => readFileSync(join(folder, file), 'utf8'))
      .join('\n');
  const used = read(templates, '.ejs') + read(join(import.meta.dirname, '../../../../src/server/http'), '.ts');
  const named = [...used.matchAll(/\b(?:say|html)\('(\w+)'/g)].map(([, word = '']) => word);
  expect(named.filter(word => !Object.hasOwn(en, word))).toEqual([]);
  const composed = /^(cause|answer|code|scope)_/;
  expect(words.filter(word => !composed.test(word) && !new RegExp(`['\\s]${word}\\b`).test(used))).toEqual([]);
});

describe('a text', () => {
  it('chooses the plural form of its language', async () => {
    const arabic = loadLanguage('ar');
    expect([1, 2].map(count => english.say('scopeCount', { count }))).toEqual(['1 scope', '2 scopes']);
    const counted = [1, 2, 3, 11, 100].map(count => arabic.say('scopeCount', { count }).replace(/[\u2068\u2069]/g, ''));
    expect(counted).toEqual(['نطاق واحد', 'نطاقان', '3 نطاقات', '11 نطاقًا', '100 نطاق']);
  });

  it('escapes its values, and marks nothing in them', () => {
    const client = '<b>*bold*</b> `code` {list}';
    expect(english.html('wantsTo', { client, list: 'a & b' })).toBe(
      '<strong>&lt;b&gt;*bold*&lt;/b&gt; `code` {list}</strong> wants to a &amp; b',
    );
  });

  it('isolates its values where text runs from right to left', async () => {
    const { html } = loadLanguage('ar');
    expect(html('returnTo', { target: 'localhost:5173' })).toContain('<code>\u2068localhost:5173\u2069</code>');
  });

  it('joins phrases and counts milliseconds as the language does', async () => {
    const german = loadLanguage('de');
    expect(german.list(['eins', 'zwei', 'drei'])).toBe('eins, zwei und drei');
    expect(english.milliseconds(12.4)).toBe('12 ms');
  });
});

describe('a scope', () => {
  const scope = { name: 'email', claims: [], access_token_claims: {} };

  it('is described in the language of the page where its description is the built-in one', async () => {
    const spanish = loadLanguage('es');
    const { description } = scopeWords('email', { ...scope, description: 'see your e-mail address' }, spanish);
    expect(description).toBe('ver su dirección de correo electrónico');
  });

  it('keeps a description of the configuration', async () => {
    const spanish = loadLanguage('es');
    expect(scopeWords('email', { ...scope, description: 'read your mail' }, spanish).description).toBe(
      'read your mail',
    );
    expect(scopeWords('other', undefined, spanish).description).toBe('other');
  });
});
