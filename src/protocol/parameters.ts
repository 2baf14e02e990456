import { invalidRequest, type OAuthError } from './errors.ts';

/** Form or query parameters as they were sent, with the names that came twice or were unreadable. */
export interface RequestParameters {
  /** Value by name; the first value if a name came twice. */
  readonly values: ReadonlyMap<string, string>;
  readonly repeated: ReadonlySet<string>;
  /** Names with broken percent-encoding, NUL or other control characters. */
  readonly malformed: ReadonlySet<string>;
  /** `resource` may be repeated (RFC 8707 §2). */
  readonly resources: readonly string[];
  /** Values of `audience` (RFC 8693 §2.1), which only a token exchange reads. */
  readonly audiences?: readonly string[];
  /** Names in the query of a POST, whose parameters are in the body. */
  readonly inQuery?: ReadonlySet<string>;
}

/** Parameters by which a client says who it is, and proves it (RFC 6749 §2.3.1, RFC 7521 §4.2). */
export const clientParameters = ['client_id', 'client_secret', 'client_assertion', 'client_assertion_type'] as const;

const mostParameters = 100;
/** Characters that no value may contain. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
export const controlCharacters = /[\x00-\x1f\x7f]/;

/**
 * Parses `application/x-www-form-urlencoded` (RFC 6749 Appendix B). Throws nothing for a bad value, because who may be
 * told of it is known only later.
 * @throws invalid_request for more parameters than any request has
 */
export function parseParameters(encoded: string): RequestParameters {
  const values = new Map<string, string>();
  const repeated = new Set<string>();
  const malformed = new Set<string>();
  const lists: Lists = { resource: [], audience: [] };
  const pairs = encoded === '' ? [] : encoded.split('&', mostParameters + 1);
  if (pairs.length > mostParameters) {
    throw invalidRequest('parameters_too_many', `more than ${mostParameters} parameters`);
  }
  for (const pair of pairs) {
    const { name, value } = readPair(pair);
    const list = listOf(lists, name);
    if (value === undefined || controlCharacters.test(value)) malformed.add(name);
    else if (value !== '') list?.push(value);
    if (list === undefined && values.has(name)) repeated.add(name);
    else values.set(name, value ?? '');
  }
  values.delete(''); // a stray & makes an empty name
  return { values, repeated, malformed, resources: lists.resource, audiences: lists.audience };
}

type Lists = Readonly<Record<'resource' | 'audience', string[]>>;

function listOf(lists: Lists, name: string): string[] | undefined {
  return name === 'resource' || name === 'audience' ? lists[name] : undefined;
}

/** Replaces an unreadable parameter name by a printable placeholder for error messages. */
function readPair(pair: string): { name: string; value: string | undefined } {
  const equals = pair.indexOf('=');
  const name = decode(equals === -1 ? pair : pair.slice(0, equals));
  if (name === undefined || controlCharacters.test(name)) return { name: 'a parameter name', value: undefined };
  return { name, value: equals === -1 ? '' : decode(pair.slice(equals + 1)) };
}

function decode(text: string): string | undefined {
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/**
 * The value of a parameter; an empty one counts as absent (RFC 6749 §3.1).
 * @throws invalid_request if it came twice or is unreadable
 */
export function parameter(parameters: RequestParameters, name: string): string | undefined {
  if (parameters.repeated.has(name)) throw repeatedParameter(name);
  if (parameters.malformed.has(name)) throw malformedParameter(parameters, name);
  const value = parameters.values.get(name);
  return value === '' ? undefined : value;
}

/** @throws invalid_request if it is absent */
export function requiredParameter(parameters: RequestParameters, name: string): string {
  const value = parameter(parameters, name);
  if (value !== undefined) return value;
  const place = parameters.inQuery?.has(name) ? ': it is in the query, and a POST sends it in the body' : '';
  throw invalidRequest('parameter_missing', `${name} is missing${place}`, { expected: name });
}

/** The value for an answer that must not fail: undefined if the parameter came twice or is unreadable. */
export function lenientParameter(parameters: RequestParameters, name: string): string | undefined {
  if (parameters.repeated.has(name) || parameters.malformed.has(name)) return undefined;
  return parameters.values.get(name) || undefined;
}

/** @throws invalid_request for any parameter that came twice or is unreadable (RFC 6749 §3.1, §3.2) */
export function rejectUnreadable(parameters: RequestParameters): void {
  for (const name of parameters.repeated) if (name !== '') throw repeatedParameter(name);
  for (const name of parameters.malformed) throw malformedParameter(parameters, name);
}

/** Names of unknown parameters. They are ignored (RFC 6749 §3.1) and listed in the event. */
export function unknownParameters({ values }: RequestParameters, known: ReadonlySet<string>): string[] {
  return [...values.keys()].filter(name => !known.has(name)).map(name => shorten(name));
}

/** Completes a sentence about a value that a program read from a file or a variable. */
export const endsInLineBreak = 'ends in a line break: look for a file or variable that ends in one';

function repeatedParameter(name: string): OAuthError {
  return invalidRequest('parameter_repeated', `${shorten(name)} is included more than once`, { sent: shorten(name) });
}

function malformedParameter({ values }: RequestParameters, name: string): OAuthError {
  const value = values.get(name) ?? '';
  const why = value === '' ? 'is not readable: broken percent-encoding' : 'is not readable: it has a control character';
  const isLineBreak = value.trim() !== '' && /[\r\n]+$/.test(value) && !controlCharacters.test(value.trim());
  const description = `${shorten(name)} ${isLineBreak ? endsInLineBreak : why}`;
  return invalidRequest('parameter_malformed', description, { sent: shorten(name) });
}

/** Shows text as it is, and of lists and objects only the type, because they may contain anything. */
export function describeValue(value: unknown, length?: number): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  return shorten(String(value), length);
}

/** A description with both values, for readers who see only the response; of several the first. Never for secrets. */
export function withValues(description: string, sent: string, expected: string): string {
  const [first = '', ...more] = expected.split('\n');
  const choice = more.length === 0 ? '' : `one of ${more.length + 1} values, such as `;
  return `${description}: got ${inDescription(sent)}, expected ${choice}${inDescription(first)}`;
}

/** Prepares a sent value for a description, because careless applications put descriptions into their pages unescaped. */
export function inDescription(value: string): string {
  return shorten(value, 120).replace(/[<>]/g, '?');
}

/** Shortens a value that an answer or an event repeats. */
export function shorten(text: string, length = 200): string {
  return text.length > length ? `${text.slice(0, length)}... (${text.length} characters)` : text;
}
