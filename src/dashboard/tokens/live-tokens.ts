import type { Router } from 'express';
import { inTurns } from '../../turns/in-turns.ts';
import type { Desk } from '../desk.ts';
import { serveRows } from '../live/rows.ts';
import { integerOf } from '../query.ts';
import { parseFilter } from '../search/filter.ts';
import { listLogins } from './logins.ts';
import { flowOf } from './token-flow.ts';
import { listTokens, mostRows } from './token-list.ts';

/** Serves the new rows of both token lists to an open page. */
export function liveTokens(router: Router, desk: Desk): void {
  const { events, clock } = desk;
  serveRows(router, desk, {
    name: 'tokens',
    template: 'token-rows',
    async read(query, after) {
      const newest = events.lastId; // tokens issued during the search come with the next rows
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
