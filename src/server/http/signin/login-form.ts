import type { IncomingMessage } from 'node:http';
import { parameter, parseParameters, type RequestParameters, rejectUnreadable } from '../../../protocol/parameters.ts';
import { readForm } from '../read-parameters.ts';

/** Fields sent from the login page. */
export interface SentLogin {
  readonly action: string;
  readonly fields: RequestParameters;
  /** Text of the claims editor as typed; the only field that may have line breaks. */
  readonly claims: string;
  /** True if the editor was filled in with all claims, so that a claim missing from it was deleted. */
  readonly isComplete: boolean;
  /** `login`: the claims are for this login only. `user`: they are saved to the user. */
  readonly keep: 'login' | 'user';
}

/** @throws invalid_request for a form that is not readable */
export async function readLoginForm(req: IncomingMessage): Promise<SentLogin> {
  const text = await readForm(req);
  const isClaims = (pair: string) => pair.startsWith('claims=');
  const pairs = text.split('&');
  const fields = parseParameters(pairs.filter(pair => !isClaims(pair)).join('&'));
  rejectUnreadable(fields);
  const claims = new URLSearchParams(pairs.find(isClaims)).get('claims') ?? '';
  return {
    action: parameter(fields, 'action') ?? 'login',
    fields,
    claims: claims.replaceAll('\r\n', '\n'),
    isComplete: parameter(fields, 'complete') !== undefined,
    keep: parameter(fields, 'keep') === 'user' ? 'user' : 'login',
  };
}
