import { defaultFacts } from './render-snippets.mjs';
import { code, table } from './table.mjs';

/** All ready clients, by kind of application: a table to choose from, then the settings and the command of each. */
export async function renderCatalogue(sources) {
  const facts = await defaultFacts(sources);
  const kinds = Object.entries(sources.applicationKinds).map(async ([kind, title]) => {
    const clients = sources.readyClients.filter(each => each.kind === kind);
    const rows = clients.map(({ settings, use, read }) => [link(settings.client_id), use, read]);
    const parts = await Promise.all(clients.map(client => renderClient(sources, facts, client)));
    return [`## ${title}`, table(['client', 'for whom', 'read'], rows), ...parts].join('\n\n');
  });
  return (await Promise.all(kinds)).join('\n\n');
}

function link(id) {
  return `[${code(id)}](#${id})`;
}

async function renderClient({ commandOf, entryText }, facts, client) {
  const { settings, title, needs } = client;
  const lines = entryText(settings);
  return [
    `### ${settings.client_id}`,
    `${title}.${needs === undefined ? '' : ` It needs ${needs}.`}`,
    `\`\`\`ts\n${lines}\n\`\`\``,
    `\`\`\`sh\n${await commandOf(facts, client)}\n\`\`\``,
  ].join('\n\n');
}

/** The private key that commands sign with. */
export function renderDemoKey({ demoPrivateKey }) {
  return `\`\`\`text\n${demoPrivateKey}\`\`\``;
}
