import type { Router } from 'express';
import type { Extension, Issuer } from '../sandbox/extension.ts';
import type { Desk, ExtensionPage, WithPages } from './desk.ts';

export type ExtensionWithPages = Extension & WithPages;

/** A page that an extension adds to those of one issuer. */
export interface AddedPage extends Omit<ExtensionPage, 'routes' | 'isOffered'> {
  routes(router: Router, desk: Desk): Promise<void>;
}

/** The pages that extensions offer for an issuer. */
export function addedPages(extensions: readonly ExtensionWithPages[], issuer: Issuer): readonly AddedPage[] {
  return extensions.flatMap(extension =>
    (extension.pages ?? [])
      .filter(page => page.isOffered?.(issuer) ?? true)
      .map(page => ({
        ...page,
        routes: (router, desk) => page.routes(router, desk, issuer.extensions.of(extension).get),
      })),
  );
}
