import { readFile } from 'node:fs/promises';
import type { TemplateFunction } from 'ejs';
import { templatesFolder } from '../../package.ts';
import { clientWords, type SnippetClient, type SnippetFacts, wordsOf } from './snippet-facts.ts';

/** Something to paste, made from a configuration. */
export interface Snippet {
  /** For anchors: `spa`. */
  readonly id: string;
  /** The group in which a page shows the snippet: `browser`. */
  readonly family: string;
  /** The framework and library: `React, react-oidc-context`. */
  readonly title: string;
  /** The file it belongs in, or the place to type it: `src/auth.ts`. */
  readonly where: string;
  readonly language: string;
  readonly code: string;
  /** One or two sentences about the snippet; may be empty. */
  readonly note: string;
  /** The client that the code names, or whose tokens it takes; absent if it needs none. */
  readonly client_id?: string;
}

const clients: Readonly<Record<string, (facts: SnippetFacts) => SnippetClient | undefined>> = {
  spa: ({ spa }) => spa,
  web: ({ web }) => web,
  machine: ({ machine }) => machine,
  any: ({ spa, web, machine }) => spa ?? web ?? machine,
  login: ({ spa, web, user }) => user && (spa ?? web),
  server: ({ web, machine }) => web ?? machine,
  secret: withSecret,
  keyed: ({ keyed }) => keyed,
  'keyed-or-secret': facts => facts.keyed ?? withSecret(facts),
};

/** The client that a heading asks for: `spa`, `spa of auth0` for a snippet of a provider, `spa of none` without one. */
function clientFor(heading: string, facts: SnippetFacts): SnippetClient | undefined {
  const [kind = '', providers] = heading.split(' of ');
  const isSpoken = providers === undefined || providers.split(' or ').includes(facts.provider?.name ?? 'none');
  return isSpoken ? clients[kind]?.(facts) : undefined;
}

function withSecret({ web }: SnippetFacts): SnippetClient | undefined {
  return web?.client_secret === undefined ? undefined : web;
}

const literals: Readonly<Record<string, (text: string) => string>> = {
  ts: js,
  tsx: js,
  js,
  java: quoted,
  csharp: quoted,
  python: quoted,
  vue: js,
  svelte: js,
  json: quoted,
  yaml,
  sh,
  http: oneLine,
  text: oneLine,
};

const names = [
  'issuer',
  'iss',
  'fromEnvironment',
  'at',
  'behind',
  'backchannelUrl',
  'hasOwnCa',
  'configFile',
  'loginMode',
  'canRegister',
  'spa',
  'web',
  'machine',
  'api',
  'machineApi',
  'user',
  'client',
  'provider',
  'tokenType',
  'isPlainHttp',
  'own',
  'mcpScope',
  'inside',
  'published',
  'pipeline',
  'clients',
  'hasOwnOptions',
  'entry',
  'values',
  'demoKey',
  'curl',
  'field',
  'jsx',
  'oneLine',
  'word',
];

/** A part of a file in `templates/snippets/`: `%% ID.LANGUAGE | FAMILY | CLIENT | WHERE | TITLE`, the code, `%% note`, the note. */
interface Section extends Omit<Snippet, 'code' | 'note' | 'client_id'> {
  readonly client: string;
  readonly code: TemplateFunction;
  readonly note: TemplateFunction;
}

const files = ['browser-apps', 'social-apps', 'web-apps', 'apis', 'terminal', 'containers', 'browser-tests'];
const read = new Map<string, Promise<readonly Section[]>>();

/** All snippets, or those with these ids. Snippets without a suitable client are left out. */
export async function snippets(facts: SnippetFacts, ids?: readonly string[]): Promise<readonly Snippet[]> {
  const sections = (await Promise.all(files.map(sectionsOf))).flat();
  return sections
    .filter(({ id, client }) => (ids?.includes(id) ?? true) && (client === '-' || clientFor(client, facts)))
    .map(section => rendered(section, facts));
}

/** Names that only some templates use: `clients` and `hasOwnOptions` those of `grantbox init`, the others those of the catalogue. */
interface OwnNames {
  readonly clients?: string;
  /** True if the preset has options other than the usual ones. */
  readonly hasOwnOptions?: boolean;
  readonly entry?: Readonly<Record<string, unknown>>;
  /** Values of a command that are not in the settings. */
  readonly values?: Readonly<Record<string, unknown>>;
  readonly demoKey?: Readonly<Record<string, string>>;
}

/** One of those, or of what only `grantbox init` or the catalogue shows. */
export async function snippetOf(id: string, facts: SnippetFacts, own: OwnNames = {}): Promise<Snippet> {
  const section = (await Promise.all(['init', 'catalogue', ...files].map(sectionsOf)))
    .flat()
    .find(each => each.id === id);
  if (section === undefined) throw new Error(`templates/snippets/ has no ${id}`);
  return rendered(section, facts, own);
}

function rendered(
  { client: heading, code, note, ...section }: Section,
  facts: SnippetFacts,
  own: OwnNames = {},
): Snippet {
  const client = clientFor(heading, facts);
  const data = {
    ...facts,
    ...wordsOf(facts, client),
    ...(client === undefined ? {} : { client: clientWords(client) }),
    ...own,
    curl: facts.hasOwnCa ? 'curl -sSk' : 'curl -sS',
    field,
    jsx,
    oneLine,
    word,
  };
  const text = { code: code(data), note: note(data).replace(/\s+/g, ' ').trim() };
  // a test of a page is of an application with any client
  const isOfClient = client !== undefined && heading !== 'login';
  return { ...section, ...text, ...(isOfClient ? { client_id: client.client_id } : {}) };
}

function field(name: string, value: string): string {
  return /^[\w.~-]+$/.test(value) ? `-d ${name}=${value}` : `--data-urlencode ${sh(`${name}=${value}`)}`;
}

/** Read on first use and kept, so that the start does not wait for them. */
function sectionsOf(file: string): Promise<readonly Section[]> {
  const known = read.get(file) ?? readSections(file);
  read.set(file, known);
  return known;
}

async function readSections(file: string): Promise<readonly Section[]> {
  const { default: ejs } = await import('ejs');
  const filename = `${templatesFolder}/snippets/${file}.ejs`;
  const text = await readFile(filename, 'utf8');
  const compile = (source: string, literal: (text: string) => string) => {
    const printed = (value: unknown) => (typeof value === 'number' ? String(value) : literal(String(value)));
    return ejs.compile(source, { escape: printed, strict: true, destructuredLocals: names, filename });
  };
  return text.split(/^%% (?!note$)/m).flatMap(part => {
    const [, id = '', language = '', family = '', client = '', where = '', title = '', body = ''] =
      /^(.+)\.(\w+) \| (.+) \| (.+) \| (.+) \| (.+)\n([\s\S]*)$/.exec(part) ?? [];
    const [code = '', note = ''] = body.split(/^%% note\n/m);
    const literal = literals[language];
    if (literal === undefined) return [];
    return [
      { id, language, family, client, where, title, code: compile(code, literal), note: compile(note, plain => plain) },
    ];
  });
}

/** A string of JavaScript and TypeScript in single quotes. Any text is escaped, and cannot end a script element. */
export function js(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${inner.replaceAll('<', '\\x3C').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}'`;
}

/** A string of Python, C# and JSON. */
export function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** An attribute of JSX. */
export function jsx(text: string): string {
  return /^[^"&{}<>\\\n\r]*$/.test(text) ? `"${text}"` : `{${js(text)}}`;
}

/** A value of YAML; quoted only if it could mean something else. */
export function yaml(text: string): string {
  const isPlain =
    /^[A-Za-z][\w./@-]*(:\/\/[\w./@:-]*[\w/])?$/.test(text) && !/^(true|false|yes|no|on|off|null|y|n)$/i.test(text);
  return isPlain ? text : quoted(text);
}

/** Text inside a comment or a header, which ends with its line. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}

/** A word of a POSIX shell, always in quotes: none of it is expanded. */
export function sh(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Text inside a string or a comment of any language; characters that could end it become underscores. */
function word(text: string): string {
  return text.replace(/[^\w.@ -]/g, '_');
}
