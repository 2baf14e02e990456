import type { IssuedEvent } from '../../events/event-log.ts';
import { createStatusOf, endOf, tokenTypeOf } from '../../flows/token-status.ts';
import type { DashboardOptions } from '../dashboard-options.ts';
import { type Copy, copiesOf } from './copy-as.ts';
import { type Endings, endingsOf } from './endings.ts';

/** What can be done with a token without opening its page. */
export interface TokenMenu {
  readonly tokenId: string;
  readonly type: string;
  /** The token and the curl, where it has one. */
  readonly copies: readonly Copy[];
  readonly endings: Endings;
  readonly readonly: boolean;
}

const quick: readonly Copy['format'][] = ['token', 'curl'];

export function tokenMenu(event: IssuedEvent, desk: DashboardOptions): TokenMenu {
  const { events, clock, access } = desk;
  const now = clock();
  const isEnded = endOf(events, event) !== undefined;
  const status = createStatusOf(events, now)(event);
  return {
    tokenId: event.tokenId,
    type: tokenTypeOf(event),
    copies: copiesOf(event, desk).filter(({ format }) => quick.includes(format)),
    endings: endingsOf({ event, status, isEnded, now }, desk),
    readonly: access === 'readonly',
  };
}
