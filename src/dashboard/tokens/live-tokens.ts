import type { Router } from 'express';
import type { Desk } from '../desk.ts';
import { serveRows } from '../live/rows.ts';
import { integerOf } from '../query.ts';
import { parseFilter } from '../search/filter.ts';
import { flowOf } from './token-flow.ts';
import { listTokens, mostRows } from './token-list.ts';

/** New rows of the list of tokens, for a page that is there already. */
export function liveTokens(router: Router, desk: Desk): void {
  const { events, clock } = desk;
  serveRows(router, desk, {
    name: 'tokens',
    template: 'token-rows',
    read(query, after) {
      const list = listTokens(events, clock(), {
        filter: parseFilter(query),
        limit: mostRows,
        after: integerOf(after),
        flowOf: flowOf(desk),
      });
      return { rows: list.rows, more: list.before !== undefined, newest: events.lastId };
    },
  });
}
