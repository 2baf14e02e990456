import { OAuthError } from '../oauth/errors.ts';

/** The shared store is away, or has no room. A request gets 503 with `Retry-After`; nothing is kept in this process instead. */
export class StoreUnavailable extends OAuthError {
  constructor(description: string, options?: ErrorOptions) {
    super('temporarily_unavailable', 'store_unavailable', description, {
      status: 503,
      headers: { 'Retry-After': '1' },
      expected: 'an engine that answers at STORE_URL',
    });
    if (options?.cause !== undefined) this.cause = options.cause;
  }
}
