import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

export const configExtensions = ['.ts', '.mts', '.js', '.mjs', '.cjs', '.json', '.yaml', '.yml'];

/** The files in a folder that have a name under which they are found without being asked for. */
export function findConfigFiles(folder: string): string[] {
  return configExtensions
    .map(extension => `clients.config${extension}`)
    .filter(name => existsSync(resolve(folder, name)));
}
