import type { IncomingMessage } from 'node:http';
import type { EndpointRequest } from '../../protocol/endpoints/endpoint.ts';
import type { Answer } from '../../server/http/answer.ts';
import type { CallAt } from '../../server/http/path-table.ts';

/** One call of the management API of a provider: a row of its table. `Place` has all that its rows work on. */
export interface ManagementCall<Place> extends CallAt {
  /** One line for the documentation, such as `creates a user`. */
  readonly about: string;
  /** Rights of which the caller needs one; absent: the call needs no credential. */
  readonly needs?: readonly string[];
  /** Type of the body; default: JSON. */
  readonly form?: true;
  /** Bytes that the body may have; default: 64 KiB. */
  readonly mostBytes?: number;
  /** Without an answer, the call is answered as done. */
  run(call: CallInput, place: Place): Answer | void | Promise<Answer> | Promise<void>;
}

/** A call that was sent, by a caller who may send it. */
export interface CallInput {
  /** Values of the names in braces. */
  readonly names: Readonly<Record<string, string>>;
  /** Of a name that comes several times, the first value counts. */
  readonly query: URLSearchParams;
  /** JSON, or the `URLSearchParams` of a form; an empty body is `{}`. */
  readonly body: unknown;
  readonly request: EndpointRequest;
  readonly req: IncomingMessage;
  readonly caller: ManagementCaller;
}

/** The program or person behind a credential. */
export interface ManagementCaller {
  /** For texts, such as `admin`. */
  readonly name: string;
  has(right: string): boolean;
}

/** A row of a table. `what` is the method and the path: `GET /users/{user}`. */
export function call<Place>(
  what: string,
  about: string,
  needs: readonly string[] | undefined,
  run: ManagementCall<Place>['run'],
  rules: Pick<ManagementCall<Place>, 'form' | 'mostBytes'> = {},
): ManagementCall<Place> {
  const [method = '', path = ''] = what.split(' ');
  return { method, path, about, ...(needs && { needs }), ...rules, run };
}
