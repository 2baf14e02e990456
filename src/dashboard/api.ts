import express, { type Router } from 'express';
import { inTurns } from '../base/turns.ts';
import { sendHtml } from '../server/http/send-html.ts';
import type { Home } from './home/home-page.ts';
import { homeQuery } from './home/home-pages.ts';
import type { Live } from './live.ts';
import { ownOriginOnly } from './own-origin.ts';
import type { PageContext } from './page.ts';
import { unseenCount } from './problems/seen.ts';
import { integerOf, textOf } from './query.ts';
import { listTokens, parseFilter } from './tokens/token-list.ts';

/** The routes that the script of the pages calls: the live stream, tokens as JSON, and pieces of pages as HTML. */
export function createApi(context: PageContext, live: Live, home: Home): Router {
  const api = express.Router();
  api.use(ownOriginOnly(context.events, { allowed: context.allowedOrigins }));

  api.get('/events', (req, res) => live.serve(req, res));

  api.get('/tokens', async (req, res) => {
    const filter = parseFilter(textOf(req.query.q));
    const { rows, before } = await inTurns(listTokens(context, { filter, before: integerOf(req.query.before) }));
    res.json({ tokens: rows, problems: filter.problems, before });
  });

  /** A loaded page updates its title, its icon and the navigation with it. */
  api.get('/unseen', (_req, res) => {
    res.json({ unseen: unseenCount(context, res) });
  });

  api.get('/home', async (req, res) => {
    sendHtml(res, await context.fragment('home-live', await home(homeQuery(context, req))));
  });

  return api;
}
