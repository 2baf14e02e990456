import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError, type ConfigProblem, type ConfigSources, loadConfig } from '../../src/config/load-config.ts';

const root = mkdtempSync(join(tmpdir(), 'grantbox-config-'));
process.on('exit', () => rmSync(root, { recursive: true, force: true }));

/** A new folder with these files in it; gone with the process. */
export function folder(files: Readonly<Record<string, unknown>> = {}): string {
  const path = mkdtempSync(join(root, 'folder-'));
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(path, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return path;
}

/** What loading says is wrong. */
export async function errorOf(sources: ConfigSources): Promise<ConfigError> {
  const result = await loadConfig(sources).catch((error: unknown) => error);
  if (result instanceof ConfigError) return result;
  throw new Error('expected a ConfigError', { cause: result });
}

export async function problemsOf(sources: ConfigSources): Promise<readonly ConfigProblem[]> {
  return (await errorOf(sources)).problems;
}

/** The sources with `content` as the file that was found. */
export function withFile(content: unknown): ConfigSources {
  return { cwd: folder({ 'clients.config.json': content }) };
}

/** A client nothing is wrong with. */
export const shop = { client_id: 'shop', redirect_uris: ['https://shop.example/callback'] };
