import type { RequestHandler } from 'express';
import { lazily } from '../../base/lazily.ts';

/** Pages that are read with the first visit. */
export function onFirstVisit(load: () => Promise<RequestHandler>): RequestHandler {
  const pages = lazily(load);
  return (req, res, next) => void pages.get().then(router => router(req, res, next), next);
}
