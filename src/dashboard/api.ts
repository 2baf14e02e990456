import express, { type Router } from 'express';
import { defined } from '../defined.ts';
import { inTurns } from '../turns/in-turns.ts';
import type { Desk } from './desk.ts';
import type { Home } from './home/home-page.ts';
import type { Live } from './live/live.ts';
import { ownOriginOnly } from './own-origin.ts';
import { placesOf } from './places.ts';
import { unseenCount } from './problems/seen.ts';
import { integerOf, textOf } from './query.ts';
import { parseFilter } from './search/filter.ts';
import { flowOf } from './tokens/token-flow.ts';
import { listTokens, mostRows } from './tokens/token-list.ts';

interface ApiParts {
  readonly live: Live;
  readonly home: Home;
}

/** The routes that the script of the pages calls: the live stream, tokens as JSON, and pieces of pages as HTML. */
export function createApi(desk: Desk, { live, home }: ApiParts): Router {
  const { events, clock } = desk;
  const api = express.Router();
  api.use(ownOriginOnly(events, { allowed: desk.allowedOrigins }));

  api.get('/events', (req, res) => live.serve(req, res));

  api.get('/tokens', async (req, res) => {
    const filter = parseFilter(textOf(req.query.q));
    const asked = { filter, limit: mostRows, before: integerOf(req.query.before), flowOf: flowOf(desk) };
    const list = await inTurns(listTokens(events, clock(), asked));
    res.json({
      tokens: list.rows,
      problems: filter.problems,
      ...defined({ before: list.before }),
    });
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
