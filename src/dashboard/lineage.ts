import type { SandboxEvent } from '../events/event.ts';
import type { EventLog, IssuedEvent } from '../events/event-log.ts';
import { lineageOf as ancestryOf } from '../oauth/authorization.ts';
import { createStatusOf, type TokenStatus, tokenTypeOf } from './token-status.ts';

export interface LineageToken {
  readonly tokenId: string;
  readonly type: string;
  readonly status: TokenStatus;
  readonly current: boolean;
}

/** What one exchange gave: the code of a login, the tokens for a code, the tokens for a refresh token. */
export interface LineageStep {
  /** The code or refresh token handed in; absent for the first step. */
  readonly from?: string;
  readonly words: string;
  readonly tokens: readonly LineageToken[];
}

export interface Lineage {
  readonly steps: readonly LineageStep[];
  /** Steps left out because there are too many. */
  readonly omitted: number;
}

const mostSteps = 8;
const exchange = 'urn:ietf:params:oauth:grant-type:token-exchange';

/**
 * Everything that grew from the authorization of a token, and from those it was exchanged for; oldest first, around that
 * token when it is long.
 */
export function lineageOf(events: EventLog, event: IssuedEvent, now: number): Lineage {
  const statusOf = createStatusOf(events, now);
  const steps: LineageStep[] = [];
  const all = ancestryOf(event.authorizationId).flatMap(id => events.ofAuthorization(id));
  for (const [from, issued] of groups(all)) {
    steps.push({
      ...(from === '' ? {} : { from }),
      words: wordsFor(issued, from === '' ? undefined : events.issued(from)),
      tokens: issued.map(each => ({
        tokenId: each.tokenId,
        type: tokenTypeOf(each),
        status: statusOf(each),
        current: each.tokenId === event.tokenId,
      })),
    });
  }
  return shortened(steps);
}

/** By what was handed in. */
function groups(issued: readonly SandboxEvent[]): Map<string, IssuedEvent[]> {
  const byParent = new Map<string, IssuedEvent[]>();
  for (const event of issued) {
    if (event.type !== 'token.issued' && event.type !== 'code.issued') continue;
    const parent = event.parentTokenId ?? '';
    const group = byParent.get(parent);
    if (group === undefined) byParent.set(parent, [event]);
    else group.push(event);
  }
  return byParent;
}

function wordsFor(issued: readonly IssuedEvent[], from: IssuedEvent | undefined): string {
  const first = issued[0];
  if (first?.type === 'code.issued') return 'Login gave';
  if (first?.grant_type === exchange && from?.authorizationId !== first.authorizationId) return 'Exchange gave';
  if (from !== undefined) return from.type === 'code.issued' ? 'Code gave' : 'Refresh gave';
  return `${first?.grant_type ?? 'The grant'} gave`;
}

function shortened(steps: readonly LineageStep[]): Lineage {
  if (steps.length <= mostSteps) return { steps, omitted: 0 };
  const at = steps.findIndex(step => step.tokens.some(token => token.current));
  const start = Math.min(Math.max(1, at - Math.floor(mostSteps / 2)), steps.length - mostSteps + 1);
  const shown = [...steps.slice(0, 1), ...steps.slice(start, start + mostSteps - 1)];
  return { steps: shown, omitted: steps.length - shown.length };
}
