import { type Request, type Response, Router } from 'express';
import type { LabState } from './lab.ts';

/**
 * The web servers of a lab: the callback of the shop, its redirector, and the page of the attacker. Each arrival is recorded like
 * any request, so that the log is the proof of what the attacker got.
 */
export function createWebPages(issuer: string, state: LabState): Router {
  const router = Router({ caseSensitive: true });
  const own = `${issuer}/labs/`;
  router.get('/shop', (_req, res) => show(res, 'The shop', 'This is the callback of the shop of the lab.'));
  router.get('/evil', (_req, res) => show(res, 'Mallory', 'This page belongs to Mallory. The code is in its address.'));
  router.get('/shop/next', (req, res) => {
    const target = state.isDefended ? undefined : nextOf(req, own);
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
