import type { IssuedEvent } from '../../events/event-log.ts';
import { parseScope } from '../../oauth/scope.ts';
import type { DashboardOptions, SampleCollection } from '../dashboard-options.ts';

/** A request that shows what an access token is good for. */
export interface TokenCall {
  readonly what: 'api' | 'userinfo';
  readonly method: 'GET' | 'POST';
  /** With the path of the issuer. */
  readonly path: string;
  /** JSON; absent for GET. */
  readonly body?: string;
  /** Completes "it …": `reads products`. */
  readonly words: string;
}

/**
 * What to call with an access token: a collection its scope opens, for reading where it can; UserInfo where only that will
 * answer; otherwise a collection that refuses it, which shows something, too.
 */
export function tokenCall(event: IssuedEvent, options: DashboardOptions): TokenCall | undefined {
  return apiCall(event, options) ?? userInfoCall(event, options) ?? refusedCall(options);
}

/** The sample API, where the scope opens a collection. */
export function apiCall(event: IssuedEvent, { base, collections }: DashboardOptions): TokenCall | undefined {
  const opened = openedBy(event.scope, collections);
  if (opened === undefined) return undefined;
  const { collection, method } = opened;
  if (method === 'GET') return reading(base, collection, `reads ${collection.name}`);
  const body = JSON.stringify(example(collection));
  return { what: 'api', method, path: pathOf(base, collection), body, words: `writes to ${collection.name}` };
}

/** The first collection that a scope opens for reading, or else for writing, with the scope that does. */
export function openedBy(scope: string | undefined, collections: readonly SampleCollection[]) {
  const scopes = parseScope(scope);
  for (const [kind, method] of [
    ['readScope', 'GET'],
    ['writeScope', 'POST'],
  ] as const) {
    for (const collection of collections) {
      const needed = collection[kind];
      if (needed !== undefined && scopes.includes(needed)) return { collection, scope: needed, method };
    }
  }
  return undefined;
}

/** Where `openid` was granted. */
export function userInfoCall(event: IssuedEvent, { endpoints }: DashboardOptions): TokenCall | undefined {
  const userinfo = endpoints.find(({ name }) => name === 'userinfo');
  if (userinfo === undefined || !parseScope(event.scope).includes('openid')) return undefined;
  return { what: 'userinfo', method: 'GET', path: userinfo.path, words: 'asks who the user is' };
}

/** Any collection: without its scope it answers 403, and says why. */
export function refusedCall({ base, collections }: DashboardOptions): TokenCall | undefined {
  const [any] = collections;
  return any && reading(base, any, `is refused by ${any.name}: the scope is missing`);
}

function reading(base: string, collection: SampleCollection, words: string): TokenCall {
  return { what: 'api', method: 'GET', path: pathOf(base, collection), words };
}

function pathOf(base: string, { name }: SampleCollection): string {
  return `${base}/api/${encodeURIComponent(name)}`;
}

/** The collection a call of the sample API is for. */
export function collectionOf({ base, collections }: DashboardOptions, { path }: TokenCall): string {
  return collections.find(each => pathOf(base, each) === path)?.name ?? '';
}

/** A body the collection takes: its first row, or a value for each field that must be there. */
export function example({ fields, seed }: SampleCollection): Record<string, unknown> {
  const row =
    seed?.[0] ?? Object.fromEntries(required(fields).map(([name, { type }]) => [name, exampleOf(name, type)]));
  const { id: _, ...values } = row;
  return values;
}

/** All of them where none must be there: an empty body would show nothing. */
function required(fields: SampleCollection['fields']) {
  const all = Object.entries(fields);
  const needed = all.filter(([, field]) => field.required);
  return needed.length > 0 ? needed : all;
}

function exampleOf(name: string, type: SampleCollection['fields'][string]['type']): string | number | boolean {
  if (type === 'boolean') return true;
  return type === 'string' ? name : 1;
}
