import { duration } from '../../base/text/duration.ts';
import type { DashboardOptions, SampleCollection } from '../../sandbox/dashboard.ts';
import { example } from '../tokens/token-call.ts';

/** An operation of the sample backend, and its requirements for a token. */
export type ApiEndpoint = ReturnType<typeof apiEndpoints>[number];

type Api = Pick<DashboardOptions, 'collections' | 'base'>;

/** All operations of all collections. */
export function apiEndpoints({ collections, base }: Api) {
  return collections.flatMap(collection => [...reading(collection, base), ...writing(collection, base)]);
}

function reading(collection: SampleCollection, base: string) {
  const { name, readScope, readAcrValues, readMaxAge } = collection;
  if (readScope === undefined) return [];
  const shared = { method: 'GET', scope: readScope, login: loginOf(readAcrValues, readMaxAge), body: '' } as const;
  return [
    { ...shared, id: `${name}-list`, path: pathOf(base, name), words: `reads all ${name}`, takesId: false },
    {
      ...shared,
      id: `${name}-read`,
      path: `${pathOf(base, name)}/{id}`,
      words: `reads one row of ${name}`,
      takesId: true,
    },
  ];
}

function writing(collection: SampleCollection, base: string) {
  const { name, writeScope, writeAcrValues, writeMaxAge } = collection;
  if (writeScope === undefined) return [];
  const shared = { scope: writeScope, login: loginOf(writeAcrValues, writeMaxAge) };
  const body = JSON.stringify(example(collection), undefined, 2);
  const path = pathOf(base, name);
  const one = { ...shared, path: `${path}/{id}`, takesId: true };
  return [
    { ...shared, id: `${name}-create`, method: 'POST', path, words: `adds a row to ${name}`, takesId: false, body },
    { ...one, id: `${name}-replace`, method: 'PUT', words: `replaces one row of ${name}`, body },
    { ...one, id: `${name}-delete`, method: 'DELETE', words: `deletes one row of ${name}`, body: '' },
  ];
}

function loginOf(acrValues: readonly string[] = [], maxAge: number | undefined): string {
  return [
    ...(acrValues.length === 0 ? [] : [`acr ${acrValues.join(' or ')}`]),
    ...(maxAge === undefined ? [] : [`at most ${duration(maxAge)} ago`]),
  ].join(', ');
}

function pathOf(base: string, name: string): string {
  return `${base}/api/${encodeURIComponent(name)}`;
}
