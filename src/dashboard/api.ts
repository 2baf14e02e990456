import express, { type Router } from 'express';
import { inTurns } from '../base/turns.ts';
import { displayName } from '../protocol/users/user.ts';
import { flowKindWords } from '../record/flows/flow.ts';
import { stateOf } from '../record/flows/flow-state.ts';
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
    res.type('html').send(await context.fragment('home-live', await home(homeQuery(context, req))));
  });

  /** The entries of the palette on Ctrl K. */
  api.get('/places', (_req, res) => {
    res.json(paletteEntries(context));
  });

  return api;
}

const mostOfConfiguration = 500;
const mostOfHistory = 20;

/**
 * For the palette on Ctrl K: the clients and users, at most 500 each, and the newest 20 flows and tokens. A `path` is below
 * `/dashboard`.
 */
function paletteEntries({ registered, accounts, flows, events }: PageContext) {
  return [
    ...[...registered()].slice(0, mostOfConfiguration).map(({ client_id, client_name }) => ({
      kind: 'client',
      name: named(client_id, client_name),
      path: `/clients/${encodeURIComponent(client_id)}`,
    })),
    ...[...accounts()].slice(0, mostOfConfiguration).map(user => ({
      kind: 'user',
      name: named(user.sub, displayName(user)),
      path: `/users/${encodeURIComponent(user.sub)}`,
    })),
    ...flows.latest(mostOfHistory).map(flow => ({
      kind: 'flow',
      name: named(flowKindWords[flow.kind], flow.client_id, flow.sub, stateOf(flow).words),
      path: `/flows/${flow.id}`,
    })),
    ...events.latestIssued(mostOfHistory).map(event => ({
      kind: event.type === 'code.issued' ? 'code' : `${event.tokenType} token`,
      name: named(event.client_id, event.sub, event.tokenId),
      path: `/tokens/${event.tokenId}`,
    })),
  ];
}

function named(...parts: (string | undefined)[]): string {
  return parts.filter(Boolean).join(' · ');
}
