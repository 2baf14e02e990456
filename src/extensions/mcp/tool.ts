import type { GenericSchema, InferOutput } from 'valibot';
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
