import { existsSync, readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { configExtensions } from './find-config-files.ts';
import { parseJson } from './formats.ts';

/** What the file exports, or in words what would have been expected of it. */
export type FileContent = { readonly content: unknown } | { readonly fault: string };

/** Loads a configuration file: TypeScript natively where Node can, else through jiti. `path` is absolute. */
export async function loadConfigFile(path: string): Promise<FileContent> {
  if (!existsSync(path)) return { fault: 'a file that exists' };
  const extension = extname(path);
  if (!configExtensions.includes(extension)) return { fault: `a file ending in ${configExtensions.join(', ')}` };
  try {
    return extension === '.json' ? readJsonFile(path) : defaultExport(await importFile(path));
  } catch (error) {
    return {
      fault:
        error instanceof LoaderMissing ? error.message : `a file that can be loaded: ${describeError(error, path)}`,
    };
  }
}

function readJsonFile(path: string): FileContent {
  const parsed = parseJson(readFileSync(path, 'utf8'));
  return 'fault' in parsed ? { fault: `JSON: ${parsed.fault}` } : { content: parsed.value };
}

// What Node says where it cannot strip types, or not these.
const typeScriptRefused = new Set([
  'ERR_UNKNOWN_FILE_EXTENSION',
  'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX',
  'ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING',
]);

async function importFile(path: string): Promise<unknown> {
  try {
    return await import(/* @vite-ignore */ pathToFileURL(path).href);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!typeScriptRefused.has(code)) throw error;
    return importThroughJiti(path, code);
  }
}

class LoaderMissing extends Error {}

/** `code` is what Node said of the file. */
async function importThroughJiti(path: string, code: string): Promise<unknown> {
  const { createJiti } = await import('jiti').catch(() => {
    const advice =
      code === 'ERR_UNKNOWN_FILE_EXTENSION'
        ? 'use Node 22.18 or newer, install the package jiti, or write the file as .js or .json'
        : 'leave out enums, namespaces and decorators, or install the package jiti';
    throw new LoaderMissing(`TypeScript that this Node can load: ${advice}`);
  });
  return createJiti(path).import(path);
}

function defaultExport(module: unknown): FileContent {
  const content = memberOf(module, 'default');
  // CommonJS made from a module by a compiler has its default export one level down.
  if (memberOf(content, '__esModule') === true) return defaultExport(content);
  return content === undefined ? { fault: 'a default export: export default { clients: [ … ] }' } : { content };
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && name in value
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

/** The first line of the message, with the line of the file if the error knows it. */
function describeError(error: unknown, path: string): string {
  if (!(error instanceof Error)) return String(error);
  const stack = error.stack ?? '';
  const after = stack.slice(stack.indexOf(basename(path)) + basename(path).length);
  const line = stack.includes(basename(path)) ? /^:(\d+)/.exec(after)?.[1] : undefined;
  const [message] = error.message.split('\n');
  return `${error.name}: ${message}${line === undefined ? '' : ` (line ${line})`}`;
}
