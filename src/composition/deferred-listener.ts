import type { RequestListener } from 'node:http';

/** A listener that exists before the app does: the app needs the address, which is known only once a server listens. */
export interface DeferredListener {
  readonly listener: RequestListener;
  /** From now on requests go there; those that were quicker are let in. */
  open(listener: RequestListener): void;
}

export function createDeferredListener(): DeferredListener {
  const waiting: Parameters<RequestListener>[] = [];
  let current: RequestListener = (req, res) => void waiting.push([req, res]);
  return {
    listener: (req, res) => current(req, res),
    open(listener) {
      current = listener;
      for (const [req, res] of waiting.splice(0)) listener(req, res);
    },
  };
}
