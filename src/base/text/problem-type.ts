/**
 * The media type of problem details (RFC 9457) for a caller with this `Accept`: plain JSON if it accepts nothing else, because
 * its library refuses to read another type (RFC 9110 §12.5.1).
 */
export function problemType(accept = ''): string {
  const isJsonAlone = /application\/json/i.test(accept) && !/application\/(problem\+json|\*)|\*\/\*/i.test(accept);
  return isJsonAlone ? 'application/json' : 'application/problem+json';
}
