import { wrapped } from './table.mjs';

/** The application that belongs to the client of `grantbox init NAME`. */
export async function renderInitSnippet({ variants, snippetOf }, name) {
  const { application, facts } = variants.get(name);
  return fenced(await snippetOf(application[0], facts));
}

/** All snippets of the page Connect, in its groups and its order; then those that only `grantbox init` writes. */
export async function renderRecipes(sources) {
  const all = await sources.snippets(await defaultFacts(sources));
  const groups = Object.entries(sources.familyTitles).map(([family, title]) => {
    const own = all.filter(each => each.family === family);
    return [`## ${title}`, ...own.map(renderRecipe)];
  });
  const known = new Set(all.map(({ id }) => id));
  return [...groups, ['## From grantbox init', ...(await renderVariants(sources, known))]].flat().join('\n\n');
}

async function renderVariants({ variants, snippetOf }, known) {
  const own = [...variants.values()].flatMap(({ name, application, facts }) =>
    application
      .filter(id => !known.has(id))
      .map(async id => {
        const text = renderRecipe(await snippetOf(id, facts));
        return `${text}\n\n\`grantbox init ${name}\` writes the client \`${name}\` that belongs to it.`;
      }),
  );
  return Promise.all(own);
}

function renderRecipe(snippet) {
  const { title, where, note, family, client_id } = snippet;
  const use = family === 'api' ? 'for access tokens of the client' : 'with the client';
  const lead = client_id === undefined ? `\`${where}\`:` : `\`${where}\`, ${use} \`${client_id}\`:`;
  const notes = note === '' ? [] : [note.length > 200 ? wrapped(note) : note];
  return [`### ${title}`, lead, fenced(snippet), ...notes].join('\n\n');
}

function fenced({ language, code }) {
  return `\`\`\`${language}\n${code}\`\`\``;
}

/** What commands and recipes say of a sandbox without any configuration. */
export async function defaultFacts({ loadConfig, connectFacts, defaultPaths }) {
  const { clients, users, collections, loginMode } = await loadConfig({ cwd: import.meta.dirname, overrides: {} });
  const endpoints = Object.entries(defaultPaths).map(([name, path]) => ({ name, path }));
  const reach = { allowedHosts: [], scheme: 'http', hasOwnCa: false, canRegister: true, loginMode };
  return connectFacts({ issuer: 'http://localhost:9000', clients, users, collections, endpoints, reach });
}
