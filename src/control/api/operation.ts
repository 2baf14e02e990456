import type { IncomingMessage, ServerResponse } from 'node:http';
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
  /** The JSON body. One that is left out reads as `{}`. */
  readonly body?: GenericSchema;
  /** What it answers, by status: in words, and as a schema where there is a body. */
  readonly answers: Readonly<Record<number, AnswerDescription>>;
  /** The schema of the body is for the document: `run` checks it by rules of its own. */
  readonly checksBody?: true;
  /** Waits or streams: there are only so many at a time. */
  readonly isLong?: true;
  /** Answers even where `CONTROL_TOKEN` asks for a token. */
  readonly isOpen?: true;
  run(input: OperationInput, controlled: Controlled): Promise<OperationAnswer>;
}

export interface AnswerDescription {
  readonly description: string;
  /** Of a JSON body. */
  readonly schema?: GenericSchema;
  /** Of any other body: `text/event-stream`. */
  readonly type?: string;
}

/** An answer, or what writes one that goes on for a while, and is over when its promise is. */
export type OperationAnswer = Answer | { readonly stream: (res: ServerResponse) => Promise<void> };

/** What was sent, checked. */
export interface OperationInput<Query = unknown, Body = unknown> {
  /** Of the names in braces; always there. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  readonly req: IncomingMessage;
  /** The caller has hung up, or the sandbox stops: whoever waits for something ends. */
  readonly signal: AbortSignal;
}

/**
 * An operation whose `run` is given what its schemas let through. Objects are strict, so that a slip of the pen is found:
 * `v.strictObject`, or `entry` of `config/schema.ts`.
 */
export function operation<const Q extends GenericSchema = GenericSchema, const B extends GenericSchema = GenericSchema>(
  described: Omit<Operation, 'run' | 'query' | 'body'> & {
    readonly query?: Q;
    readonly body?: B;
    run(input: OperationInput<InferOutput<Q>, InferOutput<B>>, controlled: Controlled): Promise<OperationAnswer>;
  },
): Operation {
  return described as unknown as Operation;
}
