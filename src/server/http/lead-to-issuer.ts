import type { Express } from 'express';
import { named } from './mount.ts';

/** The documented addresses of the pages lead to those of an issuer that has a path, as the issuers of presets have. */
export function leadToIssuer(
  app: Express,
  {
    base,
    dashboard: pages,
  }: { readonly base: string; readonly dashboard: readonly (readonly [path: string, ...rest: unknown[]])[] },
): void {
  if (base === '') return;
  for (const [path] of pages)
    app.use(path, named('dashboard'), (req, res, next) => {
      if (req.method !== 'GET' && req.method !== 'HEAD') return next();
      res.redirect(302, base + req.originalUrl);
    });
}
