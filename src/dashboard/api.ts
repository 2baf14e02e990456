import express, { type Router } from 'express';
import type { DashboardOptions } from './dashboard-options.ts';
import { parseFilter } from './filter.ts';
import type { Home } from './home-page.ts';
import type { Live } from './live.ts';
import { ownOriginOnly } from './own-origin.ts';
import type { Pages } from './pages.ts';
import { integerOf, textOf } from './query.ts';
import { listTokens, mostRows } from './token-list.ts';

interface ApiParts {
  readonly pages: Pages;
  readonly live: Live;
  readonly home: Home;
}

/** What the script of the pages asks: the live stream, tokens as JSON, and pieces of pages as HTML. */
export function createApi(options: DashboardOptions, { pages, live, home }: ApiParts): Router {
  const { events, clock } = options;
  const api = express.Router();
  api.use(ownOriginOnly);

  api.get('/events', (req, res) => live.serve(req, res));

  api.get('/tokens', (req, res) => {
    const filter = parseFilter(textOf(req.query.q));
    const list = listTokens(events, clock(), { filter, limit: mostRows, before: integerOf(req.query.before) });
    res.json({
      tokens: list.rows,
      problems: filter.problems,
      ...(list.before === undefined ? {} : { before: list.before }),
    });
  });

  /** Rows newer than `after`, newest first; `Grantbox-More` says that there were more than fit. */
  api.get('/tokens/rows', async (req, res) => {
    const filter = parseFilter(textOf(req.query.q));
    const after = integerOf(req.query.after);
    const list = listTokens(events, clock(), { filter, limit: mostRows, after });
    if (list.before !== undefined) res.set('Grantbox-More', 'true');
    res.set('Grantbox-Newest', String(events.lastId));
    res.type('html').send(await pages.tokenRows(list.rows));
  });

  api.get('/home', async (_req, res) => {
    res.type('html').send(await pages.homeLive(home.live()));
  });

  return api;
}
