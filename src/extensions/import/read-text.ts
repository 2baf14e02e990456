import { readCsv } from './csv.ts';
import { type Parsed, readJson } from './read-json.ts';

/** Parsed YAML needs hundreds of bytes for each of its characters. */
const mostYaml = 2 * 1024 * 1024;

const parsers: Readonly<Record<string, (text: string) => Parsed | Promise<Parsed>>> = {
  '.json': readJson,
  '.yaml': readYamlText,
  '.yml': readYamlText,
  '.csv': readCsv,
};

/** The endings of files in a folder that are read. */
export const endings = Object.keys(parsers);

/** Parses the text of a file by its ending; a file with any other ending is JSON. */
export async function readText(name: string, text: string): Promise<Parsed> {
  return (parsers[endingOf(name)] ?? readJson)(text);
}

/** The ending that says how a file is parsed: `.json` for a file with any other. */
export function endingOf(name: string): string {
  const ending = /\.[a-z]+$/i.exec(name)?.[0].toLowerCase() ?? '';
  return Object.hasOwn(parsers, ending) ? ending : '.json';
}

/** Parses YAML. JSON is YAML, too, so that this reads either. */
export async function readYamlText(text: string): Promise<Parsed> {
  if (text.length > mostYaml) return { fault: `it is YAML of more than ${mostYaml / 1024 / 1024} MB` };
  if (isDeep(text)) return { fault: 'it is nested too deep' };
  const { readYaml } = await import('../../sandbox/config/read-yaml.ts');
  const read = readYaml(text);
  if (!('fault' in read)) return { value: read.content };
  return { fault: `it is not valid YAML: ${read.fault}` };
}

const mostLevels = 500;

/**
 * Whether brackets, dashes or spaces nest deeper than any export. The parser calls itself for each level, and Node ends the
 * process if the stack is full while it compiles a regular expression.
 */
function isDeep(text: string): boolean {
  if (new RegExp(`(?:[-?:] +){${mostLevels}}|(?:^|\\n) {${mostLevels}}`).test(text)) return true;
  let depth = 0;
  for (const [mark] of text.matchAll(/[[\]{}]/g)) {
    depth = mark === '[' || mark === '{' ? depth + 1 : Math.max(0, depth - 1);
    if (depth > mostLevels) return true;
  }
  return false;
}
