import { createStatusOf, tokenTypeOf } from '../../record/flows/token-status.ts';
import type { PageContext } from '../page.ts';
import { toRow } from '../tokens/token-list.ts';
import { appName, userName } from './hero.ts';

const kinds = [
  { type: 'access', name: 'Access token', open: 'Claims' },
  { type: 'id', name: 'ID token', open: 'Claims' },
  { type: 'refresh', name: 'Refresh token', open: 'Open' },
] as const;
const mostSearched = 300;

/** The newest token of each kind, in fixed places; a place may be empty. */
export function newestTokens(context: PageContext, now: number) {
  const { events, registered, accounts } = context;
  const issued = [...events.latestIssued(mostSearched)];
  const statusOf = createStatusOf(events, now);
  return kinds.map(kind => {
    const event = issued.find(each => tokenTypeOf(each) === kind.type);
    if (event === undefined) return kind;
    const app = appName({ registered }, event.client_id);
    const of = event.sub === undefined ? app : `${userName({ accounts }, event.sub)} · ${app}`;
    return { ...kind, token: { ...toRow(event, statusOf(event), now), of } };
  });
}
