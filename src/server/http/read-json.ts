import type { IncomingMessage } from 'node:http';
import { invalidRequest, OAuthError } from '../../protocol/errors.ts';
import { isDeeperThan } from '../../protocol/json-parameter.ts';
import { readBody } from './read-parameters.ts';

/** Levels of nesting. Client metadata needs some: it has a JWK Set, with a list of keys, and a key may have lists. */
const deepest = 20;

export interface JsonBodyOptions {
  /** Value for an empty body; absent: an empty body is refused. */
  readonly empty?: object;
  /** The content type; default: `application/json`. */
  readonly type?: string | undefined;
  /** Default: 64 KiB. */
  readonly mostBytes?: number;
  /** Reads the body of a DELETE, too. */
  readonly takesDelete?: true;
  /** Throws for a value that is too large to process. */
  readonly requireSmall?: (parsed: unknown) => void;
}

/**
 * The JSON body of a POST, PUT or PATCH; undefined for a method without a body. Drops members that would change a
 * prototype (`__proto__`).
 * @throws invalid_request with 415 for another content type, 413 for more than `mostBytes`, 400 for a body that is not
 * JSON or too deep
 */
export async function readJson(
  req: IncomingMessage,
  { empty, type = 'application/json', mostBytes, takesDelete, requireSmall }: JsonBodyOptions = {},
): Promise<unknown> {
  const { method = '' } = req;
  if (!['POST', 'PUT', 'PATCH'].includes(method) && !(takesDelete && method === 'DELETE')) return undefined;
  const text = await readBody(req, type, mostBytes);
  try {
    if (text === '' && empty !== undefined) return empty;
    const parsed: unknown = JSON.parse(text);
    requireSmall?.(parsed);
    if (isDeeperThan(parsed, deepest)) throw tooDeep();
    return JSON.parse(text, (name, value) => (name === '__proto__' ? undefined : value));
  } catch (cause) {
    if (cause instanceof OAuthError) throw cause;
    throw invalidRequest('body_malformed', 'the body is not JSON', { expected: 'a JSON object', cause });
  }
}

function tooDeep(): OAuthError {
  const expected = `at most ${deepest} levels of lists and objects`;
  return invalidRequest('body_malformed', 'the body is nested too deep', {
    sent: `more than ${deepest} levels`,
    expected,
  });
}
