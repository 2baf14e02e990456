import { type Answered, type Asking, send, type Trust } from '../remote/send.ts';
import { connectionFailure } from './connection-failure.ts';

export type { Answered, Asking, Trust } from '../remote/send.ts';

/**
 * One request; redirects are not followed.
 * @throws CommandFailure (code 2, or 1 for a certificate that is not trusted) where there is no answer
 */
export async function ask(url: URL, asking: Asking, trust: Trust): Promise<Answered> {
  try {
    return await send(url, asking, trust);
  } catch (error) {
    throw connectionFailure(url, error);
  }
}
