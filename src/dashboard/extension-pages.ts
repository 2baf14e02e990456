import type { Router } from 'express';
import type { Core, Extension } from '../sandbox/extension.ts';
import type { Desk, ExtensionPage, PageRoutes, WithPages } from './desk.ts';

export type ExtensionWithPages = Extension & WithPages;

/** What an extension adds to the pages of one issuer. */
export interface AddedPages {
  readonly path: string;
  /** Its entry in the navigation; absent for pages that check themselves who may see them. */
  readonly entry?: ExtensionPage;
  routes(router: Router, desk: Desk): Promise<void>;
}

/** The pages that extensions offer for an issuer. */
export function addedPages(extensions: readonly ExtensionWithPages[], issuer: Core): readonly AddedPages[] {
  return extensions.flatMap(extension => {
    const isOffered = (page: PageRoutes) => page.isOffered?.(issuer) ?? true;
    const added = (page: PageRoutes): AddedPages => ({
      path: page.path,
      routes: (router, desk) => page.routes(router, desk, issuer.extensions.of(extension).get),
    });
    const { pages = [], openPages = [] } = extension;
    return [
      ...pages.filter(isOffered).map(page => ({ ...added(page), entry: page })),
      ...openPages.filter(isOffered).map(added),
    ];
  });
}
