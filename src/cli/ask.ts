import { send, type WireAnswer, type WireRequest } from '../wire/send.ts';
import { connectionFailure } from './connection-failure.ts';

export type Asking = Pick<WireRequest, 'method' | 'headers' | 'body' | 'timeoutSeconds'>;

/** Whose certificates are believed. */
export type Trust = Pick<WireRequest, 'ca' | 'rejectUnauthorized'>;

export type Answered = WireAnswer;

/** No sandbox says as much, and what is not one may say anything. */
const maxBytes = 8_000_000;

/**
 * One request; redirects are not followed. It takes ten seconds at most where `asking` says nothing else.
 * @throws CommandFailure (code 2, or 1 for a certificate that is not trusted) where there is no answer
 */
export async function ask(url: URL, asking: Asking, trust: Trust): Promise<Answered> {
  try {
    return await send(url, { timeoutSeconds: 10, ...asking, ...trust, maxBytes });
  } catch (error) {
    throw connectionFailure(url, error);
  }
}
