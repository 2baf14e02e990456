import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GenericSchema, InferOutput } from 'valibot';
import type { Answer } from '../../../server/http/answer.ts';
import type { Controlled } from './controlled.ts';

/** One operation of the control API under `/_sandbox`: a row of the API, of its OpenAPI document and of its tests. */
export interface Operation<Running = unknown> {
  /** `operationId`: `createClient`. */
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Under `/_sandbox`, with names in braces: `/clients/{client_id}`. */
  readonly path: string;
  /** One line. */
  readonly summary: string;
  /** Members of the query; each is text. */
  readonly query?: GenericSchema;
  /** The JSON body. One that is left out reads as `{}`. */
  readonly body?: GenericSchema;
  /** Answers by status: in words, and as a schema where there is a body. */
  readonly answers: Readonly<Record<number, AnswerDescription>>;
  /** The schema of the body is only for the document: `run` checks the body itself. */
  readonly checksBody?: true;
  /** The largest body in bytes, with any number of values; absent: 1 MiB and 5000 values. */
  readonly mostBytes?: number;
  /**
   * Reads what is there and then changes it, so it runs in a turn of all replicas: after its body was read, because one that comes
   * slowly would keep the turn. `makes room`: it forgets more than it writes, and a full store takes it.
   */
  readonly changes?: true | 'makes room';
  /** Waits or streams: there are only so many at a time. */
  readonly isLong?: true;
  /** Answers even where `CONTROL_TOKEN` asks for a token. */
  readonly isOpen?: true;
  /** `running` is what the extension has made whose operation it is. */
  run(input: OperationInput, controlled: Controlled, running: Running): Promise<OperationAnswer>;
}

export interface AnswerDescription {
  readonly description: string;
  /** Schema of a JSON body. */
  readonly schema?: GenericSchema;
  /** Media type of any other body: `text/event-stream`. */
  readonly type?: string;
}

/** An answer, or a function that streams one; the stream is over when its promise resolves. */
export type OperationAnswer = Answer | { readonly stream: (res: ServerResponse) => Promise<void> };

/** Checked input of an operation. */
export interface OperationInput<Query = unknown, Body = unknown> {
  /** Values of the path parameters in braces; always present. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  readonly req: IncomingMessage;
  /** Aborts when the caller hangs up or the sandbox stops, so that waiting operations end. */
  readonly signal: AbortSignal;
}

/**
 * An operation whose `run` is given what its schemas let through. Objects are strict, so that a slip of the pen is found:
 * `v.strictObject`, or `entry` of `config/schema.ts`.
 */
export function operation<
  const Q extends GenericSchema = GenericSchema,
  const B extends GenericSchema = GenericSchema,
  Running = unknown,
>(
  described: Omit<Operation, 'run' | 'query' | 'body'> & {
    readonly query?: Q;
    readonly body?: B;
    run(
      input: OperationInput<InferOutput<Q>, InferOutput<B>>,
      controlled: Controlled,
      running: Running,
    ): Promise<OperationAnswer>;
  },
): Operation<Running> {
  return described as unknown as Operation<Running>;
}
