import type { IncomingMessage } from 'node:http';
import type { GenericSchema, InferOutput } from 'valibot';
import type { Answer } from '../../http/answer.ts';
import type { Controlled } from './controlled.ts';

/** What somebody may ask of the sandbox under `/_sandbox`: one row of the API, of its document and of its tests. */
export interface Operation {
  /** `operationId`: `createClient`. */
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Under `/_sandbox`, with names in braces: `/clients/{client_id}`. */
  readonly path: string;
  /** One line. */
  readonly summary: string;
  /** Members of the query; each is text. */
  readonly query?: GenericSchema;
  /** The JSON body. */
  readonly body?: GenericSchema;
  /** What it answers, by status: in words, and as a schema where there is a body. */
  readonly answers: Readonly<Record<number, { readonly description: string; readonly schema?: GenericSchema }>>;
  run(input: OperationInput, controlled: Controlled): Promise<Answer>;
}

/** What was sent, checked. */
export interface OperationInput<Query = unknown, Body = unknown> {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  readonly req: IncomingMessage;
}

/** An operation whose `run` is given what its schemas let through. */
export function operation<const Q extends GenericSchema = GenericSchema, const B extends GenericSchema = GenericSchema>(
  described: Omit<Operation, 'run' | 'query' | 'body'> & {
    readonly query?: Q;
    readonly body?: B;
    run(input: OperationInput<InferOutput<Q>, InferOutput<B>>, controlled: Controlled): Promise<Answer>;
  },
): Operation {
  return described as unknown as Operation;
}
