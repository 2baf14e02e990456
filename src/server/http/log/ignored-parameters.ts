import type { SandboxEvent } from '../../../base/events/event.ts';
import { insteadOf } from '../../../protocol/ignored-parameters.ts';

/** Most pairs of client and parameter to remember: a client that makes up names must not fill the memory. */
const mostTold = 1000;

/** Reports each ignored parameter once for each client. */
export function createIgnoredTeller(): (event: SandboxEvent) => readonly string[] {
  const told = new Set<string>();
  return event => {
    if (!('ignored' in event)) return [];
    const { client_id } = event;
    return event.ignored.flatMap(name => {
      const key = JSON.stringify([client_id, name]);
      if (told.has(key) || told.size >= mostTold) return [];
      told.add(key);
      return [sentence(client_id, name)];
    });
  };
}

function sentence(client_id: string, name: string): string {
  const hint = insteadOf(name);
  return `${client_id} sent the parameter ${name}, which this server ignores${hint === undefined ? '' : `: ${hint}`}`;
}
