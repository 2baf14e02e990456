import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import type { ChangeProblem } from '../base/events/change.ts';
import type { RunInTurn } from '../sandbox/control/replica-turn.ts';
import { readForm } from '../server/http/read-parameters.ts';

/**
 * Reads a form that a page of the dashboard sent.
 * @throws invalid_request with 415 for a different content type, with 413 above 64 KiB
 */
export async function formOf(req: IncomingMessage): Promise<URLSearchParams> {
  return new URLSearchParams(await readForm(req));
}

/** A form that reads what is there and then changes it: it is handled in a turn of all replicas, once it was read. */
export function changing<Params = Request['params']>(
  { inTurn }: { readonly inTurn: RunInTurn },
  handle: (form: URLSearchParams, req: Request<Params>, res: Response) => void | Promise<void>,
  effect?: 'makes room',
): RequestHandler<Params> {
  return async (req, res) => {
    const form = await formOf(req);
    await inTurn(async () => handle(form, req, res), effect);
  };
}

/** The page that a form names as `back`. Only a path of this issuer: another address would make a form here lead there. */
export function pathBack(base: string, typed: URLSearchParams): string {
  const path = typed.get('back') ?? '';
  const isOurs = path.startsWith(`${base}/`) && /^\/(?!\/)[!-[\]-~]*$/.test(path);
  return isOurs ? path : `${base}/dashboard`;
}

/** Texts about what was typed, by the field below which they are shown. */
export type FieldTexts = Readonly<Record<string, readonly string[]>>;

export function byField(texts: readonly (readonly [field: string, text: string])[]): FieldTexts {
  const found: Record<string, readonly string[]> = {};
  for (const [field, text] of texts) found[field] = [...(found[field] ?? []), text];
  return found;
}

/** A problem as a sentence. */
export function problemText({ sent, expected, nearest }: ChangeProblem): string {
  const found = sent === undefined ? '' : `${sent} was sent, `;
  return `${found}expected ${expected}${nearest === undefined ? '' : ` (did you mean ${nearest}?)`}.`;
}
