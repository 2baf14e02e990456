import type { SandboxEvent } from '../../../base/events/event.ts';
import type { EventLog } from '../../../base/events/event-log.ts';
import type { Exchange } from '../../../base/events/exchange.ts';
import { flatMapInPieces, type Pieces } from '../../../base/turns.ts';
import { secretAsClientId } from '../../../protocol/clients/find-client.ts';
import type { Flow } from '../flow.ts';
import { type Completed, type RecordedRequest, requestIn } from '../recorded-request.ts';
import { maskedExchange, redactTextWith, sweptExchange } from '../redaction.ts';
import { type Sweep, sweepInPieces } from '../redaction-sweep.ts';
import { maskToken } from '../redaction-text.ts';

export interface ExportedRequest extends Omit<Completed, 'exchange'> {
  readonly exchange: Exchange;
  /** The events of the request, without the request itself. */
  readonly facts: readonly SandboxEvent[];
}

/** The content of an exported file: some flows, or the whole history. */
export interface Export {
  readonly issuer: string;
  /** Unix seconds. */
  readonly exportedAt: number;
  readonly redacted: boolean;
  readonly flows: readonly Flow[];
  /** Oldest first. */
  readonly requests: readonly ExportedRequest[];
  /** Removes the secrets of the export from a text. */
  clean(text: string): string;
  /** Writes a value as JSON and removes secrets from every string. */
  stringify(value: unknown, indent?: number): string;
}

interface ExportOptions {
  readonly events: EventLog;
  readonly issuer: string;
  /** Unix seconds. */
  readonly now: number;
  readonly secrets: 'redact' | 'include';
}

/** Exports flows with their recorded requests. */
export function exportFlows(flows: readonly Flow[], options: ExportOptions): Pieces<Export> {
  const ids = flows.flatMap(({ steps }) => steps.map(step => step.requestId));
  return exportRequests([...new Set(ids)], flows, options);
}

/** Exports the whole history. The flows and requests are listed first, because a busy history changes meanwhile. */
export function* exportSession(flows: Iterable<Flow>, options: ExportOptions): Pieces<Export> {
  const { events } = options;
  const all = events.latest('request.completed', events.kept('request.completed'));
  const ids = all.map(each => each.requestId).reverse();
  return yield* exportRequests(ids, yield* flatMapInPieces(flows, flow => [flow]), options);
}

/** Exports requests in this order, with the flows they belong to. */
export function* exportRequests(
  ids: readonly string[],
  flows: readonly Flow[],
  options: ExportOptions,
): Pieces<Export> {
  const { events, issuer, now, secrets: mode } = options;
  const isRedacted = mode === 'redact';
  const recorded = yield* flatMapInPieces(ids, id => {
    const request = requestIn(events.ofRequest(id));
    return request === undefined ? [] : [request];
  });
  const { secrets, exchanges } = isRedacted ? yield* maskedInPieces(recorded) : nothingMasked;
  const { clean, cleanFirst } = isRedacted ? cleanerOf(yield* sweepInPieces(secrets)) : nothingCleaned;
  const requests: ExportedRequest[] = [];
  for (const [index, { event, facts }] of recorded.entries()) {
    const masked = exchanges[index];
    const exchange = masked === undefined ? event.exchange : sweptExchange(masked, cleanFirst);
    const others = facts.filter(fact => fact !== event);
    requests.push({ ...event, exchange, facts: isRedacted ? others.map(redactFact) : others });
    yield;
  }
  const cleanText = (_name: string, value: unknown) => (typeof value === 'string' ? clean(value) : value);
  const stringify = (value: unknown, indent?: number) => JSON.stringify(value, cleanText, indent);
  return { issuer, exportedAt: now, redacted: isRedacted, flows, requests, clean, stringify };
}

/** The most words that an export knows to be clean, and the longest one. */
const mostWords = 10_000;
const longestWord = 200;

interface Cleaner {
  clean(text: string): string;
  /** Cleans a text that is written later, as it is then. */
  cleanFirst(text: string): string;
}

/** Removes secrets from texts. Words come many times, such as the names of headers, and bodies are cleaned before they are written. */
function cleanerOf(sweep: Sweep): Cleaner {
  const words = new Set<string>();
  const texts = new Set<string>();
  const clean = (text: string) => {
    if (words.has(text) || texts.has(text)) return text;
    const cleaned = redactTextWith(text, sweep);
    if (cleaned.length <= longestWord && words.size < mostWords) words.add(cleaned);
    return cleaned;
  };
  return {
    clean,
    cleanFirst(text) {
      const cleaned = clean(text);
      texts.add(cleaned);
      return cleaned;
    },
  };
}

const asIs = (text: string) => text;
const nothingCleaned: Cleaner = { clean: asIs, cleanFirst: asIs };

interface MaskedRequests {
  readonly secrets: ReadonlySet<string>;
  readonly exchanges: readonly Exchange[];
}

const nothingMasked: MaskedRequests = { secrets: new Set(), exchanges: [] };

function* maskedInPieces(recorded: readonly RecordedRequest[]): Pieces<MaskedRequests> {
  const secrets = new Set<string>();
  const exchanges: Exchange[] = [];
  for (const request of recorded) {
    const masked = maskedExchange(request.event.exchange);
    exchanges.push(masked.exchange);
    for (const secret of masked.secrets) secrets.add(secret);
    const misplaced = misplacedSecret(request);
    if (misplaced !== undefined) secrets.add(misplaced);
    // an opaque token is secret as a whole
    for (const fact of request.facts) if ('token' in fact && !fact.token.includes('.')) secrets.add(fact.token);
    yield;
  }
  return { secrets, exchanges };
}

function redactFact(fact: SandboxEvent): SandboxEvent {
  if (!('token' in fact)) return fact;
  const token = maskToken(fact.token);
  return 'signed' in fact && fact.signed !== undefined
    ? { ...fact, token, signed: maskToken(fact.signed) }
    : { ...fact, token };
}

/** The secret that a request sent as its `client_id` by mistake. Redaction by name would not find it there. */
export function misplacedSecret(request: RecordedRequest): string | undefined {
  const isMisplaced = request.facts.some(
    fact => fact.type === 'error.returned' && secretAsClientId(fact.sent) !== undefined,
  );
  return isMisplaced ? request.value('client_id') : undefined;
}
