import type { Request, Response, Router } from 'express';
import type { IssuedEvent } from '../../base/events/event-log.ts';
import type { Query } from '../../base/events/search.ts';
import { isPastedJwt } from '../../base/text/jwt.ts';
import { inTurns } from '../../base/turns.ts';
import { createStatusOf, endOf, tokenTypeOf } from '../../record/flows/token-status.ts';
import { sendHtml } from '../../server/http/send-html.ts';
import { claimsOf } from '../claims/claim-values.ts';
import { demoClient } from '../clients-and-users.ts';
import { decodePage, shownDecode } from '../decode/decode-pages.ts';
import type { DashboardFacts } from '../facts.ts';
import { filterBox, listAddress } from '../filter-box.ts';
import { changing, formOf } from '../form.ts';
import { serveRows } from '../live-rows.ts';
import type { PageContext } from '../page.ts';
import { integerOf, textOf } from '../query.ts';
import { toolHeader } from '../requests/request-facts.ts';
import { issuedCount } from '../shell.ts';
import { type Copy, copiesOf } from './copy-as.ts';
import { diffPage } from './diff-page.ts';
import { listLogins } from './logins.ts';
import { listTokens, mostOlderRows, parseFilter, tokenSearch } from './token-list.ts';
import { endingsOf, tokenPage } from './token-page.ts';
import { tokenUses } from './token-use.ts';

/** Routes below `/tokens`: the lists, the newest access token, one token, its comparison, its copies and its forms. */
export function tokenPages(router: Router, context: PageContext): void {
  const { events } = context;
  router.get('/tokens', (req, res) => list(context, 'logins', req, res));
  router.get('/tokens/list', (req, res) => list(context, 'list', req, res));
  router.post('/tokens', (req, res) => mint(context, req, res));
  router.get('/tokens/latest', (_req, res) => {
    const issued = events.latestIssued(Number.POSITIVE_INFINITY);
    const latest = issued.find(event => tokenTypeOf(event) === 'access') ?? issued[0];
    res.redirect(303, `${context.base}/dashboard/tokens${latest === undefined ? '' : `/${latest.tokenId}`}`);
  });
  router.get('/api/v1/tokens/older', (req, res) => olderTokens(context, req, res));
  router.get('/api/v1/logins/older', (req, res) => olderLogins(context, req, res));
  ofOneToken(router, context);
  tokenActions(router, context);
  liveTokens(router, context);
}

function liveTokens(router: Router, context: PageContext): void {
  serveRows(router, context, {
    name: 'tokens',
    template: 'token-rows',
    read: (query, after) => listTokens(context, { filter: parseFilter(query), after }),
  });
  serveRows(router, context, {
    name: 'logins',
    template: 'login-rows',
    read: (query, after) => listLogins(context, { filter: parseFilter(query), after }),
  });
}

const sheet = 'dashboard-page.css';

async function list(context: PageContext, view: TokensView, req: Request, res: Response): Promise<void> {
  const query = textOf(req.query.q);
  const pasted = pastedThing(context, query);
  if (pasted !== undefined) return res.redirect(303, pasted);
  if (isPastedJwt(query)) return context.show(res, shownDecode(await decodePage(query, context)));
  const page = await inTurns(tokensPage(context, { view, query, before: integerOf(req.query.before) }));
  const model = { ...page, mint: mintForm(context), sheet };
  await context.show(res, { template: 'tokens', title: 'Tokens', nav: 'tokens', model });
}

async function mint(context: PageContext, req: Request, res: Response): Promise<void> {
  const typed = await formOf(req);
  const made = await context.mint?.make(mintMembers(typed));
  if (made?.ok) return res.redirect(303, `${context.base}/dashboard/tokens/${made.tokenId}`);
  const page = await inTurns(tokensPage(context, { view: 'logins', query: '' }));
  const model = { ...page, mint: mintForm(context, typed, made?.problems), sheet };
  await context.show(res, { template: 'tokens', title: 'Tokens', nav: 'tokens', model, status: 400 });
}

/** Serves older rows as HTML to the script of the page. The header `Grantbox-Before` has the start of the next page. */
async function olderTokens(context: PageContext, { query }: Request, res: Response): Promise<void> {
  const asked = { ...olderThan(query), limit: mostOlderRows };
  await sendRows(context, res, 'token-rows', await inTurns(listTokens(context, asked)));
}

async function olderLogins(context: PageContext, { query }: Request, res: Response): Promise<void> {
  await sendRows(context, res, 'login-rows', await inTurns(listLogins(context, olderThan(query))));
}

function olderThan({ q, before }: Request['query']) {
  return { filter: parseFilter(textOf(q)), before: integerOf(before) };
}

interface Rows {
  readonly rows: readonly object[];
  readonly before: number | undefined;
}

async function sendRows(context: PageContext, res: Response, template: string, { rows, before }: Rows) {
  if (before !== undefined) res.set('Grantbox-Before', String(before));
  sendHtml(res, await context.fragment(template, { rows }));
}

type OnToken = (issued: IssuedEvent, req: Request<{ id: string; format: string }>, res: Response) => Promise<unknown>;

function ofOneToken(router: Router, context: PageContext): void {
  const get = (path: string, show: OnToken) =>
    router.get(`/tokens/:id${path}`, async (req: Request<{ id: string; format: string }>, res) => {
      const issued = context.events.issued(req.params.id);
      await (issued === undefined ? context.forgotten(res, 'token') : show(issued, req, res));
    });

  get('', async (issued, { query }, res) => {
    const model = await tokenPage(issued, context, {
      done: textOf(query.done),
      used: textOf(query.used),
      as: textOf(query.as),
      explain: textOf(query.explain) !== '',
    });
    await context.show(res, { template: 'token', title: model.title, nav: 'tokens', model: { ...model, sheet } });
  });
  get('/diff', async (issued, { query }, res) => {
    const model = diffPage(issued, textOf(query.with), context);
    await context.show(res, { template: 'token-diff', title: model.title, nav: 'tokens', model });
  });
  get('/menu', async (issued, _req, res) => {
    sendHtml(res, await context.fragment('token-menu', tokenMenu(issued, context)));
  });
  get('/copy/:format', async (issued, { params }, res) => {
    const copy = copiesOf(issued, context).find(({ format }) => format === params.format);
    if (copy === undefined) return context.forgotten(res, 'form of this token');
    res.attachment(copy.file).type('text/plain').send(copy.text);
  });
}

const quick: readonly Copy['format'][] = ['token', 'curl'];

function tokenMenu(event: IssuedEvent, context: DashboardFacts) {
  const { events, clock, access } = context;
  const now = clock();
  const isEnded = endOf(events, event) !== undefined;
  const status = createStatusOf(events, now)(event);
  return {
    tokenId: event.tokenId,
    type: tokenTypeOf(event),
    copies: copiesOf(event, context).filter(({ format }) => quick.includes(format)),
    endings: endingsOf({ event, status, isEnded, now }, context),
    readonly: access === 'readonly',
  };
}

function tokenActions(router: Router, context: PageContext): void {
  const { control } = context;
  const act = (name: string, work: (event: IssuedEvent) => Promise<string>) =>
    router.post<{ id: string }>(
      `/tokens/:id/${name}`,
      changing(context, (_form, { params: { id } }, res) => perform(context, id, res, work)),
    );

  act('expire', async ({ tokenId }) => ((await control.expireToken(tokenId)) ? '?done=expired' : ''));
  act('resume', async ({ tokenId }) => ((await control.resumeToken(tokenId)) ? '?done=resumed' : ''));
  act('revoke', async ({ tokenId }) => ((await control.revokeToken(tokenId)) ? '?done=revoked' : ''));
  router.post('/tokens/:id/use/:what', (req, res) =>
    perform(context, req.params.id, res, event => use(context, event, req.params.what)),
  );
}

async function perform(
  context: PageContext,
  id: string,
  res: Response,
  work: (event: IssuedEvent) => Promise<string>,
): Promise<void> {
  const issued = context.events.issued(id);
  if (issued === undefined) return context.forgotten(res, 'token');
  const query = await work(issued);
  res.redirect(303, `${context.base}/dashboard/tokens/${issued.tokenId}${query}`);
}

async function use(context: PageContext, event: IssuedEvent, what: string): Promise<string> {
  const wanted = tokenUses(event, claimsOf(event), context).find(each => each.what === what);
  if (wanted?.request === undefined) return '';
  const { request } = wanted;
  const { requestId } = await context.send({ ...request, headers: { ...request.headers, [toolHeader]: 'dashboard' } });
  return `?used=${encodeURIComponent(requestId)}#result`;
}

const fields = ['client', 'user', 'type', 'scope', 'lifetime', 'defect'];

const mintPresets: readonly MintPreset[] = [
  { name: 'short', words: '10 seconds', members: { lifetime: 10 } },
  { name: 'expired', words: 'Expired', members: { defect: 'expired' } },
  { name: 'admin', words: 'Admin', members: { claims: { roles: ['admin'] } } },
  { name: 'audience', words: 'Wrong audience', members: { defect: 'wrong_audience' } },
];

interface MintPreset {
  readonly name: string;
  readonly words: string;
  readonly members: Readonly<Record<string, unknown>>;
}

const mostOffered = 50;

function mintForm(context: PageContext, typed = new URLSearchParams(), problems: readonly string[] = []) {
  const { mint, access } = context;
  if (mint === undefined || access === 'readonly') return undefined;
  const clients = [...context.registered()].map(({ client_id }) => client_id);
  const users = [...context.accounts()].map(({ sub }) => sub);
  return {
    clients: clients.slice(0, mostOffered),
    users: users.slice(0, mostOffered),
    presets: mintPresets,
    // names, each with a sentence
    defects: Object.entries(mint.defects),
    typed: {
      ...typedMint(typed),
      client: typed.get('client') ?? clients[0] ?? '',
      user: typed.get('user') ?? users[0] ?? '',
    },
    problems,
  };
}

/** The members of a mint request: the fields, overridden by the chosen preset. An invalid lifetime stays text, so that the error can quote it. */
function mintMembers(typed: URLSearchParams): Readonly<Record<string, unknown>> {
  const filled = Object.entries(typedMint(typed)).filter(([, value]) => value !== '');
  const preset = mintPresets.find(({ name }) => name === typed.get('preset'));
  const members = filled.map(([name, value]) => [
    name,
    name === 'lifetime' && /^-?\d{1,12}$/.test(value) ? Number(value) : value,
  ]);
  return { ...Object.fromEntries(members), ...preset?.members };
}

function typedMint(typed: URLSearchParams) {
  return Object.fromEntries(fields.map(name => [name, (typed.get(name) ?? '').trim()]));
}

type TokensView = 'logins' | 'list';

interface Asked {
  readonly view: TokensView;
  readonly query: string;
  readonly before?: number | undefined;
}

function* tokensPage(context: PageContext, { view, query, before }: Asked) {
  const { events } = context;
  const filter = parseFilter(query);
  const list = view === 'logins' ? listLogins(context, { filter, before }) : listTokens(context, { filter, before });
  const { rows, before: next } = yield* list;
  const action = pathOf(context, view);
  const kept = events.kept('token.issued') + events.kept('code.issued');
  return {
    view,
    query,
    filter: filterBox({
      action,
      query,
      parsed: filter,
      placeholder: 'user:alice -status:expired claim.roles:admin',
      list: tokenSearch({ statusOf: () => 'valid' }),
      items: events.latestIssued(300),
    }),
    rows,
    older: next === undefined ? '' : listAddress(action, query, next),
    newest: listAddress(action, query),
    otherView: listAddress(pathOf(context, view === 'list' ? 'logins' : 'list'), query),
    // true on the first page, to which live rows are added
    newestFirst: before === undefined,
    types: typeLinks(filter, action),
    canDemo: context.access !== 'readonly' && demoClient(context) !== undefined,
    kept,
    forgotten: issuedCount(events) - kept,
  };
}

/**
 * The page for a token or an id that was pasted into the filter; undefined for a filter. A token of a different issuer has no page;
 * it is decoded from the body of a request.
 */
function pastedThing(context: PageContext, query: string): string | undefined {
  const { events, base } = context;
  const word = query.trim();
  if (word === '' || /\s/.test(word)) return undefined;
  const issued = events.issued(word) ?? events.issuedAs(word);
  if (issued !== undefined) return `${base}/dashboard/tokens/${issued.tokenId}`;
  const section = sectionOf(context, word);
  return section && `${base}/dashboard/${section}/${word}`;
}

function sectionOf(
  { events, flows, problems }: PageContext,
  id: string,
): 'requests' | 'flows' | 'problems' | undefined {
  if (/^req_\w+$/.test(id) && events.ofRequest(id).length > 0) return 'requests';
  if (/^flow_\w+$/.test(id) && flows.find(id) !== undefined) return 'flows';
  return /^prb_\w+$/.test(id) && problems.find(id) !== undefined ? 'problems' : undefined;
}

const types = [
  ['All', ''],
  ['Access', 'access'],
  ['ID', 'id'],
  ['Refresh', 'refresh'],
  ['Codes', 'code'],
] as const;

function typeLinks({ terms }: Query, action: string) {
  const isType = (term: Query['terms'][number]) => term.field === 'type' && !term.negated;
  const current = terms.find(isType)?.value ?? '';
  const others = terms.filter(term => !isType(term)).map(term => term.text);
  return types.map(([name, type]) => ({
    name,
    href: listAddress(action, (type === '' ? others : [`type:${type}`, ...others]).join(' ')),
    current: type === current,
  }));
}

function pathOf({ base }: PageContext, view: TokensView): string {
  return `${base}/dashboard/tokens${view === 'list' ? '/list' : ''}`;
}
