import type { Request, RequestHandler, Response } from 'express';
import type { Faults } from '../faults/faults.ts';
import { send } from './answer.ts';
import { cut } from './cut.ts';
import { contextOf } from './request-context.ts';

/** The request's own header; of several, all with commas between. */
export function askedFaults(headers: { readonly [name: string]: string | string[] | undefined }): string | undefined {
  const asked = headers['sandbox-fault'];
  return asked === undefined ? undefined : String(asked);
}

/** Stands before the sample backend, which knows nothing of faults: after CORS, so that a page can read what it answers. */
export function faultyApi(open: (asked: string | undefined) => Promise<Faults> | undefined): RequestHandler {
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

async function meet(faults: Faults, asked: string | undefined, req: Request, res: Response): Promise<boolean> {
  const context = contextOf(req);
  const { endpoint, emit } = context;
  const faulted = { endpoint, asked, emit, cut: (fate: Parameters<typeof cut>[1]) => cut(res, fate) };
  const answer = await faults.before(faulted, req.headers.authorization);
  if (answer !== undefined) send(res, answer);
  else if (context.faults !== undefined) res.setHeader('Sandbox-Fault', context.faults.join(', '));
  return answer !== undefined;
}
