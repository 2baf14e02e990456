import { type Request, type Response, Router } from 'express';
import { defined } from '../../../base/defined.ts';
import { isRecord } from '../../../base/text/record.ts';
import type { Issuer } from '../../../sandbox/extension.ts';
import { optionsOf } from '../../../sandbox/front/sample-backend/sample-backend.ts';
import { sendToSelf } from '../../../sandbox/self-request.ts';
import type { Adapter } from '../../../server/http/adapter.ts';
import { jsonAnswer } from '../../../server/http/answer.ts';
import { asJson } from '../../../server/http/error-replies.ts';
import { mount, named } from '../../../server/http/mount.ts';
import { readJson } from '../../../server/http/read-json.ts';
import { tapResponse } from '../../../server/http/recording.ts';
import { contextOf } from '../../../server/http/request-context.ts';
import { keptFor } from '../learning.ts';
import type { LabTokenLetThrough } from '../lesson-events.ts';
import type { LabState } from './lab.ts';
import { createLabApi, type FetchKeys, type LetThrough } from './lab-api.ts';

/** The paths that only an issuer of a lab has, below `/labs`. */
export function labPaths(issuer: Issuer, adapter: Adapter): Router {
  const router = Router({ caseSensitive: true });
  const { lab: state } = keptFor(issuer);
  if (state === undefined) return router;
  if (state.weak.api !== undefined) mountApi(router, issuer, adapter, state);
  router.use(createWebPages(issuer.server.issuer, state));
  return router;
}

const mostKeys = 16 * 1024;

/** The API that labs attack, and the web server on which the attacker publishes keys. */
function mountApi(router: Router, issuer: Issuer, adapter: Adapter, state: LabState): void {
  const at = `${issuer.server.issuer}/labs/api`;
  const options = {
    ...optionsOf(issuer),
    audience: [],
    isAskedFor: () => true, // so that aud is always compared
    identifiers: (name: string) => [at, `${at}/${name}`],
  };
  const fetchKeys = fetchKeysOf(issuer);
  const api = createLabApi({
    ...{ state, options, fetchKeys },
    onLetThrough: (req, token, content) => contextOf(req).emit(letThrough(issuer, token, content)),
  });
  router.use('/api', named('api'), tapResponse, api);
  let published: object = { keys: [] };
  mount(router, adapter, {
    name: 'labs',
    path: '/evil/jwks',
    form: asJson,
    GET: [adapter.answering(asJson, async () => jsonAnswer(200, published))],
    PUT: [
      adapter.answering(asJson, async req => {
        const sent = await readJson(req, { mostBytes: mostKeys });
        if (isRecord(sent)) published = sent;
        return jsonAnswer(200, published);
      }),
    ],
  });
}

const longest = 200;

function letThrough({ events }: Issuer, token: string, { header, claims }: LetThrough): LabTokenLetThrough {
  const issued = events.issuedAs(token);
  const text = (value: unknown) => (typeof value === 'string' ? value.slice(0, longest) : undefined);
  const { sub, client_id, scope } = claims;
  return {
    type: 'lab.token_let_through',
    alg: header.alg.slice(0, longest),
    ...defined({ sub: text(sub), client_id: text(client_id), scope: text(scope), jku: text(header.jku) }),
    ...(issued?.type === 'token.issued' ? { tokenType: issued.tokenType, tokenId: issued.tokenId } : {}),
    isForged: issued === undefined,
  };
}

/** Fetches from the web server of the attacker in this issuer, at the socket of this process. No other address is allowed. */
function fetchKeysOf(issuer: Issuer): FetchKeys {
  const url = `${issuer.server.issuer}/labs/evil/jwks`;
  const { host, pathname } = new URL(url);
  return async asked => {
    if (asked !== url) return undefined;
    const { body } = await sendToSelf(issuer, { method: 'GET', path: pathname, headers: { Host: host }, body: '' });
    return JSON.parse(body);
  };
}

/**
 * The web servers of a lab: the callback of the shop, its redirector, and the page of the attacker. Each arrival is recorded like
 * any request, so that the log is the proof of what the attacker got.
 */
function createWebPages(issuer: string, state: LabState): Router {
  const router = Router({ caseSensitive: true });
  const own = `${issuer}/labs/`;
  router.get('/shop', (_req, res) => show(res, 'The shop', 'This is the callback of the shop of the lab.'));
  router.get('/evil', (_req, res) => show(res, 'Mallory', 'This page belongs to Mallory. The code is in its address.'));
  router.get('/shop/next', (req, res) => {
    const isCareful = state.isDefended || state.missing !== undefined;
    const target = isCareful ? undefined : nextOf(req, own);
    if (target === undefined) return show(res.status(400), 'The shop', 'The shop sends nobody to this address.');
    res.redirect(303, target);
  });
  return router;
}

/** The careless redirector of the shop: it hands on all parameters. Addresses outside the lab are refused in each case. */
function nextOf(req: Request, own: string): string | undefined {
  const asked = new URL(req.originalUrl, own).searchParams;
  const url = asked.get('url') ?? '';
  if (!URL.canParse(url) || !new URL(url).href.startsWith(own)) return undefined;
  asked.delete('url');
  return `${new URL(url).href}?${asked}`;
}

function show(res: Response, title: string, text: string): void {
  res.type('html').send(`<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1><p>${text}</p></html>`);
}
