import type { EventOf, SandboxEvent } from '../../../base/events/event.ts';
import { headerOf } from '../../../base/events/exchange.ts';
import { formIn, readingOf } from './check.ts';
import {
  type Difference,
  difference,
  differences,
  mustBeFresh,
  type NamedEvents,
  newValue,
  type Pattern,
  type WantedRequest,
} from './pattern.ts';

/** The fields of an event, and the parts of its request, in which it differs from the pattern. `events` has the request. */
export function allDifferences(
  event: SandboxEvent,
  pattern: Pattern,
  events: readonly SandboxEvent[],
  named: NamedEvents = new Map(),
): readonly Difference[] {
  const ofEvent = differences(event, pattern, named);
  return pattern.request === undefined ? ofEvent : [...ofEvent, ...ofRequest(event, pattern.request, events, named)];
}

function ofRequest(
  { requestId }: SandboxEvent,
  { method, path, parameter = {}, header = {}, piece }: WantedRequest,
  events: readonly SandboxEvent[],
  named: NamedEvents,
): readonly Difference[] {
  const request = events.find(each => isRequest(each) && each.requestId === requestId);
  if (request === undefined || !isRequest(request)) return [{ field: 'request', expected: 'a request' }];
  const off = (part: keyof WantedRequest, field: string, value: unknown, wanted: unknown) => {
    const found = wanted === undefined ? undefined : difference(field, value, wanted, named);
    return found && { ...found, part, has: namesIn(request) };
  };
  return [
    off('method', 'method', request.method, method),
    off('path', 'path', request.path, path),
    ...Object.entries(parameter).map(([name, wanted]) => {
      const sent = readingOf(request, { parameter: name });
      if (sent !== undefined && mustBeFresh(wanted) && wasSent(name, sent, request, events))
        return { field: name, sent, expected: newValue, part: 'parameter' as const };
      return off('parameter', name, sent, wanted);
    }),
    ...Object.entries(header).map(([name, wanted]) =>
      off('header', name, readingOf(request, { header: name }), wanted),
    ),
    off('piece', 'piece', piece && changedPiece(request, events), piece),
  ].flatMap(each => each ?? []);
}

/** An earlier sign-in sent this value. The requests since the code before belong to the same sign-in. */
function wasSent(name: string, value: string, request: SandboxEvent, events: readonly SandboxEvent[]): boolean {
  const code = events.findLast(
    ({ id, type, requestId }) => type === 'code.issued' && id < request.id && requestId !== request.requestId,
  );
  if (code === undefined) return false;
  const earlier = events.filter(({ id, requestId }) => id < code.id || requestId === code.requestId);
  return earlier.some(each => readingOf(each, { parameter: name }) === value);
}

/** Names of the parameters in the query and the form. */
function namesIn({ exchange }: EventOf<'request.completed'>): readonly string[] {
  const [, query = ''] = exchange.url.split('?', 2);
  return [...new Set([...new URLSearchParams(query).keys(), ...formIn(exchange).keys()])];
}

function isRequest(event: SandboxEvent): event is EventOf<'request.completed'> {
  return event.type === 'request.completed';
}

const pieces = ['header', 'claims', 'signature'] as const;

/**
 * The pieces in which the token of a request differs from the issued one that it was made from, in their order: `signature`, or
 * `header, signature`. Undefined for a token that no piece is left of.
 */
function changedPiece({ exchange }: EventOf<'request.completed'>, events: readonly SandboxEvent[]): string | undefined {
  const sent = headerOf(exchange.requestHeaders, 'Authorization')?.split(' ')[1]?.split('.') ?? [];
  const changes = events.flatMap(event => {
    if (event.type !== 'token.issued') return [];
    const issued = event.token.split('.');
    return [pieces.filter((_, index) => issued[index] !== sent[index])];
  });
  const [least] = changes.toSorted((a, b) => a.length - b.length);
  return least === undefined || least.length === pieces.length ? undefined : least.join(', ');
}
