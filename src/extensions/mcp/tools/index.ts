import type { Tool } from '../tool.ts';
import { entryTools } from './entry-tools.ts';
import { eventTools } from './event-tools.ts';
import { faultTools } from './fault-tools.ts';
import { flowTools } from './flow-tools.ts';
import { problemTools } from './problem-tools.ts';
import { sandboxTools } from './sandbox-tools.ts';
import { tokenTools } from './token-tools.ts';

/** All tools. The list of an agent, and the table of docs/agents.md, are made from it. */
export const tools: readonly Tool[] = [
  ...problemTools,
  ...flowTools,
  ...tokenTools,
  ...entryTools,
  ...eventTools,
  ...faultTools,
  ...sandboxTools,
];

/** The tools that change nothing. */
export const readingTools: readonly Tool[] = tools.filter(({ effect }) => effect === 'reads');
