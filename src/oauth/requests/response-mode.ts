import type { AuthorizationServer } from '../authorization-server.ts';
import type { ResponseType } from '../clients/client.ts';

const plainModes = ['query', 'fragment', 'form_post'] as const;
const signedModes = ['query.jwt', 'fragment.jwt', 'form_post.jwt'] as const;

/**
 * Transport of an authorization response (OAuth 2.0 Multiple Response Types §2.1, Form Post Response Mode), signed or
 * not (JARM §2.3).
 */
export type ResponseMode = (typeof plainModes)[number] | (typeof signedModes)[number];

/** Values of `response_mode` that a request may have; `jwt` means the signed form of the default (JARM §2.3.4). */
export function responseModesSupported({ features }: Pick<AuthorizationServer, 'features'>): readonly string[] {
  return features.has('jarm') ? [...plainModes, 'jwt', ...signedModes] : plainModes;
}

/** The mode of a request without `response_mode`: tokens never go into a query (OAuth 2.0 Multiple Response Types §5). */
export function defaultMode(type: ResponseType | undefined): 'query' | 'fragment' {
  return type === undefined || type === 'code' ? 'query' : 'fragment';
}

/** The requested mode; undefined if it is not supported, or not for this response type. */
export function findMode(
  server: Pick<AuthorizationServer, 'features'>,
  asked: string | undefined,
  type: ResponseType | undefined,
): ResponseMode | undefined {
  const usual = defaultMode(type);
  if (asked === undefined) return usual;
  if (!responseModesSupported(server).includes(asked)) return undefined;
  const mode =
    asked === 'jwt' ? (`${usual}.jwt` as const) : [...plainModes, ...signedModes].find(each => each === asked);
  return usual === 'fragment' && mode?.startsWith('query') ? undefined : mode;
}

/** True if the parameters travel in one signed JWT (JARM §2.3). */
export function isSigned(mode: ResponseMode): boolean {
  return mode.endsWith('.jwt');
}
