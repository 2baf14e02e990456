import type { IssuedEvent } from '../../base/events/event-log.ts';
import { parseScope } from '../../protocol/scope.ts';
import type { DashboardOptions, SampleCollection } from '../../sandbox/dashboard.ts';

/** A request that uses an access token. */
export interface TokenCall {
  readonly what: 'api' | 'userinfo';
  readonly method: 'GET' | 'POST';
  /** Includes the path of the issuer. */
  readonly path: string;
  /** JSON; absent for GET. */
  readonly body?: string;
  /** Completes "This request …": `reads products`. */
  readonly words: string;
}

/**
 * Chooses a request for an access token: a collection that its scope opens, reading first; otherwise UserInfo; otherwise a
 * collection that refuses it, which shows the error.
 */
export function tokenCall(event: IssuedEvent, options: DashboardOptions): TokenCall | undefined {
  return apiCall(event, options) ?? userInfoCall(event, options) ?? refusedCall(options);
}

/** A call of the sample API; undefined if the scope opens no collection. */
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

/** A call of UserInfo; undefined if the token does not have the scope `openid`. */
export function userInfoCall(event: IssuedEvent, { endpoints }: DashboardOptions): TokenCall | undefined {
  const userinfo = endpoints.find(({ name }) => name === 'userinfo');
  if (userinfo === undefined || !parseScope(event.scope).includes('openid')) return undefined;
  return { what: 'userinfo', method: 'GET', path: userinfo.path, words: 'requests the claims of the user' };
}

/** A call of the first collection, which answers 403 with the reason; undefined if there is no collection. */
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

/** A valid body for the collection: its first row, or a value for each required field. */
export function example({ fields, seed }: SampleCollection): Record<string, unknown> {
  const row =
    seed?.[0] ?? Object.fromEntries(required(fields).map(([name, { type }]) => [name, exampleOf(name, type)]));
  const { id: _, ...values } = row;
  return values;
}

/** The required fields, or all fields if none is required, because an empty body would show nothing. */
function required(fields: SampleCollection['fields']) {
  const all = Object.entries(fields);
  const needed = all.filter(([, field]) => field.required);
  return needed.length > 0 ? needed : all;
}

function exampleOf(name: string, type: SampleCollection['fields'][string]['type']): string | number | boolean {
  if (type === 'boolean') return true;
  return type === 'string' ? name : 1;
}
