import { ago } from '../../base/text/duration.ts';
import type { HostFact, HostUse } from '../../record/flows/hosts.ts';

const callers = { browser: 'Browser', backend: 'Back end', tool: 'Tool' } as const;
const mostCalls = 3;

/** One row per host name and caller. */
export function hostRows(facts: readonly HostFact[], now: number) {
  return facts.flatMap(fact =>
    fact.uses.map(use => ({
      host: fact.host,
      // `Back end, Java-http-client/17.0.2`
      who: use.agent === '' ? callers[use.caller] : `${callers[use.caller]}, ${use.agent}`,
      // `GET /oauth2/jwks 12 times, POST /oauth2/token, 2 more`
      what: callsOf(use),
      when: ago(now - use.lastAt),
      requestId: use.requestId,
      ...stateOf(fact, use),
    })),
  );
}

function callsOf({ calls }: HostUse): string {
  const shown = calls.slice(0, mostCalls).map(({ method, path, count }) => `${method} ${path}${times(count)}`);
  const more = calls.length - shown.length;
  return [...shown, ...(more === 0 ? [] : [`${more} more`])].join(', ');
}

function times(count: number): string {
  return count === 1 ? '' : ` ${count} times`;
}

function stateOf({ side, isServed }: HostFact, use: HostUse) {
  if (!isServed) return { level: 'fail', state: 'refused' };
  if (side === 'issuer') return { level: 'pass', state: 'issuer' };
  if (side === 'backchannel') return { level: 'pass', state: 'back channel' };
  return { level: isHarmless(use) ? 'note' : 'fail', state: 'differs' };
}

/** Requests by hand, such as from curl, need no comparison. A back end that reads no metadata has its addresses from elsewhere. */
function isHarmless({ caller, calls }: HostUse): boolean {
  return caller === 'tool' || (caller === 'backend' && calls.every(({ endpoint }) => endpoint !== 'discovery'));
}
