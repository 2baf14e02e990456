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
  const { readYaml } = await import('../config/read-yaml.ts');
  const read = readYaml(text);
  if (!('fault' in read)) return { value: read.content };
  // the parser calls itself for each level
  const isDeep = read.fault.startsWith('Maximum call stack');
  return { fault: isDeep ? 'it is nested too deep' : `it is not valid YAML: ${read.fault}` };
}
