import type { IncomingMessage } from 'node:http';
import { invalidRequest } from '../oauth/errors.ts';

/**
 * The `Authorization` header of a request. Node keeps the first of several and drops the others, and each could be the one that
 * was meant (RFC 9110 §5.3).
 * @throws invalid_request
 */
export function onlyAuthorization({ headersDistinct }: IncomingMessage): string | undefined {
  const [header, ...others] = headersDistinct.authorization ?? [];
  if (others.length === 0) return header;
  const description = `there are ${others.length + 1} Authorization headers, and only one can be meant`;
  throw invalidRequest('authentication_methods_combined', description, {
    sent: `${others.length + 1} Authorization headers`,
    expected: 'one Authorization header',
  });
}
