import type { SnippetFacts } from '../snippets/facts.ts';
import { snippets } from '../snippets/snippets.ts';

/** The snippets that most people begin with, by names short enough for a row of tabs. The stylesheet uses their ids. */
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

export async function homeSnippets(facts: SnippetFacts) {
  const found = await snippets(facts, Object.keys(tabs));
  return Object.entries(tabs).flatMap(([id, name]) =>
    found.filter(snippet => snippet.id === id).map(snippet => ({ ...snippet, name })),
  );
}
