import type { Router } from 'express';
import type { Desk } from '../desk.ts';
import { serveRows } from '../live/rows.ts';
import { listLogins } from './logins.ts';
import { listTokens } from './token-list.ts';
import { parseFilter } from './token-search.ts';

/** Serves the new rows of both token lists to an open page. */
export function liveTokens(router: Router, desk: Desk): void {
  serveRows(router, desk, {
    name: 'tokens',
    template: 'token-rows',
    read: (query, after) => listTokens(desk, { filter: parseFilter(query), after }),
  });
  serveRows(router, desk, {
    name: 'logins',
    template: 'login-rows',
    read: (query, after) => listLogins(desk, { filter: parseFilter(query), after }),
  });
}
