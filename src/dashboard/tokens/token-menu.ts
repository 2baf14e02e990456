import type { IssuedEvent } from '../../base/events/event-log.ts';
import { createStatusOf, endOf, tokenTypeOf } from '../../record/flows/token-status.ts';
import type { DashboardOptions } from '../dashboard-options.ts';
import { type Copy, copiesOf } from './copy-as.ts';
import { endingsOf } from './endings.ts';

const quick: readonly Copy['format'][] = ['token', 'curl'];

/** Actions on a token in the menu of its row. */
export function tokenMenu(event: IssuedEvent, desk: DashboardOptions) {
  const { events, clock, access } = desk;
  const now = clock();
  const isEnded = endOf(events, event) !== undefined;
  const status = createStatusOf(events, now)(event);
  return {
    tokenId: event.tokenId,
    type: tokenTypeOf(event),
    // the token, and the curl command if it has one
    copies: copiesOf(event, desk).filter(({ format }) => quick.includes(format)),
    endings: endingsOf({ event, status, isEnded, now }, desk),
    readonly: access === 'readonly',
  };
}
