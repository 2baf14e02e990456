import * as v from 'valibot';
import { isRecord } from '../../../base/text/record.ts';
import { described, optional } from '../../../sandbox/control/described.ts';

export { text } from '../../../sandbox/control/described.ts';

type Members = Readonly<Record<string, unknown>>;

/** The number of entries to return. */
export function count(most: number, usual = 20) {
  const schema = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(most));
  return optional(schema, `Most entries to return. Default: ${usual}`);
}

/** Members that the sandbox checks itself. */
export const members = v.record(v.string(), v.unknown());

/** A search for events, as in the dashboard. */
export const query = optional(
  v.string(),
  'A search as in the dashboard: `client:frontend status:4xx -code:pkce_mismatch age:<5m user:alice token:tok_… request:req_…`',
);

/** Unix seconds. */
export function moment(words: string) {
  return described(v.number(), `${words}, in Unix seconds`);
}

/** The list in an answer of the sandbox. */
export function listIn(content: unknown, name: string): readonly Members[] {
  const list = isRecord(content) ? content[name] : undefined;
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

/** The path of a control API call with its query; undefined values are left out. */
export function pathWith(path: string, values: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  const text = new URLSearchParams(given).toString();
  return text === '' ? path : `${path}?${text}`;
}

/** Nothing was found; the history is bounded. */
export function noneAbove(what: string): Error {
  return new Error(`the history has ${what}; it is kept in memory, and a restart or reset clears it`);
}
