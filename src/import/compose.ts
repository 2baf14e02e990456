import { isRecord } from '../text/record.ts';
import type { ExportFile } from './imported.ts';
import { readYamlText } from './read-text.ts';

/** Variables of services that have the configuration of a mock in them. */
const isOfMock = (name: string) =>
  name === 'JSON_CONFIG' || /_(?:CONFIGURATION|SCOPES|RESOURCES|OPTIONS)_INLINE$/.test(name);

/** The configurations of mocks in a Compose file; the file itself if it is none. */
export async function withServices(file: ExportFile): Promise<readonly ExportFile[]> {
  const { name, value } = file;
  if (!isRecord(value) || !isRecord(value.services)) return [file];
  const found = await Promise.all(
    Object.entries(value.services).map(async ([service, entry]) => {
      const variables = variablesOf(isRecord(entry) ? entry.environment : undefined).filter(([key]) => isOfMock(key));
      if (variables.length === 0) return [];
      const json = variables.find(([key]) => key === 'JSON_CONFIG')?.[1];
      const read = json === undefined ? { value: Object.fromEntries(variables) } : await readYamlText(String(json));
      return [{ name: `${name}: ${service}`, value: 'value' in read ? read.value : undefined }];
    }),
  );
  return found.flat().length === 0 ? [file] : found.flat();
}

/** `environment` is an object, or a list of `NAME=value`. */
function variablesOf(value: unknown): readonly (readonly [name: string, value: unknown])[] {
  if (isRecord(value)) return Object.entries(value);
  if (!Array.isArray(value)) return [];
  return value.flatMap(each => {
    const [, name, text] = /^([^=]+)=(.*)$/s.exec(String(each)) ?? [];
    return name === undefined ? [] : [[name, text] as const];
  });
}
