import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

export const configExtensions = ['.ts', '.mts', '.js', '.mjs', '.cjs', '.json', '.yaml', '.yml'];

/** The files in a folder whose name makes them a configuration file without `--config`. */
export function findConfigFiles(folder: string): string[] {
  return configExtensions
    .map(extension => `clients.config${extension}`)
    .filter(name => existsSync(resolve(folder, name)));
}
