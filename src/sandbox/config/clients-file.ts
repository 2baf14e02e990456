import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, extname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { whileLoading } from './being-loaded.ts';
import type { Document } from './documents.ts';
import { configExtensions } from './find-config-files.ts';
import { stripsTypes, withCompileCache } from './loading-cache.ts';
import { lineAt, parseJson } from './parse-json.ts';
import { formatPath, type Path } from './problem.ts';

/** Seconds that a file may take to load. */
const longest = 15;

/** The export of the file, or a description of the expected one. */
export type FileContent =
  | { readonly content: unknown; readonly place?: Document['place'] }
  | { readonly problem: string };

/**
 * Loads a configuration file. TypeScript is loaded by Node where Node can, otherwise by jiti. `path` is absolute.
 * `isAgain`: the file was loaded before. Only jiti reads its imports again, because Node keeps each module it has
 * loaded.
 */
export async function loadConfigFile(path: string, isAgain = false): Promise<FileContent> {
  if (!existsSync(path)) return { problem: 'a file that exists' };
  // reading a pipe that nobody writes into would block the process
  if (!statSync(path).isFile()) return { problem: 'a file, but this path is a folder, a pipe or a device' };
  const extension = extname(path);
  if (!configExtensions.includes(extension)) return { problem: `a file ending in ${configExtensions.join(', ')}` };
  try {
    if (extension === '.json') return readJsonFile(path);
    if (['.yaml', '.yml'].includes(extension)) return await readYamlFile(path);
    return defaultExport(await inTime(importFile(path, isAgain), longest));
  } catch (error) {
    return notLoaded(error, path);
  }
}

/** Loads what a TypeScript file exports by this name. `path` is absolute. */
export async function loadExport(path: string, name: string): Promise<FileContent> {
  if (!existsSync(path)) return { problem: 'a file that exists' };
  try {
    const module = await inTime(importFile(path, false), longest);
    const content = memberOf(module, name) ?? memberOf(memberOf(module, 'default'), name);
    return content === undefined ? { problem: `an export with this name: export const ${name} = …` } : { content };
  } catch (error) {
    return notLoaded(error, path);
  }
}

function notLoaded(error: unknown, path: string): FileContent {
  const isOurs = error instanceof LoaderMissing;
  return { problem: isOurs ? error.message : `a file that can be loaded: ${describeError(error, path)}` };
}

function readJsonFile(path: string): FileContent {
  const text = readFileSync(path, 'utf8');
  const parsed = parseJson(text);
  if ('problem' in parsed) return { problem: `JSON: ${parsed.problem}` };
  const { place, repeated } = jsonPlaces(text);
  // the line of a file of one line says nothing
  const lines = text.trim().includes('\n') ? { place } : {};
  if (repeated === undefined) return { content: parsed.value, ...lines };
  return { problem: `JSON with each member once: ${repeated.path} is there again at line ${repeated.line}` };
}

async function readYamlFile(path: string): Promise<FileContent> {
  const { readYaml } = await import('./read-yaml.ts');
  const read = readYaml(readFileSync(path, 'utf8'));
  return 'problem' in read ? { problem: `YAML that can be read: ${read.problem}` } : read;
}

// Error codes of Node: it cannot strip types, or it cannot strip this syntax.
const typeScriptRefused = new Set([
  'ERR_UNKNOWN_FILE_EXTENSION',
  'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX',
  'ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING',
]);

/** Imports a module; TypeScript as `readClientsFile` does. */
export function importFile(path: string, isAgain: boolean): Promise<unknown> {
  return whileLoading(path, () => importScript(path, isAgain));
}

async function importScript(path: string, isAgain: boolean): Promise<unknown> {
  if (!['.ts', '.mts'].includes(extname(path))) return importByNode(path, isAgain);
  if (!stripsTypes) return throughJiti(path, { code: 'ERR_UNKNOWN_FILE_EXTENSION', isAgain });
  try {
    return await withCompileCache(() => importByNode(path, isAgain));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!typeScriptRefused.has(code)) throw error;
    return throughJiti(path, { code, isAgain });
  }
}

function importByNode(path: string, isAgain: boolean): Promise<unknown> {
  const { href } = pathToFileURL(path);
  if (isAgain) delete createRequire(path).cache[realpathSync(path)]; // Node caches CommonJS modules by path
  return import(/* @vite-ignore */ isAgain ? `${href}?${randomUUID()}` : href);
}

class LoaderMissing extends Error {}

/** `code` is the error code that Node reported for the file, or would report. */
async function throughJiti(
  path: string,
  { code, isAgain }: { readonly code: string; readonly isAgain: boolean },
): Promise<unknown> {
  const { importThroughJiti } = await import('./through-jiti.ts');
  const imported = importThroughJiti(path, isAgain);
  if (imported !== undefined) return imported;
  const advice =
    code === 'ERR_UNKNOWN_FILE_EXTENSION'
      ? 'use Node 22.18 or newer, install the package jiti, or write the file as .js or .json'
      : 'leave out enums, namespaces and decorators, or install the package jiti';
  throw new LoaderMissing(`TypeScript that this version of Node can load: ${advice}`);
}

function defaultExport(module: unknown): FileContent {
  const content = memberOf(module, 'default');
  // CommonJS made from a module by a compiler has its default export one level down.
  if (memberOf(content, '__esModule') === true) return defaultExport(content);
  return content === undefined ? { problem: 'a default export: export default { clients: [ … ] }' } : { content };
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && name in value
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

/** Suffix of the file name on a second read, removed from messages. */
const readAgain = /\?[\da-f]{8}-[\da-f-]{27}/g;

/** The first line of the message, with the line of the file if the error knows it. */
function describeError(error: unknown, path: string): string {
  if (!(error instanceof Error)) return String(error);
  const stack = (error.stack ?? '').replaceAll(readAgain, '');
  const after = stack.slice(stack.indexOf(basename(path)) + basename(path).length);
  const line = stack.includes(basename(path)) ? /^:(\d+)/.exec(after)?.[1] : undefined;
  const [message] = error.message.replaceAll(readAgain, '').split('\n');
  return `${error.name}: ${message}${line === undefined ? '' : ` (line ${line})`}`;
}

/**
 * The result of work that may never end, such as a module that awaits something forever.
 * @throws Error after that many seconds
 */
export async function inTime<T>(work: Promise<T>, seconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const told = `it did not finish loading within ${seconds} seconds: an import or an await in it never ends`;
    timer = setTimeout(() => reject(new Error(told)), seconds * 1000);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The places of the members of a JSON text. */
export interface JsonPlaces {
  /** `12`: the line of the member with this path, or of its nearest parent; undefined for neither. */
  place(path: string): string | undefined;
  /** The first member that is there twice: JSON.parse keeps the later one without a word (RFC 8259 §4). */
  readonly repeated?: { readonly path: string; readonly line: number };
}

/** Finds the members of valid JSON. */
function jsonPlaces(json: string): JsonPlaces {
  const offsets = new Map<string, number>();
  for (const [path, offset] of membersIn(json)) {
    const name = formatPath(path);
    if (offsets.has(name)) return { place: () => undefined, repeated: { path: name, line: lineAt(json, offset) } };
    offsets.set(name, offset);
  }
  return {
    place(path) {
      const parents = [...offsets.keys()].filter(
        name => path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`),
      );
      const nearest = offsets.get(parents.reduce((a, b) => (b.length > a.length ? b : a), ''));
      return nearest === undefined ? undefined : String(lineAt(json, nearest));
    },
  };
}

/** An object or list that is open at a place: the name of its current member, or its number. */
interface Open {
  step: string | number;
  isName: boolean;
}

function* membersIn(json: string): Generator<readonly [path: Path, offset: number]> {
  const open: Open[] = [];
  for (const { 0: token, index } of json.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]/g)) {
    const inner = open.at(-1);
    if (token === '{') open.push({ step: '', isName: true });
    else if (token === '[') open.push({ step: 0, isName: false });
    else if (token === '}' || token === ']') open.pop();
    else if (token === ',' || token === ':') pass(inner, token);
    else if (inner?.isName) {
      inner.step = String(JSON.parse(token));
      yield [open.map(({ step }) => step), index];
    }
  }
}

function pass(inner: Open | undefined, token: string): void {
  if (inner === undefined) return;
  if (typeof inner.step === 'string') inner.isName = token === ',';
  else inner.step++;
}
