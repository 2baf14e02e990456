import type { Router } from 'express';
import { inTurns } from '../../turns/in-turns.ts';
import type { Desk } from '../desk.ts';
import { serveRows } from '../live/rows.ts';
import { parseFilter } from '../search/filter.ts';
import { listLogins } from './logins.ts';
import { listTokens } from './token-list.ts';

/** Serves the new rows of both token lists to an open page. */
export function liveTokens(router: Router, desk: Desk): void {
  serveRows(router, desk, {
    name: 'tokens',
    template: 'token-rows',
    async read(query, after) {
      const { rows, before } = await inTurns(listTokens(desk, { filter: parseFilter(query), after }));
      return { rows, more: before !== undefined };
    },
  });
  serveRows(router, desk, {
    name: 'logins',
    template: 'login-rows',
    async read(query, after) {
      const { rows, before } = await inTurns(listLogins(desk, { filter: parseFilter(query), after }));
      return { rows, more: before !== undefined };
    },
  });
}
