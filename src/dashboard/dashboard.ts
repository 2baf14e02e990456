import express, { type Response, type Router } from 'express';
import { createApi } from './api.ts';
import type { DashboardOptions } from './dashboard-options.ts';
import { createDemo, type DemoFailure } from './demo.ts';
import { createHome } from './home-page.ts';
import { createLive } from './live.ts';
import { createPages, type MessagePage, type Pages } from './pages.ts';
import { integerOf, textOf } from './query.ts';
import { requestPage } from './request-page.ts';
import { tokenPage } from './token-page.ts';
import { pastedToken, tokensPage } from './tokens-page.ts';

export type { DashboardOptions, EndpointFact, SampleCollection, SignatureCheck } from './dashboard-options.ts';

export interface Dashboard {
  /** To be mounted at `/dashboard`. */
  readonly router: Router;
  /** Ends all live streams, for a stop that does not wait for browsers. */
  close(): void;
}

/** The pages of the dashboard. Everything is read from the event log; only the demo login does something. */
export function createDashboard(options: DashboardOptions): Dashboard {
  const pages = createPages(options);
  const live = createLive(options.events);
  const home = createHome(options);
  const router = express.Router();
  router.use((_req, res, next) => {
    res.set('Cache-Control', 'no-store');
    next();
  });
  router.use('/api/v1', createApi(options, { pages, live, home }));
  router.use('/demo', demoRoutes(options, pages));
  router.get('/', async (_req, res) => sendPage(res, 200, await pages.home(home.page())));
  tokenRoutes(router, options, pages);
  router.get('/requests/:id', async (req, res) => {
    const page = requestPage(options.events, req.params.id, options.clock());
    if (page === undefined) return sendPage(res, 404, await pages.message(forgotten(options, 'request')));
    sendPage(res, 200, await pages.request(page));
  });
  router.use(async (_req, res) => sendPage(res, 404, await pages.message(noSuchPage(options))));
  return { router, close: live.close };
}

function tokenRoutes(router: Router, options: DashboardOptions, pages: Pages): void {
  const { events } = options;
  router.get('/tokens', async (req, res) => {
    const query = textOf(req.query.q);
    const pasted = pastedToken(options, query);
    if (pasted !== undefined) return res.redirect(303, pasted);
    sendPage(res, 200, await pages.tokens(tokensPage(options, query, integerOf(req.query.before))));
  });

  router.get('/tokens/latest', (_req, res) => {
    const latest = events.latestIssued(1)[0];
    res.redirect(303, `${options.base}/dashboard/tokens${latest === undefined ? '' : `/${latest.tokenId}`}`);
  });

  router.get('/tokens/:id', async (req, res) => {
    const issued = events.issued(req.params.id);
    if (issued === undefined) return sendPage(res, 404, await pages.message(forgotten(options, 'token')));
    sendPage(res, 200, await pages.token(await tokenPage(issued, options)));
  });
}

function demoRoutes(options: DashboardOptions, pages: Pages): Router {
  const demo = createDemo(options);
  const router = express.Router();
  router.get('/', demo.start);
  router.get('/callback', async (req, res) => {
    const failed = await demo.callback(req, res);
    if (failed !== undefined) sendPage(res, 400, await pages.message(demoFailed(options, failed)));
  });
  return router;
}

function sendPage(res: Response, status: number, html: string): void {
  res.status(status).type('html').send(html);
}

type Base = Pick<DashboardOptions, 'base'>;

const homeLink = ({ base }: Base) => ({ href: `${base}/dashboard`, name: 'Home' });
const tokensLink = ({ base }: Base) => ({ href: `${base}/dashboard/tokens`, name: 'All tokens' });

function noSuchPage(options: Base): MessagePage {
  return {
    title: 'No such page',
    paragraphs: ['Nothing lies at this address.'],
    links: [homeLink(options), tokensLink(options)],
  };
}

function forgotten(options: Base, what: 'token' | 'request'): MessagePage {
  return {
    title: `No such ${what}`,
    paragraphs: [
      `The history holds no ${what} with this id.`,
      'It is kept in memory and bounded: the oldest entries go first, and a restart or a reset begins anew.',
    ],
    links: [tokensLink(options), homeLink(options)],
  };
}

function demoFailed(options: Base, { error, description }: DemoFailure): MessagePage {
  return {
    title: 'The demo login gave no token',
    code: error,
    paragraphs: [description],
    links: [{ href: `${options.base}/dashboard/demo`, name: 'Try again' }, homeLink(options)],
  };
}
