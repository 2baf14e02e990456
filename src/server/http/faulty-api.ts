import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Fate } from '../faults/fault.ts';
import type { Faults } from '../faults/faults.ts';
import { askedFaults, goneOf } from './adapter.ts';
import { send } from './answer.ts';
import { cut } from './cut.ts';
import { contextOf, type Middleware } from './request-context.ts';

type FaultsOf = (asked: string | undefined) => Promise<Faults> | undefined;

/** Runs before CORS: a proxy that blocks other origins does not answer their preflights either. */
export function faultyPreflight(open: FaultsOf): Middleware {
  return (req, res, next) => {
    const faults = req.method === 'OPTIONS' ? open(undefined) : undefined; // a preflight has none of the headers that the page sets
    if (faults === undefined) return next();
    const { endpoint, emit } = contextOf(req);
    faults
      .then(loaded => loaded.preflight({ endpoint, asked: undefined, emit, cut: fate => cut(res, fate) }))
      .then(() => tellFaults(req, res))
      .then(() => next(), next);
  };
}

/**
 * Runs before the sample backend, which knows nothing of faults, and after CORS, so that a page can read the answer.
 */
export function faultyApi(open: FaultsOf): Middleware {
  return (req, res, next) => {
    const asked = askedFaults(req.headers);
    const faults = req.method === 'OPTIONS' ? undefined : open(asked);
    if (faults === undefined) next();
    else
      faults
        .then(loaded => meet(loaded, asked, req, res))
        .then(answered => answered || next())
        .catch(next);
  };
}

async function meet(
  faults: Faults,
  asked: string | undefined,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<boolean> {
  const { endpoint, emit } = contextOf(req);
  const faulted = { endpoint, asked, emit, cut: (fate: Fate) => cut(res, fate), gone: () => goneOf(req) };
  const answer = await faults.before(faulted, req.headers.authorization);
  if (answer !== undefined) send(res, answer);
  else tellFaults(req, res);
  return answer !== undefined;
}

function tellFaults(req: IncomingMessage, res: ServerResponse): void {
  const { faults } = contextOf(req);
  if (faults !== undefined) res.setHeader('Sandbox-Fault', faults.join(', '));
}
