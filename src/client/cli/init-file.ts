import { snippetOf } from '../../dashboard/snippets/snippets.ts';
import type { Variant } from './init-variants.ts';

/** Writes a `clients.config.ts` with a client for each variant, users and a sample API. */
export async function configFileText(chosen: readonly Variant[], hasOwnOptions = false): Promise<string> {
  const [any] = chosen;
  if (any === undefined) throw new Error('a configuration has a client at least');
  const clients = await Promise.all(chosen.map(clientText));
  return (await snippetOf('config-file', any.facts, { clients: clients.join('\n'), hasOwnOptions })).code;
}

/** The configuration of the matching application, or a command to try it. */
export async function applicationText({ application, facts }: Variant): Promise<string> {
  const parts = await Promise.all(application.map(id => snippetOf(id, facts)));
  return parts.map(({ code }) => code.trimEnd()).join('\n\n');
}

async function clientText(variant: Variant): Promise<string> {
  const { client, facts, leadIn = 'Configuration of the application' } = variant;
  const { title, note } = await namedByLibrary(variant);
  const comment = [`${title}. ${leadIn}:`, '', ...(await applicationText(variant)).split('\n'), ...note];
  const entry = (await snippetOf(client, facts)).code.trimEnd();
  return [
    ...comment.map(line => `    // ${line}`.trimEnd()),
    '    {',
    ...entry.split('\n').map(line => `      ${line}`),
    '    },',
  ].join('\n');
}

/** The title with the library that the application has, and what the reader must know of an SDK. */
async function namedByLibrary({ title, sdk, facts }: Variant) {
  if (sdk === undefined) return { title, note: [] };
  const snippet = await snippetOf(sdk, facts);
  const [, library = ''] = /, (.+)$/.exec(snippet.title) ?? [];
  return {
    title: title.replace(/ with .+| in Express/, ` with ${library}`),
    note: snippet.note === '' ? [] : ['', snippet.note],
  };
}
