/** What a page shows together, and in which order. */
export const families = ['browser', 'web', 'api', 'terminal', 'mcp', 'containers', 'tests'] as const;
export type SnippetFamily = (typeof families)[number];

export type Language = 'ts' | 'tsx' | 'js' | 'sh' | 'yaml' | 'json' | 'java' | 'csharp' | 'python' | 'http' | 'text';

/** Something to paste, made from the running configuration. */
export interface Snippet {
  /** For anchors: `spa`. */
  readonly id: string;
  readonly family: SnippetFamily;
  /** What it is for: `React, react-oidc-context`. */
  readonly title: string;
  /** The file it belongs in, or where it is typed: `src/auth.ts`. */
  readonly where: string;
  readonly language: Language;
  readonly code: string;
  /** What to know about it, a sentence or two; empty where nothing. */
  readonly note: string;
}
