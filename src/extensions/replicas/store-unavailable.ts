import { OAuthError } from '../../protocol/errors.ts';

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

/** The engine answers, and does not take what it is told: it has no room, or is not ready. `said` is its reason. */
export function refusedBy(said: string, cause?: unknown): StoreUnavailable {
  return new StoreUnavailable(`the shared store refuses it: ${withoutScript(said)}`, { cause });
}

/** The engine holds something at this place that no replica wrote; `seen` says how that shows, without a value. */
export function damagedAt(place: string, seen: string, cause?: unknown): StoreUnavailable {
  const description = `the shared store holds at ${place} what no replica wrote: ${withoutScript(seen)}`;
  return new StoreUnavailable(description, { cause });
}

/** Reads JSON of the engine. @throws StoreUnavailable that names the place */
export function jsonAt(place: string, json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw damagedAt(place, 'no JSON'); // the message of the parser would tell a part of the value
  }
}

/** Without the place in the script, which says nothing to an operator. */
function withoutScript(said: string): string {
  return said.replace(/ script: .*/, '');
}
