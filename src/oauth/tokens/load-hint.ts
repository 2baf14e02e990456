import type { AuthorizationServer } from '../authorization-server.ts';
import type { Hint } from './hint.ts';

/** `readHint`, loaded with jose when there is a hint to read: a start does without both. */
export async function loadHint(server: AuthorizationServer, hint: string): Promise<Hint> {
  const { readHint } = await import('./hint.ts');
  return readHint(server, hint);
}
