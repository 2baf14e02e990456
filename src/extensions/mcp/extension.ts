import type { WithCommands } from '../../client/cli/command.ts';
import type { Extension } from '../../sandbox/extension.ts';

/** Answers to a coding agent: Model Context Protocol. */
export const mcp: Extension<undefined> & WithCommands = {
  name: 'mcp',
  commands: [
    ['mcp', 'answers the questions of a coding agent about a running sandbox', () => import('./mcp-command.ts')],
  ],
};
