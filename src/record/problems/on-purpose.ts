// Refusals that the developer caused on purpose, by a token with a defect or by a moved clock.
import type { EventOf } from '../../base/events/event.ts';
import type { IssuedEvent } from '../../base/events/event-log.ts';
import { parametersOf } from './case.ts';
import { issuedCode, issuedToken, span } from './history.ts';
import type { Known, RefusalReason } from './known.ts';
import type { Refusal } from './problem.ts';

type Log = Pick<Known, 'events'>;

/** Explains a refusal that is not a mistake of the application. */
export interface Purpose {
  readonly title: string;
  /** Sentences that name the cause. */
  readonly why: string;
  /** A sentence that tells how to continue. */
  readonly fix: string;
}

/** Finds the purpose of a refusal; undefined if the application made a mistake. */
export function purposeOf(log: Log, refusal: Refusal): Purpose | undefined {
  return ofDefect(log, refusal) ?? ofMovedClock(log, refusal);
}

function ofDefect({ events }: Log, { error: { about } }: Refusal): Purpose | undefined {
  const issued = about === undefined ? undefined : events.issued(about);
  if (issued?.type !== 'token.issued' || issued.defect === undefined) return undefined;
  const { defect, minted } = issued;
  const made = minted
    ? `this token was minted with the defect \`${defect}\``
    : `the fault \`${defect}\` changed this token when it was issued`;
  return {
    title: minted
      ? `A token with the defect \`${defect}\` was refused`
      : `A token with the fault \`${defect}\` was refused`,
    why: `On purpose: ${made}, so every API must refuse it. The list of problems does not show this refusal.`,
    fix: `Send a token without the defect \`${defect}\` to see it accepted.`,
  };
}

const timely: ReadonlySet<string> = new Set([
  'access_token_expired',
  'api_token_expired',
  'api_token_inactive',
  'api_token_not_yet_valid',
  'code_expired_or_unknown',
  'refresh_token_expired_or_unknown',
]);

/** Finds a refusal that a moved clock caused: the code or token is valid by the real time. */
function ofMovedClock(log: Log, refusal: Refusal): Purpose | undefined {
  const { error } = refusal;
  if (!timely.has(error.reason) || log.events.kept('clock.changed') === 0) return undefined;
  const issued = refusedToken(log, refusal);
  if (issued === undefined) return undefined;
  const issuersAtIssue = offsetAt(log, issued.id, 'issuer');
  const moved = offsetAt(log, error.id, error.endpoint === 'api' ? 'api' : 'issuer') - issuersAtIssue;
  // events are stamped by the clock of the issuer
  const age = error.at - offsetAt(log, error.id, 'issuer') - (issued.iat - issuersAtIssue);
  const lifetime = issued.exp - issued.iat;
  const isGood = age >= 0 && age < lifetime;
  const isRefused = age + moved >= lifetime || age + moved < 0;
  return isGood && isRefused ? movedWords(error, moved, lifetime - age) : undefined;
}

function movedWords({ endpoint }: Refusal['error'], moved: number, left: number): Purpose {
  const clock = endpoint === 'api' ? 'the clock of the sample backend' : 'the clock';
  const way = moved < 0 ? `back by ${span(-moved)}` : `on by ${span(moved)}`;
  return {
    title:
      moved < 0 ? 'The clock was set to a time before this token was issued' : 'The clock was moved past the expiry',
    why: `On purpose: ${clock} was moved ${way} after the code or token was issued. By the real time, it is valid for another ${span(left)}. The app made no mistake, so the list of problems does not show this refusal.`,
    fix: 'Let the app get a new token, as it must when a token expires. Or set the clock back on the page Clock.',
  };
}

function refusedToken(log: Log, { error, request }: Refusal): IssuedEvent | undefined {
  if (error.about !== undefined) return log.events.issued(error.about);
  const sent = parametersOf(request);
  return issuedCode(log, sent.get('code')) ?? issuedToken(log, sent.get('refresh_token'));
}

/** Returns the seconds that a clock was ahead of the real time at an event. */
function offsetAt({ events }: Log, eventId: number, owner: 'issuer' | 'api'): number {
  const isOfIt = ({ who }: EventOf<'clock.changed'>) => who === 'all' || who === owner;
  const moved = events.latest('clock.changed', events.kept('clock.changed'), eventId).find(isOfIt);
  const reset = events
    .latest('sandbox.reset', events.kept('sandbox.reset'), eventId)
    .find(({ part }) => part === undefined || part === 'clock');
  return moved === undefined || (reset?.id ?? 0) > moved.id ? 0 : moved.offset;
}

type Refused = EventOf<'error.returned'>;

const wanted: ReadonlySet<string> = new Set<RefusalReason>([
  'authorization_pending',
  'chosen_on_login_screen',
  'user_denied',
]);

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
