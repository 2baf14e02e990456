import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileFailure } from '../../sandbox/config/file-failure.ts';
import { fileMark } from '../../sandbox/config/file-mark.ts';
import type { Environment } from '../../sandbox/config/setting-values.ts';
import type { ExportFile } from './imported.ts';
import { withKeywordMarks, withKeywords, withVariables, withVariablesInside } from './placeholders.ts';
import { endingOf, endings, mostBytes, type Parsed, readText } from './read-text.ts';

/** A file or folder that somebody named. */
export interface NamedExport {
  /** Absolute. */
  readonly path: string;
  /** As typed. */
  readonly name: string;
  /** Variables that replace placeholders. */
  readonly env?: Environment;
}

/** The files that were read, and for each that could not be read a sentence that begins with its name. */
interface ReadFiles {
  readonly files: readonly ExportFile[];
  readonly problems: readonly string[];
}

const mostFiles = 1000;
const deepest = 4;
const size = `${mostBytes / 1024 / 1024} MB`;

/** Reads a file, or the files of a folder and its folders. */
export async function readFiles(named: NamedExport): Promise<ReadFiles> {
  const paths = pathsOf(named.path);
  if ('problem' in paths) return { files: [], problems: [`${named.name} ${paths.problem}`] };
  const read = { files: [] as ExportFile[], problems: [] as string[] };
  let room = mostBytes;
  for (const below of paths.below) {
    const name = below === '' ? named.name : below;
    const text = boundedText(join(named.path, below), room);
    const value = 'problem' in text ? text : await parsed(name, text.text, named.env ?? {});
    if ('problem' in value) read.problems.push(`${name} ${value.problem}`);
    else read.files.push({ name, path: join(named.path, below), ...value });
    if ('text' in text) room -= text.text.length;
  }
  return read;
}

/** Stays the same until one of the files changes, or one is added or removed. */
export function importMark(path: string): string {
  const paths = pathsOf(path);
  return 'problem' in paths ? '' : paths.below.map(below => `${below} ${fileMark(join(path, below))}`).join('\n');
}

/** The files of a folder in the order of their names, numbers by value. Hidden files do not count: a volume of Kubernetes has them. */
function pathsOf(path: string): { readonly below: readonly string[] } | { readonly problem: string } {
  try {
    if (!statSync(path).isDirectory()) return { below: [''] };
    const below = filesIn(path, '', deepest);
    if (below.length === 0) return { problem: `has no file that ends in ${endings.join(', ')}` };
    if (below.length > mostFiles) return { problem: `has more than ${mostFiles} files` };
    const { compare } = new Intl.Collator('en', { numeric: true });
    return { below: below.toSorted(compare) };
  } catch (error) {
    return { problem: `cannot be read (${fileFailure(error)})` };
  }
}

function filesIn(folder: string, below: string, depth: number): string[] {
  return readdirSync(join(folder, below)).flatMap(name => {
    const path = join(below, name);
    if (name.startsWith('.')) return [];
    if (statSync(join(folder, path)).isDirectory()) return depth === 0 ? [] : filesIn(folder, path, depth - 1);
    return endings.some(ending => name.toLowerCase().endsWith(ending)) ? [path] : [];
  });
}

/** The text of a file that is not larger than an export may be, or the end of a sentence that begins with its name. */
export function boundedText(path: string, room = mostBytes): { readonly text: string } | { readonly problem: string } {
  try {
    const facts = statSync(path);
    if (facts.isDirectory()) return { problem: 'is a folder, not a file' };
    // reading a pipe that nobody writes into would block the process
    if (!facts.isFile()) return { problem: 'is a pipe or a device, not a file' };
    if (facts.size > mostBytes) return { problem: `cannot be read: it is larger than ${size}` };
    if (facts.size > room) return { problem: `cannot be imported: the files of the folder are larger than ${size}` };
    return { text: readFileSync(path, 'utf8') };
  } catch (error) {
    return { problem: `cannot be read (${fileFailure(error)})` };
  }
}

async function parsed(name: string, text: string, env: Environment): Promise<Parsed> {
  const ending = endingOf(name);
  if (ending === '.csv') return named(await readText(name, text));
  const isJson = ending === '.json';
  const worded = withKeywords(text, env, isJson);
  const whole = isJson ? withVariables(worded, env) : worded;
  if (whole === undefined) return tooLarge;
  const read = await readText(name, whole);
  if ('problem' in read || isJson) return named(read);
  return withVariablesInside(withKeywordMarks(read.value), env) ?? tooLarge;
}

const tooLarge = { problem: `cannot be imported: it is larger than ${size} with its variables` };

function named(read: Parsed): Parsed {
  return 'problem' in read ? { problem: `cannot be imported: ${read.problem}` } : read;
}
