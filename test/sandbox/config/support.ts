import { ConfigError, type ConfigProblem, type ConfigSources } from '../../../src/sandbox/config/load-config.ts';
import { loadConfig } from '../../support/load-config.ts';
import { newFolder } from '../../support/new-folder.ts';

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
  return { cwd: newFolder({ 'clients.config.json': content }) };
}

/** A client nothing is wrong with. */
export const shop = { client_id: 'shop', redirect_uris: ['https://shop.example/callback'] };
