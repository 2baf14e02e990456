import type { RequestHandler, Router } from 'express';
import { lazily } from '../sandbox/composition/lazily.ts';
import type { Extension, RunningExtensions } from '../sandbox/extension.ts';
import type { Desk, WithPages } from './desk.ts';

export type ExtensionWithPages = Extension & WithPages;

/** Routers by path, each made with its first visit. */
export function extensionRouters(
  extensions: readonly ExtensionWithPages[],
  { desk, running }: { readonly desk: Desk; readonly running: Pick<RunningExtensions, 'of'> },
  guarded: (routes: (router: Router) => Promise<void>) => Promise<Router>,
): readonly (readonly [path: string, router: RequestHandler])[] {
  return extensions.flatMap(extension =>
    (extension.pages ?? []).map(page => {
      const made = lazily(() => guarded(router => page.routes(router, desk, running.of(extension).get)));
      const router: RequestHandler = (req, res, next) => void made.get().then(each => each(req, res, next), next);
      return [page.path, router] as const;
    }),
  );
}
