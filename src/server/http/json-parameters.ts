import type { IncomingMessage } from 'node:http';
import { isRecord } from '../../base/text/record.ts';
import { invalidRequest } from '../../protocol/errors.ts';
import { describeValue, parseParameters, type RequestParameters, shorten } from '../../protocol/parameters.ts';
import { readJson } from './read-json.ts';
import { readParameters } from './read-parameters.ts';

/**
 * The parameters of a form, or of a JSON object whose members are texts, numbers, true or false.
 * @throws invalid_request for other members
 */
export async function readJsonParameters(req: IncomingMessage): Promise<RequestParameters> {
  if (req.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() !== 'application/json')
    return readParameters(req);
  const body = await readJson(req);
  if (!isRecord(body)) throw malformed('the body', body, 'a JSON object');
  const pairs = Object.entries(body).flatMap(([name, value]) => (value === null ? [] : [[name, textOf(name, value)]]));
  return parseParameters(new URLSearchParams(pairs).toString());
}

/** Parameters whose value is JSON also in a form (RFC 9396 §2, OIDC Core §5.5; `user_metadata` of a sign-up). */
const jsonNames = ['authorization_details', 'claims', 'user_metadata'];

function textOf(name: string, value: unknown): string {
  if (['string', 'number', 'boolean'].includes(typeof value)) return String(value);
  if (jsonNames.includes(name)) return JSON.stringify(value);
  throw malformed(shorten(name, 60), value, 'text');
}

function malformed(member: string, value: unknown, expected: string) {
  return invalidRequest('body_malformed', `${member} must be ${expected}`, { sent: describeValue(value), expected });
}
