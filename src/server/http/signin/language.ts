import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import en from '../../../../templates/words/en.json' with { type: 'json' };
import { templatesFolder } from '../../../package.ts';
import { lookUpLocale, preferredRanges, type UiLocale } from '../../../protocol/ui-locales.ts';
import type { Answer } from '../answer.ts';
import { htmlAnswer } from '../answer.ts';
import { rawQuery } from '../read-parameters.ts';

/** A text in the plural forms of its language, chosen by `{count}` (CLDR). */
export type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;

/** The name of a text in `templates/words/`. There, `{name}` is replaced by a value, `*text*` is strong and `` `text` `` is code. */
export type Word = keyof typeof en;

/** All texts of one language. */
export type Words = Readonly<Record<Word, string | Forms>>;

/** Values for the names in braces. */
export type Values = Readonly<Record<string, string | number>>;

/** A text that is put into words once the language of the page is known. */
export interface Said {
  readonly word: Word;
  readonly values?: Values;
}

/** One language of the pages for users. */
export interface Language {
  readonly tag: UiLocale;
  readonly dir: 'ltr' | 'rtl';
  /** A text, for EJS to escape. */
  say(word: Word, values?: Values): string;
  /** A text as HTML: `*strong*`, `` `code` ``, and every value escaped. */
  html(word: Word, values?: Values): string;
  /** Phrases with commas and "and". */
  list(phrases: readonly string[]): string;
  /** `12 ms`. */
  milliseconds(count: number): string;
}

/** English comes with the program; any other language is read with the first page in it. */
export const english = speak('en', en);
const languages = new Map<UiLocale, Language>([['en', english]]);

export function loadLanguage(tag: UiLocale): Language {
  const loaded = languages.get(tag) ?? speak(tag, readWords(tag));
  languages.set(tag, loaded);
  return loaded;
}

/** The words of a language, which a test compares with the English ones. */
export function readWords(tag: UiLocale): Words {
  return JSON.parse(readFileSync(join(templatesFolder, 'words', `${tag}.json`), 'utf8'));
}

/**
 * The language of an answer: `ui_locales` of the request (OIDC Core §3.1.2.1), then `Accept-Language` (RFC 9110 §12.5.4), then
 * English. A request that was pushed or signed brings its `ui_locales` itself.
 */
export function languageOf(req: IncomingMessage, uiLocales?: string): Language {
  const asked = uiLocales ?? new URLSearchParams(rawQuery(req)).get('ui_locales') ?? '';
  const accepted = preferredRanges(req.headers['accept-language'] ?? '');
  return loadLanguage(lookUpLocale([...asked.split(' '), ...accepted]) ?? 'en');
}

/**
 * A page in a language. `Vary` is set although no cache may keep the page, because a proxy in front of a sandbox may
 * keep it anyway.
 */
export function pageAnswer(
  { tag }: Language,
  status: number,
  html: string,
  headers: Readonly<Record<string, string>>,
): Answer {
  return htmlAnswer(status, html, { ...headers, 'Content-Language': tag, Vary: 'Accept-Language' });
}

function speak(tag: UiLocale, words: Words): Language {
  const dir = tag === 'ar' ? 'rtl' : 'ltr';
  const locale = tag === 'ar' ? 'ar-u-nu-latn' : tag; // codes and ids on the same page have Latin digits
  const phrases = new Intl.ListFormat(locale);
  const plurals = new Intl.PluralRules(locale);
  const duration = new Intl.NumberFormat(locale, { style: 'unit', unit: 'millisecond', maximumFractionDigits: 0 });
  const textOf = (word: Word, values: Values) => {
    const text: string | Forms = words[word];
    return typeof text === 'string' ? text : (text[plurals.select(Number(values.count))] ?? text.other);
  };
  // isolated, so that a name in Latin letters does not reorder the Arabic sentence around it
  const isolated = (value: string) => (dir === 'rtl' ? `\u2068${value}\u2069` : value);
  return {
    tag,
    dir,
    say: (word, values = {}) => fill(textOf(word, values), values, isolated),
    html: (word, values = {}) => fill(marked(textOf(word, values)), values, value => isolated(escaped(value))),
    list: each => phrases.format(each),
    milliseconds: count => duration.format(count),
  };
}

function fill(text: string, values: Values, show: (value: string) => string): string {
  return text.replace(/\{(\w+)\}/g, (name, key: string) => {
    const value = values[key];
    return value === undefined ? name : show(String(value));
  });
}

/** Marks up our own texts only. Values are filled in later, so nothing in a value becomes markup. */
function marked(text: string): string {
  return escaped(text)
    .replace(/\*([^*]+)\*/g, '<strong>$1</strong>')
    .replace(/`([^`]+)`/g, '<code>$1</code>');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, character => entities[character] ?? '');
}
