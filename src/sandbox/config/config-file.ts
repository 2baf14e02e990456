import { dirname, resolve } from 'node:path';
import { isRecord } from '../../base/text/record.ts';
import type { Document } from './documents.ts';
import { fileMark } from './file-mark.ts';
import { findConfigFiles } from './find-config-files.ts';
import { type ConfigProblem, formatPath, type Path, show, toProblem } from './problem.ts';
import { readSetting, type SettingSources } from './setting-values.ts';

/** Contents of a configuration file, or its problems. */
export interface FileReading {
  readonly file?: Document;
  readonly problems: readonly ConfigProblem[];
  /** Reads the same file again; absent where no file was read. */
  readonly again?: { readonly path: string; readonly mark: string; look(): string; read(): Promise<FileReading> };
}

/** The places where a configuration file is looked for. */
export interface FileSources extends Pick<SettingSources, 'flags' | 'env'> {
  readonly cwd?: string;
}

/** The file that a flag or variable names, or the one in the working directory. */
export async function readFile({ flags, env, cwd }: FileSources): Promise<FileReading> {
  const asked = readSetting('configFile', { flags, env });
  // A wrong value is reported with the other settings.
  if (asked.problems.length > 0) return { problems: [] };
  if (asked.value !== undefined) return loadDocument(asked.value, { cwd, askedBy: asked.source });
  if (cwd === undefined) return { problems: [] };
  const [found, another] = findConfigFiles(cwd);
  if (found === undefined) return { problems: [] };
  if (another === undefined) return loadDocument(found, { cwd });
  const expected = `one configuration file, not both ${found} and ${another}: remove one, or choose with --config`;
  return { problems: [{ source: 'working directory', expected }] };
}

interface Loading {
  readonly cwd: string | undefined;
  /** The flag or variable that named the file. Problems with loading the file are reported there. */
  readonly askedBy?: string | undefined;
  /** True if the file was read before: the modules that Node has cached are old. */
  readonly isAgain?: true;
}

async function loadDocument(name: string, { cwd = '', askedBy, isAgain }: Loading): Promise<FileReading> {
  const path = resolve(cwd, name);
  const look = () => fileMark(path);
  const mark = look();
  const { loadConfigFile } = await import('./clients-file.ts');
  const loaded = await loadConfigFile(path, isAgain);
  if ('problem' in loaded) {
    const asked = askedBy === undefined ? { source: name } : { source: askedBy, value: show(name) };
    return { problems: [{ ...asked, expected: loaded.problem }] };
  }
  const { content, place } = loaded;
  if (!isRecord(content)) {
    const finding = { path: [], value: content, expected: 'an object as default export' };
    return { problems: [toProblem(name, finding)] };
  }
  const unreadable = unreadableMember(content);
  if (unreadable !== undefined) {
    return {
      problems: [{ source: `${name}: ${unreadable.path}`, expected: `a member that can be read: ${unreadable.why}` }],
    };
  }
  const again = { path, mark, look, read: () => loadDocument(name, { cwd, isAgain: true }) };
  return { file: { name, content, place, folder: dirname(path) }, problems: [], again };
}

/** The first member whose getter throws, in objects and lists. */
function unreadableMember(
  value: unknown,
  path: Path = [],
  seen = new Set<unknown>(),
): { readonly path: string; readonly why: string } | undefined {
  if (!(isRecord(value) || Array.isArray(value)) || seen.has(value)) return undefined;
  seen.add(value);
  for (const name of Object.keys(value)) {
    const inside = [...path, Array.isArray(value) ? Number(name) : name];
    try {
      const found = unreadableMember(Reflect.get(value, name), inside, seen);
      if (found !== undefined) return found;
    } catch (error) {
      return {
        path: formatPath(inside),
        why: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
      };
    }
  }
  return undefined;
}
