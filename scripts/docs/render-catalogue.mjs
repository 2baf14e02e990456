import { defaultFacts } from './render-snippets.mjs';
import { code, table } from './table.mjs';

/** All ready clients, by kind of application: a table to choose from, then the settings and the command of each. */
export async function renderCatalogue(sources) {
  const catalogue = sources.createCatalogue(sources.entryText);
  const shown = { catalogue, facts: await defaultFacts(sources) };
  const kinds = Object.entries(catalogue.kinds).map(async ([kind, title]) => {
    const clients = catalogue.clients.filter(each => each.kind === kind);
    const rows = clients.map(({ settings, use, read }) => [link(settings.client_id), use, read]);
    const parts = await Promise.all(clients.map(client => renderClient(sources, shown, client)));
    return [`## ${title}`, table(['client', 'for whom', 'read'], rows), ...parts].join('\n\n');
  });
  return (await Promise.all(kinds)).join('\n\n');
}

function link(id) {
  return `[${code(id)}](#${id})`;
}

async function renderClient({ commandOf }, shown, client) {
  const { settings, title, needs } = client;
  const lines = shown.catalogue.linesOf(settings);
  return [
    `### ${settings.client_id}`,
    `${title}.${needs === undefined ? '' : ` It needs ${needs}.`}`,
    `\`\`\`ts\n${lines}\n\`\`\``,
    `\`\`\`sh\n${await commandOf(shown, client)}\n\`\`\``,
  ].join('\n\n');
}

/** The private key that commands sign with. */
export function renderDemoKey({ createCatalogue, entryText }) {
  return `\`\`\`text\n${createCatalogue(entryText).demoPrivateKey}\`\`\``;
}
