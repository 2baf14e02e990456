import express, { type RequestHandler, type Router } from 'express';
import { defined } from '../base/defined.ts';
import { inTurns } from '../base/turns.ts';
import { createFlowIndex } from '../record/flows/flow-index.ts';
import { createProblemIndex } from '../record/problems/problem-index.ts';
import type { Dashboard, DashboardTools, Issuer } from '../sandbox/extension.ts';
import { onFirstVisit } from '../server/http/on-first-visit.ts';
import { createPreferences, inTheme } from '../server/http/preferences.ts';
import { sendHtml } from '../server/http/send-html.ts';
import { createApi } from './api.ts';
import { clientPages } from './clients/client-pages.ts';
import { clockPages } from './clock-pages.ts';
import { connectPages } from './connect-pages.ts';
import { decodePages } from './decode/decode-pages.ts';
import { exportPages } from './exports/export-pages.ts';
import { type DashboardFacts, factsOf, type OpenedRecord } from './facts.ts';
import { faultPages } from './fault-pages.ts';
import { sendFavicon } from './favicon.ts';
import { flowPages } from './flows/flow-pages.ts';
import { createHome } from './home/home-page.ts';
import { homePages } from './home/home-pages.ts';
import { keyPages } from './key-pages.ts';
import { createLive, type Live } from './live.ts';
import { ownOriginOnly } from './own-origin.ts';
import { type AddedPage, addedPages, type ExtensionWithPages, type MessagePage, type PageContext } from './page.ts';
import { palettePages } from './palette.ts';
import { problemPages } from './problems/problem-pages.ts';
import { unseenCount } from './problems/seen.ts';
import { requestPages } from './requests/request-pages.ts';
import { apiPages } from './sample-api-pages.ts';
import { scopePages } from './scopes/scope-pages.ts';
import { displayPages, settingPages } from './setting-pages.ts';
import { chipsOf, countsOf, shellOf, timeOf } from './shell.ts';
import { signInPages } from './sign-in.ts';
import { tokenPages } from './tokens/token-pages.ts';
import { userPages } from './users/user-pages.ts';

/** A function that adds the routes of one section. */
type Section = (router: Router, context: PageContext) => void;

/** The sections of a recorded session. */
const sectionsOfRecord: readonly Section[] = [
  tokenPages,
  decodePages,
  flowPages,
  requestPages,
  problemPages,
  exportPages,
  clientPages,
  userPages,
  palettePages,
  displayPages,
];

const sections: readonly Section[] = [
  ...sectionsOfRecord,
  scopePages,
  apiPages,
  connectPages,
  keyPages,
  clockPages,
  faultPages,
  settingPages,
];

/** The dashboard of a running issuer, with the pages of these extensions. */
export function dashboardOf(
  issuer: Issuer,
  tools: DashboardTools,
  extensions: readonly ExtensionWithPages[],
): Dashboard {
  const shareCommands = extensions.flatMap(extension => extension.shareCommands ?? []);
  return createDashboard(factsOf(issuer, tools), addedPages(extensions, issuer), shareCommands);
}

/** The pages of the dashboard. All they show comes from the event log, and all changes go through `control`. */
export function createDashboard(
  options: DashboardFacts,
  ofExtensions: readonly AddedPage[],
  shareCommands: PageContext['shareCommands'] = [],
): Dashboard {
  const added = options.opened === undefined ? ofExtensions : [];
  const context = createContext(options, { added, shareCommands });
  const live = createLive(
    options.events,
    () => ({ ...countsOf(context), ...chipsOf(context), time: timeOf(context) }),
    () => catchUp(context),
  );
  const home = createHome(context);
  const router = guarded(context, live);
  router.use('/api/v1', createApi(context, live, home));
  router.get('/favicon.svg', (req, res) => sendFavicon(options, req, res));
  if (options.opened === undefined) homePages(router, context, home);
  else router.get('/', (_req, res) => res.redirect(303, `${context.base}/dashboard/flows`));
  for (const addRoutes of options.opened === undefined ? sections : sectionsOfRecord) addRoutes(router, context);
  router.use((req, res) => context.message(res, 404, noSuchPage(req.originalUrl, options)));
  const routers = new Map<string, RequestHandler>([
    ...added.map(pages => [pages.path, addedRouter(pages, context, live)] as const),
    ['/dashboard', router],
  ]);
  const stopReading = keepUp(context);
  function close(): void {
    stopReading();
    live.close();
  }
  return { routers, close };
}

/** About the events of 300 requests, which take 10 ms to read. */
const mostUnread = 1000;

/** Reads events as they come, because the first page after a thousand tests would have all of theirs to read. */
function keepUp(context: PageContext): () => void {
  let unread = 0;
  return context.events.overhear(() => {
    unread++;
    if (unread < mostUnread) return;
    unread = 0;
    catchUp(context).catch(() => {}); // a page that is asked for meets the error again, and answers with it
  });
}

/** The router of pages that an extension adds, which their first visit makes. */
function addedRouter({ isOpen, routes }: AddedPage, context: PageContext, live: Live): RequestHandler {
  return onFirstVisit(async () => {
    const router = isOpen ? ownPages(context) : guarded(context, live);
    await routes(router, context);
    if (!isOpen) router.use((req, res) => context.message(res, 404, noSuchPage(req.originalUrl, context)));
    return router;
  });
}

/** A router that accepts forms only from its own pages. */
function ownPages(context: PageContext): Router {
  const router = express.Router();
  router.use((_req, res, next) => {
    res.set('Cache-Control', 'no-store');
    next();
  });
  router.use(guard(context));
  // a replica reads what the others have told only when somebody looks
  router.use((_req, _res, next) => void context.events.caughtUp().then(() => next(), next));
  return router;
}

/** A router that answers only requests that may see the dashboard. */
function guarded(context: PageContext, live: Live): Router {
  const router = ownPages(context);
  // reads the new events first, because every page shows the numbers of flows and problems and a long history takes time
  router.use((_req, _res, next) => void catchUp(context).then(() => next(), next));
  signInPages(router, context, live);
  return router;
}

async function catchUp({ flows, problems }: PageContext): Promise<void> {
  await inTurns(flows.catchUp());
  await inTurns(problems.catchUp());
}

function createContext(
  options: DashboardFacts,
  ofExtensions: Pick<PageContext, 'added' | 'shareCommands'>,
): PageContext {
  const { events, clock, views } = options;
  const preferences = createPreferences(options.issuer);
  const { opened } = options;
  const notices = createNotices();
  const flows = opened?.flows ?? createFlowIndex(events, clock);
  const context: PageContext = {
    ...options,
    ...ofExtensions,
    flows,
    preferences,
    noticesFor: req => notices.of(req.query.done),
    leadTo(res, path, sentences) {
      res.redirect(303, options.base + withParameter(path, `done=${notices.keep(sentences)}`));
    },
    tell(res, path, sentences) {
      res.redirect(303, withParameter(path, `told=${notices.keep(sentences)}`));
    },
    problems: opened?.problems ?? createProblemIndex({ ...options, backchannelUrl: options.reach.backchannelUrl }),
    async show(res, { template, title, nav, model, status = 200 }) {
      // reads the events that arrived while the page was made
      await catchUp(context);
      const seen = preferences.read(res.req);
      const shell = {
        ...shellOf(title, nav, context, seen),
        here: res.req.originalUrl,
        told: notices.of(res.req.query.told),
        unseen: unseenCount(context, res),
        isAnswer: res.req.method === 'POST',
        ...defined({ notices: options.ownerNotices }),
      };
      const html = await views.dashboard(template, { shell, page: model });
      sendHtml(res.status(status), inTheme(html, seen.theme));
    },
    fragment: (template, model) => views.dashboard(template, { ...model, page: model }),
    message: (res, status, model) =>
      context.show(res, { template: 'message', title: model.title, nav: '', model, status }),
    forgotten: (res, what) => context.message(res, 404, forgotten(options, what)),
  };
  return context;
}

/** A path with one more parameter, before its fragment. */
function withParameter(path: string, parameter: string): string {
  return path.replace(/(?:#.*)?$/, fragment => `${path.includes('?') ? '&' : '?'}${parameter}${fragment}`);
}

/** Addresses whose forms change nothing in the sandbox. */
const readOnlyPaths: ReadonlySet<string> = new Set([
  '/decode',
  '/settings/view',
  '/settings/display',
  '/sign-in',
  '/sign-out',
]);

/**
 * Other sites may link to pages, but read nothing: an answer that depends on the records is never their frame, script or image.
 * Changes come only from our own pages, and are refused in a read-only dashboard.
 */
function guard(context: PageContext): RequestHandler {
  const ownOnly = ownOriginOnly(context.events);
  const ownOrLinked = ownOriginOnly(context.events, { links: true });
  const change: RequestHandler = (req, res, next) => {
    if (context.access === 'on' || readOnlyPaths.has(req.path)) next();
    else
      context
        .message(res, 403, context.opened ? recordedPage(context.opened, context.base) : readonlyPage(context))
        .catch(next);
  };
  return (req, res, next) => {
    const isRead = req.method === 'GET' || req.method === 'HEAD';
    if (isRead && req.path.startsWith('/api/v1/'))
      next(); // has its own guard, which knows the allowed origins
    else if (isRead) ownOrLinked(req, res, next);
    else ownOnly(req, res, () => change(req, res, next));
  };
}

type Base = Pick<DashboardFacts, 'base'>;

const homeLink = ({ base }: Base) => ({ href: `${base}/dashboard`, name: 'Home' });
const tokensLink = ({ base }: Base) => ({ href: `${base}/dashboard/tokens`, name: 'All tokens' });

function noSuchPage(address: string, options: Base): MessagePage {
  return {
    title: 'No such page',
    code: address,
    paragraphs: ['The dashboard has no page at this address. The navigation lists all pages.'],
    links: [homeLink(options), tokensLink(options)],
  };
}

function readonlyPage(options: Base): MessagePage {
  return {
    title: 'This dashboard only shows',
    code: 'DASHBOARD=readonly',
    paragraphs: ['Nothing was changed. Start the sandbox with DASHBOARD=on to change things here.'],
    links: [homeLink(options)],
  };
}

/** Refuses a form: a record cannot change. */
function recordedPage({ file, advice }: OpenedRecord, base: string): MessagePage {
  return {
    title: 'A recorded session is read-only',
    code: file,
    paragraphs: ['Nothing was changed. The pages show a file, and this server issues no tokens.', advice],
    links: [{ href: `${base}/dashboard/flows`, name: 'Sign-ins' }],
  };
}

function forgotten(options: Base, what: string): MessagePage {
  return {
    title: `No such ${what}`,
    paragraphs: [
      `The history has no ${what} with this id.`,
      'The history is kept in memory. The oldest entries are removed first, and a restart or reset clears it.',
    ],
    links: [tokensLink(options), homeLink(options)],
  };
}

const mostKept = 100;

/** Sentences for the page after a form was sent. They are stored here, because a link could put any text into an address. */
export function createNotices() {
  const kept = new Map<string, readonly string[]>();
  let last = 0;
  return {
    /** The value for the query parameter `done`. */
    keep(sentences: readonly string[]): string {
      const id = String(++last);
      kept.set(id, sentences);
      kept.delete(String(last - mostKept));
      return id;
    },
    /** Empty for an unknown or old id. */
    of: (id: unknown): readonly string[] => (typeof id === 'string' ? (kept.get(id) ?? []) : []),
  };
}
