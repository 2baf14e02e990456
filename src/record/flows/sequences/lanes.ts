import type { Flow } from '../flow.ts';
import type { Lane, LaneId, SequenceStep } from './model.ts';

const order: readonly LaneId[] = ['browser', 'device', 'client', 'idp', 'api'];

const names: Readonly<Record<LaneId, string>> = {
  browser: 'Browser',
  device: 'Device',
  client: 'Client',
  idp: 'IdP',
  api: 'API',
};

/** The lanes that the steps use, from left to right. The client lane is named after the kind of client. */
export function lanesOf(flow: Flow, steps: readonly Pick<SequenceStep, 'from' | 'to' | 'onwardTo'>[]): Lane[] {
  const used = new Set(
    steps.flatMap(({ from, to, onwardTo }) => [from, to, ...(onwardTo === undefined ? [] : [onwardTo])]),
  );
  return order.filter(id => used.has(id)).map(id => ({ id, name: nameOf(id, flow) }));
}

function nameOf(id: LaneId, flow: Flow): string {
  const { kind, resources = [] } = flow;
  if (id === 'client' && kind === 'setup') return 'Caller';
  if (id === 'client' && isBrowserApp(flow)) return 'Browser app';
  return id === 'api' && resources.some(isMcp) ? 'MCP server' : names[id];
}

/** Whether a script in the browser sent the requests, so that the application has no back channel. */
export function isBrowserApp({ steps }: Pick<Flow, 'steps'>): boolean {
  return steps.some(({ channel, method }) => channel === 'browser' && method !== 'OPTIONS');
}

/** Guesses an MCP server from the resource URI: the Model Context Protocol gives no other sign. */
function isMcp(resource: string): boolean {
  return /[/.-]mcp(?:[/.:-]|$)|^[a-z]+:\/\/mcp\b/i.test(resource);
}
