import type { Router } from 'express';
import type { Extension, Issuer } from '../sandbox/extension.ts';
import type { Desk, ExtensionPage, LinkFrom, WithPages } from './desk.ts';

export type ExtensionWithPages = Extension & WithPages;

/** A page that an extension adds to those of one issuer. */
export interface AddedPage extends Omit<ExtensionPage, 'routes' | 'isOffered'> {
  routes(router: Router, desk: Desk): Promise<void>;
}

/** The links to pages of extensions on the page of all clients, or of this one. */
export function linksOn({ added, base }: Pick<Desk, 'added' | 'base'>, page: LinkFrom['page'], client_id = '') {
  return added.flatMap(({ path, linkedFrom = [] }) =>
    linkedFrom
      .filter(link => link.page === page)
      .map(({ name, query }) => ({
        entry: path.slice(path.lastIndexOf('/') + 1),
        name,
        href: `${base}${path}${query === undefined ? '' : `?${query}=${encodeURIComponent(client_id)}`}`,
      })),
  );
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
