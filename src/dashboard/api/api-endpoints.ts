import { duration } from '../../text/duration.ts';
import type { DashboardOptions, SampleCollection } from '../dashboard-options.ts';
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
  const one = `${pathOf(base, name)}/{id}`;
  return [
    { ...shared, id: `${name}-create`, method: 'POST', path: pathOf(base, name), ...adding(name), body },
    {
      ...shared,
      id: `${name}-replace`,
      method: 'PUT',
      path: one,
      words: `replaces one row of ${name}`,
      takesId: true,
      body,
    },
    {
      ...shared,
      id: `${name}-delete`,
      method: 'DELETE',
      path: one,
      words: `deletes one row of ${name}`,
      takesId: true,
      body: '',
    },
  ];
}

function adding(name: string) {
  return { words: `adds a row to ${name}`, takesId: false };
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
