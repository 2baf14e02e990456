import type { IssuedEvent } from '../events/event-log.ts';
import type { Filter, Term } from './filter.ts';
import { decodeJwt, isObject, readableToken } from './jwt.ts';
import { type TokenStatus, tokenTypeOf } from './token-status.ts';

type StatusOf = (event: IssuedEvent) => TokenStatus;

/** Whether a token is what the filter asks for. Claims are decoded only when the cheaper terms have agreed. */
export function createMatcher(filter: Filter, statusOf: StatusOf): (event: IssuedEvent) => boolean {
  const terms = filter.terms.toSorted((a, b) => cost(a) - cost(b));
  return event => {
    let claims: Readonly<Record<string, unknown>> | undefined;
    const claimsOf = () => (claims ??= decodeJwt(readableToken(event))?.claims ?? {});
    return terms.every(term => holds(term, event, statusOf, claimsOf) !== term.negated);
  };
}

function cost(term: Term): number {
  return term.field === 'claim' || term.field === 'aud' ? 1 : 0;
}

function holds(term: Term, event: IssuedEvent, statusOf: StatusOf, claimsOf: () => Record<string, unknown>): boolean {
  switch (term.field) {
    case 'word':
      return event.token.toLowerCase() === term.value || haystack(event, statusOf(event)).includes(term.value);
    case 'claim':
      return someEqual(valuesAt(claimsOf(), term.path), term.value);
    case 'aud':
      return someEqual(valuesAt(claimsOf(), ['aud']), term.value);
    case 'status':
      return someEqual([statusOf(event)], term.value);
    default:
      return someEqual(fieldValues(event, term.field), term.value);
  }
}

function fieldValues(event: IssuedEvent, field: 'type' | 'user' | 'client' | 'scope' | 'kid' | 'alg'): unknown[] {
  if (field === 'type') return [tokenTypeOf(event)];
  if (field === 'user') return [event.sub];
  if (field === 'client') return [event.client_id];
  if (field === 'scope') return event.scope?.split(' ') ?? [];
  return event.type === 'code.issued' ? [] : [event[field]];
}

/** Where a free word is looked for. */
function haystack(event: IssuedEvent, status: TokenStatus): string {
  const grant = event.type === 'token.issued' ? event.grant_type : '';
  const texts = [
    event.tokenId,
    tokenTypeOf(event),
    event.sub,
    event.client_id,
    event.scope,
    status,
    event.requestId,
    grant,
  ];
  return texts
    .filter(text => text !== undefined)
    .join('\n')
    .toLowerCase();
}

/** The values at a path; an array stands for each of its elements. */
function valuesAt(value: unknown, path: readonly string[]): unknown[] {
  if (Array.isArray(value)) return value.flatMap(element => valuesAt(element, path));
  const [name, ...rest] = path;
  if (name === undefined) return [value];
  // A claim may have dots in its own name, as a URL has.
  const whole = path.join('.');
  if (isObject(value) && rest.length > 0 && Object.hasOwn(value, whole)) return valuesAt(value[whole], []);
  return isObject(value) && Object.hasOwn(value, name) ? valuesAt(value[name], rest) : [];
}

function someEqual(values: readonly unknown[], wanted: string): boolean {
  const texts = values.filter(value => value !== undefined).map(value => text(value).toLowerCase());
  if (wanted === '') return texts.length > 0;
  if (wanted.endsWith('*')) return texts.some(value => value.startsWith(wanted.slice(0, -1)));
  return texts.includes(wanted);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
