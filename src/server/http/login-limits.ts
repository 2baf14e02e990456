import type { RequestHandler } from 'express';
import type { Adapter } from './adapter.ts';
import { asPage } from './error-replies.ts';
import { type CallCounts, createRateLimit } from './rate-limit.ts';

interface LoginLimitOptions {
  readonly adapter: Adapter;
  /** Logins a minute and address; 0: no limit. */
  readonly loginRateLimit: number;
  readonly counts?: CallCounts | undefined;
}

/** Limits of logins. One counts only refused ones: a pipeline may log in hundreds of times from one address. */
export function loginLimits({
  adapter,
  loginRateLimit: limit,
  counts,
}: LoginLimitOptions): Readonly<Record<'limitLogin' | 'limitGuesses', RequestHandler>> {
  const shared = { limit, adapter, form: asPage, counts };
  return {
    limitLogin: createRateLimit({ ...shared, name: 'login' }),
    limitGuesses: createRateLimit({ ...shared, name: 'guesses', counting: 'refused' }),
  };
}
