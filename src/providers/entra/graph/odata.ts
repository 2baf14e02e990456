import { inputInvalid } from '../../management/refusals.ts';
import { addressOf } from '../places.ts';
import type { GraphInput } from './access.ts';
import type { DirectoryObject } from './directory.ts';

const usualPage = 100;
const longestPage = 999;

/** One object, with the members that `$select` names. */
export function selected(input: GraphInput, of: string, object: DirectoryObject): object {
  return { '@odata.context': contextOf(input, of), ...picked(object, option(input, 'select')) };
}

/** A page of a list: `$filter`, `$select`, `$top`, `$count` and, for the next page, `$skiptoken`. */
export function listed(input: GraphInput, of: string, all: readonly DirectoryObject[]): object {
  const kept = all.filter(filterOf(option(input, 'filter')));
  const from = whole(input, 'skiptoken', { usual: 0, least: 0, most: Number.MAX_SAFE_INTEGER });
  const top = whole(input, 'top', { usual: usualPage, least: 1, most: longestPage });
  const end = from + top;
  const select = option(input, 'select');
  return {
    '@odata.context': contextOf(input, of),
    ...(option(input, 'count') === 'true' && { '@odata.count': kept.length }),
    ...(end < kept.length && { '@odata.nextLink': nextLink(input, end) }),
    value: kept.slice(from, end).map(each => picked(each, select)),
  };
}

function contextOf({ server }: GraphInput, of: string): string {
  return `${addressOf(server)}/v1.0/$metadata#${of}`;
}

function nextLink({ at, request }: GraphInput, skiptoken: number): string {
  const others = [...request.parameters.values].filter(([name]) => name !== '$skiptoken');
  return `${at}?${new URLSearchParams([...others, ['$skiptoken', String(skiptoken)]])}`;
}

function option({ request }: GraphInput, name: string): string | undefined {
  return request.parameters.values.get(`$${name}`);
}

interface Range {
  readonly usual: number;
  readonly least: number;
  readonly most: number;
}

function whole(input: GraphInput, name: string, { usual, least, most }: Range): number {
  const text = option(input, name);
  if (text === undefined) return usual;
  if (/^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
  throw inputInvalid(`Invalid value '${text.slice(0, 50)}' for $${name} query option found.`);
}

function picked(object: DirectoryObject, select: string | undefined): object {
  if (select === undefined) return object;
  const names = new Set(['@odata.type', ...select.split(',').map(name => name.trim())]);
  return Object.fromEntries(Object.entries(object).filter(([name]) => names.has(name)));
}

type Test = (object: DirectoryObject) => boolean;

/** `mail eq 'a@b.c' and startswith(displayName,'A')`: nothing else is understood, and the rest is refused. */
function filterOf(filter: string | undefined): Test {
  if (filter === undefined) return () => true;
  const tests = termsOf(filter).map(testOf);
  return object => tests.every(isMet => isMet(object));
}

/** The terms between the words `and`. One in quotes, as in `'Sales and Marketing'`, is text. */
function termsOf(filter: string): readonly string[] {
  const pieces = filter.split(/('(?:[^']|'')*')/); // each other piece is in quotes
  const marked = pieces.map((piece, index) => (index % 2 === 0 ? piece.replace(/\s+and\s+/gi, '\0') : piece));
  return marked.join('').split('\0');
}

const equality = /^\s*(\w{1,60})\s+eq\s+(?:'((?:[^']|'')*)'|(true|false|null))\s*$/;
const beginning = /^\s*startswith\(\s*(\w{1,60})\s*,\s*'((?:[^']|'')*)'\s*\)\s*$/i;

function testOf(term: string): Test {
  const [, name, text, word] = equality.exec(term) ?? [];
  if (name !== undefined) {
    const wanted: unknown = word === undefined ? unquoted(text).toLowerCase() : JSON.parse(word);
    return object => lower(memberOf(object, name)) === wanted;
  }
  const [, start, prefix] = beginning.exec(term) ?? [];
  if (start === undefined)
    throw inputInvalid(`Invalid filter clause: '${term.slice(0, 100)}'. Use eq, startswith and and.`);
  const wanted = unquoted(prefix).toLowerCase();
  return object => String(lower(memberOf(object, start)) ?? '').startsWith(wanted);
}

function memberOf(object: DirectoryObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Graph compares without regard to case. */
function lower(value: unknown): unknown {
  return typeof value === 'string' ? value.toLowerCase() : value;
}

function unquoted(text = ''): string {
  return text.replaceAll("''", "'");
}
