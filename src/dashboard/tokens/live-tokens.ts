import type { Router } from 'express';
import { inTurns } from '../../turns/in-turns.ts';
import type { Desk } from '../desk.ts';
import { serveRows } from '../live/rows.ts';
import { integerOf } from '../query.ts';
import { parseFilter } from '../search/filter.ts';
import { listLogins } from './logins.ts';
import { flowOf } from './token-flow.ts';
import { listTokens, mostRows } from './token-list.ts';

/** New rows of the two lists of tokens, for a page that is there already. */
export function liveTokens(router: Router, desk: Desk): void {
  const { events, clock } = desk;
  serveRows(router, desk, {
    name: 'tokens',
    template: 'token-rows',
    async read(query, after) {
      const newest = events.lastId; // what is issued while the list is searched comes with the next rows
      const asked = { filter: parseFilter(query), limit: mostRows, after: integerOf(after), flowOf: flowOf(desk) };
      const list = await inTurns(listTokens(events, clock(), asked));
      return { rows: list.rows, more: list.before !== undefined, newest };
    },
  });
  serveRows(router, desk, {
    name: 'logins',
    template: 'login-rows',
    async read(query, after) {
      const newest = events.lastId;
      const list = await inTurns(listLogins(desk, { filter: parseFilter(query), after: integerOf(after) }));
      return { rows: list.rows, more: list.before !== undefined, newest };
    },
  });
}
