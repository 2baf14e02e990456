import type { AuthorizationServer } from '../authorization-server.ts';
import type { Hint } from './hint.ts';

/** `readHint`, loaded together with jose when there is a hint, so that the start does not wait for them. */
export async function loadHint(server: AuthorizationServer, hint: string): Promise<Hint> {
  const { readHint } = await import('./hint.ts');
  return readHint(server, hint);
}
