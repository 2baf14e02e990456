import type { Request, Response, Router } from 'express';
import type { IssuedEvent } from '../../base/events/event-log.ts';
import { isPastedJwt } from '../../base/text/pasted-jwt.ts';
import { inTurns } from '../../base/turns/in-turns.ts';
import { tokenTypeOf } from '../../record/flows/token-status.ts';
import { decodePage, shownDecode } from '../decode/decode-page.ts';
import type { Desk } from '../desk.ts';
import { formOf } from '../form.ts';
import { integerOf, textOf } from '../query.ts';
import { copiesOf } from './copy-as.ts';
import { diffPage } from './diff-page.ts';
import { listLogins } from './logins.ts';
import { mintForm, mintMembers } from './mint-form.ts';
import { tokenActions } from './token-actions.ts';
import { listTokens, mostOlderRows } from './token-list.ts';
import { tokenMenu } from './token-menu.ts';
import { tokenPage } from './token-page.ts';
import { parseFilter } from './token-search.ts';
import { pastedThing, type TokensView, tokensPage } from './tokens-page.ts';

/** Routes below `/tokens`: the lists, the newest access token, one token, its comparison, its copies and its forms. */
export function tokenPages(router: Router, desk: Desk): void {
  const { events } = desk;
  router.get('/tokens', (req, res) => list(desk, 'logins', req, res));
  router.get('/tokens/list', (req, res) => list(desk, 'list', req, res));
  router.post('/tokens', (req, res) => mint(desk, req, res));
  router.get('/tokens/latest', (_req, res) => {
    const issued = events.latestIssued(Number.POSITIVE_INFINITY);
    const latest = issued.find(event => tokenTypeOf(event) === 'access') ?? issued[0];
    res.redirect(303, `${desk.base}/dashboard/tokens${latest === undefined ? '' : `/${latest.tokenId}`}`);
  });
  router.get('/api/v1/tokens/older', (req, res) => olderTokens(desk, req, res));
  router.get('/api/v1/logins/older', (req, res) => olderLogins(desk, req, res));
  ofOneToken(router, desk);
  tokenActions(router, desk);
}

async function list(desk: Desk, view: TokensView, req: Request, res: Response): Promise<void> {
  const query = textOf(req.query.q);
  const pasted = await inTurns(pastedThing(desk, query));
  if (pasted !== undefined) return res.redirect(303, pasted);
  if (isPastedJwt(query)) return desk.show(res, shownDecode(await decodePage(query, desk)));
  const page = await inTurns(tokensPage(desk, { view, query, before: integerOf(req.query.before) }));
  const model = { ...page, mint: mintForm(desk) };
  await desk.show(res, { template: 'tokens', title: 'Tokens', nav: 'tokens', model });
}

/** Mints a token and redirects to its page, or shows the form again with the errors (400). */
async function mint(desk: Desk, req: Request, res: Response): Promise<void> {
  const typed = await formOf(req);
  const made = await desk.mint?.make(mintMembers(typed));
  if (made?.ok) return res.redirect(303, `${desk.base}/dashboard/tokens/${made.tokenId}`);
  const page = await inTurns(tokensPage(desk, { view: 'logins', query: '' }));
  const model = { ...page, mint: mintForm(desk, typed, made?.faults) };
  await desk.show(res, { template: 'tokens', title: 'Tokens', nav: 'tokens', model, status: 400 });
}

/** Serves older rows as HTML to the script of the page. The header `Grantbox-Before` has the start of the next page. */
async function olderTokens(desk: Desk, { query }: Request, res: Response): Promise<void> {
  const asked = { ...olderThan(query), limit: mostOlderRows };
  await sendRows(desk, res, 'token-rows', await inTurns(listTokens(desk, asked)));
}

async function olderLogins(desk: Desk, { query }: Request, res: Response): Promise<void> {
  await sendRows(desk, res, 'login-rows', await inTurns(listLogins(desk, olderThan(query))));
}

function olderThan({ q, before }: Request['query']) {
  return { filter: parseFilter(textOf(q)), before: integerOf(before) };
}

interface Rows {
  readonly rows: readonly object[];
  readonly before: number | undefined;
}

async function sendRows(desk: Desk, res: Response, template: string, { rows, before }: Rows) {
  if (before !== undefined) res.set('Grantbox-Before', String(before));
  res.type('html').send(await desk.fragment(template, { rows }));
}

type OnToken = (issued: IssuedEvent, req: Request<{ id: string; format: string }>, res: Response) => Promise<unknown>;

function ofOneToken(router: Router, desk: Desk): void {
  const get = (path: string, show: OnToken) =>
    router.get(`/tokens/:id${path}`, async (req: Request<{ id: string; format: string }>, res) => {
      const issued = desk.events.issued(req.params.id);
      await (issued === undefined ? desk.forgotten(res, 'token') : show(issued, req, res));
    });

  get('', async (issued, { query }, res) => {
    const model = await tokenPage(issued, desk, {
      done: textOf(query.done),
      used: textOf(query.used),
      as: textOf(query.as),
    });
    await desk.show(res, { template: 'token', title: model.title, nav: 'tokens', model });
  });
  get('/diff', async (issued, { query }, res) => {
    const model = diffPage(issued, textOf(query.with), desk);
    await desk.show(res, { template: 'token-diff', title: model.title, nav: 'tokens', model });
  });
  get('/menu', async (issued, _req, res) => {
    res.type('html').send(await desk.fragment('token-menu', tokenMenu(issued, desk)));
  });
  get('/copy/:format', async (issued, { params }, res) => {
    const copy = copiesOf(issued, desk).find(({ format }) => format === params.format);
    if (copy === undefined) return desk.forgotten(res, 'form of this token');
    res.attachment(copy.file).type('text/plain').send(copy.text);
  });
}
