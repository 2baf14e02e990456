import { sameSecret } from '../random.ts';
import type { TestUser } from './user.ts';

/** Sandbox: without a configured password any one is accepted, but not none. */
export function passwordFits(user: TestUser, typed: string | undefined): boolean {
  if (typed === undefined) return false;
  return user.password === undefined || sameSecret(typed, user.password);
}
