import type { IncomingMessage, RequestListener } from 'node:http';

/** A listener that exists before the app does: the app needs the address, which is known only once a server listens. */
export interface DeferredListener {
  readonly listener: RequestListener;
  /** From now on requests go there; those that were quicker are let in. */
  open(listener: RequestListener): void;
  /** Requests it picks go elsewhere, even before the door is open; ends with what is returned. */
  divert(pick: (req: IncomingMessage) => RequestListener | undefined): () => void;
}

type Pick = Parameters<DeferredListener['divert']>[0];

export function createDeferredListener(): DeferredListener {
  const waiting: Parameters<RequestListener>[] = [];
  const picks = new Set<Pick>();
  let current: RequestListener = (req, res) => void waiting.push([req, res]);
  let enter = current;

  function diverting(req: IncomingMessage): RequestListener | undefined {
    for (const pick of picks) {
      const elsewhere = pick(req);
      if (elsewhere !== undefined) return elsewhere;
    }
    return undefined;
  }
  /** Nothing is asked of a request while nothing is diverted. */
  function choose(): void {
    enter = picks.size === 0 ? current : (req, res) => (diverting(req) ?? current)(req, res);
  }
  return {
    listener: (req, res) => enter(req, res),
    open(listener) {
      current = listener;
      choose();
      for (const [req, res] of waiting.splice(0)) listener(req, res);
    },
    divert(pick) {
      picks.add(pick);
      choose();
      return () => {
        picks.delete(pick);
        choose();
      };
    },
  };
}
