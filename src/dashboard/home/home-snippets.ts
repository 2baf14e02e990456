import type { SnippetFacts } from '../../snippets/facts.ts';
import { type Snippet, snippets } from '../../snippets/snippets.ts';

/** A snippet under a tab. */
export interface HomeSnippet extends Snippet {
  /** Short enough for a row of tabs. */
  readonly name: string;
}

/** The snippets that most people begin with. The stylesheet uses their ids, and the page Connect has all snippets. */
const tabs: Readonly<Record<string, string>> = {
  spa: 'SPA, oidc-client-ts',
  react: 'React',
  node: 'Node',
  spring: 'Spring API',
  curl: 'curl',
  'mcp-metadata': 'MCP',
  'aspnet-api': '.NET API',
  env: 'Env vars',
};

export async function homeSnippets(facts: SnippetFacts): Promise<readonly HomeSnippet[]> {
  const found = await snippets(facts, Object.keys(tabs));
  return Object.entries(tabs).flatMap(([id, name]) =>
    found.filter(snippet => snippet.id === id).map(snippet => ({ ...snippet, name })),
  );
}
