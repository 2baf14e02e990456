import express, { type Router } from 'express';
import { defined } from '../base/defined.ts';
import { inTurns } from '../base/turns.ts';
import type { Desk } from './desk.ts';
import type { Home } from './home/home-page.ts';
import type { Live } from './live/live.ts';
import { ownOriginOnly } from './own-origin.ts';
import { placesOf } from './places.ts';
import { unseenCount } from './problems/seen.ts';
import { integerOf, textOf } from './query.ts';
import { listTokens } from './tokens/token-list.ts';
import { parseFilter } from './tokens/token-search.ts';

/** The routes that the script of the pages calls: the live stream, tokens as JSON, and pieces of pages as HTML. */
export function createApi(desk: Desk, live: Live, home: Home): Router {
  const api = express.Router();
  api.use(ownOriginOnly(desk.events, { allowed: desk.allowedOrigins }));

  api.get('/events', (req, res) => live.serve(req, res));

  api.get('/tokens', async (req, res) => {
    const filter = parseFilter(textOf(req.query.q));
    const { rows, before } = await inTurns(listTokens(desk, { filter, before: integerOf(req.query.before) }));
    res.json({ tokens: rows, problems: filter.problems, ...defined({ before }) });
  });

  /** A loaded page updates its title, its icon and the navigation with it. */
  api.get('/unseen', (_req, res) => {
    res.json({ unseen: unseenCount(desk, res) });
  });

  api.get('/home', async (_req, res) => {
    res.type('html').send(await desk.fragment('home-live', home.live()));
  });

  /** The entries of the palette on Ctrl K. */
  api.get('/places', (_req, res) => {
    res.json(placesOf(desk));
  });

  return api;
}
