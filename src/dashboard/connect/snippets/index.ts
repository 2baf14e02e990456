import { apis } from './apis.ts';
import { browserApps } from './browser-apps.ts';
import { browserTests } from './browser-tests.ts';
import { containers } from './containers.ts';
import type { ConnectFacts } from './facts.ts';
import { mcp } from './mcp.ts';
import type { Snippet } from './snippet.ts';
import { terminal } from './terminal.ts';
import { webApps } from './web-apps.ts';

/** Everything there is to paste, by family, from the running configuration. What no client fits is left out. */
export function snippets(facts: ConnectFacts): readonly Snippet[] {
  return [browserApps, webApps, apis, terminal, mcp, containers, browserTests].flatMap(family => family(facts));
}
