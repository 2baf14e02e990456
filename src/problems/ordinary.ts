// Refusals that belong to a conversation that goes well: nobody has to look at them.
import type { EventOf } from '../events/event.ts';
import type { Known } from './known.ts';
import type { RefusalReason } from './refusal-reason.ts';

type Refused = EventOf<'error.returned'>;

/** What the protocol, or somebody at the login screen, wants to be answered. */
const wanted: ReadonlySet<string> = new Set<RefusalReason>([
  'authorization_pending',
  'chosen_on_login_screen',
  'user_denied',
]);

/** What browsers ask every server for by themselves. */
const probes = /^\/(favicon\.ico|robots\.txt|apple-touch-icon[\w.-]*|\.well-known\/appspecific\/.*)$/;

/** Whether a refusal is none of the developer's business, whatever comes after it. */
export function isOrdinary({ reason, sent = '' }: Refused): boolean {
  return wanted.has(reason) || (reason === 'path_unknown' && probes.test(sent));
}

/** A first refusal that hands out a nonce, and is answered by the same request with it (RFC 9449 §8, §9). */
const challenges: ReadonlySet<string> = new Set<RefusalReason>([
  'dpop_nonce_needed',
  'api_dpop_nonce_missing',
  'api_dpop_nonce_stale',
]);

/** Seconds a client may take to come again. */
const patience = 5;

export function isChallenge({ reason }: Pick<Refused, 'reason'>): boolean {
  return challenges.has(reason);
}

/** Whether the client went on well after a challenge, or may still do so. */
export function isAnswered({ events }: Pick<Known, 'events'>, refused: Refused): boolean {
  const { id, client_id } = refused;
  if (events.wall() - events.wallOf(refused) < patience) return true;
  return (['token.issued', 'token.used', 'authorization.pushed'] as const).some(type =>
    events.latest(type, events.kept(type)).some(event => event.id > id && event.client_id === client_id),
  );
}
