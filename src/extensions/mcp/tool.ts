import type { GenericSchema, InferOutput } from 'valibot';
import * as v from 'valibot';
import { isRecord } from '../../base/text/record.ts';
import { described, optional } from '../../sandbox/control/described.ts';
import type { SandboxCalls } from './sandbox-calls.ts';

/** `reads` changes nothing. `adds` creates something new. `replaces` may change or end what exists. */
export type ToolEffect = 'reads' | 'adds' | 'replaces';

/** A tool for agents: one row of the table. */
export interface Tool {
  readonly name: string;
  /** For people, in sentence case. */
  readonly title: string;
  /** Sentences for the agent: the purpose, and when to use the tool. */
  readonly description: string;
  readonly effect: ToolEffect;
  /** True if a second call with the same input changes nothing more. */
  readonly isRepeatable: boolean;
  /** A strict object. */
  readonly input: GenericSchema;
  readonly output: GenericSchema;
  /** @throws Error with a sentence for the agent */
  run(input: unknown, sandbox: SandboxCalls): Promise<unknown>;
}

/** A tool whose `run` receives what its schema lets through. */
export function tool<const I extends GenericSchema>(
  row: Omit<Tool, 'input' | 'run' | 'isRepeatable'> & {
    readonly isRepeatable?: boolean;
    readonly input: I;
    run(input: InferOutput<I>, sandbox: SandboxCalls): Promise<unknown>;
  },
): Tool {
  return { isRepeatable: row.effect === 'reads', ...row } as Tool; // the server checks the input before `run`
}

export { text } from '../../sandbox/control/described.ts';

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
