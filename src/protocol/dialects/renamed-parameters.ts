import type { RequestParameters } from '../parameters.ts';

/** The parameters with other names. A parameter that was sent by its standard name stays as it is. */
export function renamed(sent: RequestParameters, names: Readonly<Record<string, string>>): RequestParameters {
  const found = Object.entries(names).filter(([theirs]) => sent.values.has(theirs));
  if (found.length === 0) return sent;
  const values = new Map(sent.values);
  for (const [theirs, ours] of found) {
    if (!values.has(ours)) values.set(ours, values.get(theirs) ?? '');
    values.delete(theirs);
  }
  const nameOf = (name: string) => found.find(([theirs]) => theirs === name)?.[1] ?? name;
  const isResource = nameOf('audience') === 'resource';
  return {
    ...sent,
    values,
    repeated: new Set([...sent.repeated].map(nameOf)),
    malformed: new Set([...sent.malformed].map(nameOf)),
    ...(isResource && { resources: [...sent.resources, ...(sent.audiences ?? [])], audiences: [] }),
  };
}
