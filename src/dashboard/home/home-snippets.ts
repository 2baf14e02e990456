import type { ConnectFacts } from '../connect/snippets/facts.ts';
import { snippets } from '../connect/snippets/index.ts';
import type { Snippet } from '../connect/snippets/snippet.ts';

/** A snippet under a tab. */
export interface HomeSnippet extends Snippet {
  /** Short enough for a row of tabs. */
  readonly name: string;
}

/** What most people begin with; the stylesheet knows the ids, and the page of all snippets has the rest. */
const tabs: readonly (readonly [id: string, name: string])[] = [
  ['spa', 'SPA, oidc-client-ts'],
  ['react', 'React'],
  ['node', 'Node'],
  ['spring', 'Spring API'],
  ['curl', 'curl'],
  ['mcp-metadata', 'MCP'],
  ['aspnet-api', '.NET API'],
  ['env', 'Env vars'],
];

export function homeSnippets(facts: ConnectFacts): readonly HomeSnippet[] {
  const all = snippets(facts);
  return tabs.flatMap(([id, name]) => {
    const found = all.find(snippet => snippet.id === id);
    return found === undefined ? [] : [{ ...found, name }];
  });
}
