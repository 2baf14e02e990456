import { type Command, CommandFailure, done, isOn } from '../../client/cli/command.ts';
import { connect, connectionFlags, controlFlag } from '../../client/cli/connection.ts';
import { version } from '../../package.ts';
import type { McpOptions } from './mcp-server.ts';

/** `grantbox mcp`. */
export const command: Command = {
  usage: '[--url <url>] [--allow-changes]',
  about: [
    'Serves the Model Context Protocol over standard input and output, so that a coding agent can ask a running sandbox what failed and why, and read flows, tokens, clients, users, faults and the clock. The agent starts it: docs/agents.md has the lines for Claude Code, Claude Desktop, Cursor and VS Code.',
    'It only reads, and its results contain no secrets. With --allow-changes the agent can also create, change and delete clients and users, issue tokens, arm faults, move the clock and reset the sandbox.',
  ],
  flags: [
    ...connectionFlags,
    controlFlag,
    { name: 'allow-changes', about: 'Offer the tools that change the sandbox, too' },
  ],
  examples: [
    ['grantbox mcp', 'read the sandbox at http://localhost:9000'],
    ['grantbox mcp --url http://localhost:9000/i/ab12 --allow-changes', 'read and change one of its issuers'],
  ],
  async run(given, world) {
    const { base, connection } = connect(given, world);
    if (world.streams === undefined) throw new CommandFailure('standard input and output are not available');
    const { serveMcp } = await import('./mcp-server.ts');
    const options: McpOptions = { base, connection, allowsChanges: isOn(given, 'allow-changes'), version };
    const { input, output } = world.streams();
    await serveMcp(options, input, output);
    return done('');
  },
};
