import { defined } from '../../base/defined.ts';
import { OAuthError } from '../../protocol/errors.ts';
import { sentence } from '../control/library-entries.ts';

/** Turns an OAuthError into a TypeError that names every faulty member. */
export async function inOneSentence<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    const { sent, expected = '', faults = [{ member: '', expected, ...defined({ sent }) }] } = error.details;
    throw new TypeError(`createIssuer: ${faults.map(sentence).join('; ')}`, { cause: error });
  }
}
