// Refusals that are a normal part of a successful flow. The list of problems leaves them out.
import type { EventOf } from '../../base/events/event.ts';
import type { Known } from './known.ts';
import type { RefusalReason } from './refusal-reason.ts';

type Refused = EventOf<'error.returned'>;

/** Refusals that the protocol or the user intends. */
const wanted: ReadonlySet<string> = new Set<RefusalReason>([
  'authorization_pending',
  'chosen_on_login_screen',
  'user_denied',
]);

/** Paths that browsers request from every server. */
const probes = /^\/(favicon\.ico|robots\.txt|apple-touch-icon[\w.-]*|\.well-known\/appspecific\/.*)$/;

/** Tells whether a refusal is always normal, whatever follows. */
export function isOrdinary(refused: Pick<Refused, 'reason' | 'sent' | 'expected' | 'form' | 'client_id'>): boolean {
  const { reason, sent = '' } = refused;
  return wanted.has(reason) || (reason === 'path_unknown' && (probes.test(sent) || isTyped(refused)));
}

/** A person typed an address: a page was wanted, no client is named, and no endpoint is meant. */
function isTyped({ form, client_id, expected = '' }: Pick<Refused, 'form' | 'client_id' | 'expected'>): boolean {
  return form === 'page' && client_id === undefined && !URL.canParse(expected);
}

/** Refusals that issue a nonce. The client sends the same request again with the nonce (RFC 9449 §8, §9). */
const challenges: ReadonlySet<string> = new Set<RefusalReason>([
  'dpop_nonce_needed',
  'api_dpop_nonce_missing',
  'api_dpop_nonce_stale',
]);

/** Seconds that a client may take for the second request. */
const patience = 5;

/** Tells whether a refusal only issues a nonce. */
export function isChallenge({ reason }: Pick<Refused, 'reason'>): boolean {
  return challenges.has(reason);
}

/** Tells whether the client continued after a challenge, or still has time to. */
export function isAnswered({ events }: Pick<Known, 'events'>, refused: Refused): boolean {
  const { id, client_id } = refused;
  if (events.wall() - events.wallOf(refused) < patience) return true;
  return (['token.issued', 'token.used', 'authorization.pushed'] as const).some(type =>
    events.latest(type, events.kept(type)).some(event => event.id > id && event.client_id === client_id),
  );
}
