import type { AuthorizationServer } from '../authorization-server.ts';
import type { ResponseType } from '../clients/client.ts';
import type { MessageMode } from './posted-response.ts';

const plainModes = ['query', 'fragment', 'form_post'] as const;
const signedModes = ['query.jwt', 'fragment.jwt', 'form_post.jwt'] as const;

/** Form Post Response Mode, OAuth 2.0 Multiple Response Types §2.1; signed ones by JARM §2.3. */
export type ResponseMode = (typeof plainModes)[number] | (typeof signedModes)[number] | MessageMode;

type ModeOffer = Pick<AuthorizationServer, 'features' | 'dialect'>;

/** Values of `response_mode` that a request may have; `jwt` means the signed form of the default (JARM §2.3.4). */
export function responseModesSupported({ features, dialect }: ModeOffer): readonly (ResponseMode | 'jwt')[] {
  const usual = features.has('jarm') ? [...plainModes, 'jwt' as const, ...signedModes] : plainModes;
  return dialect === undefined ? usual : [...usual, ...dialect.messageModes];
}

/** The mode of a request without `response_mode`: tokens never go into a query (OAuth 2.0 Multiple Response Types §5). */
export function defaultMode(type: ResponseType | undefined): 'query' | 'fragment' {
  return type === undefined || type === 'code' ? 'query' : 'fragment';
}

/** The requested mode; undefined if it is not supported, or not for this response type. */
export function findMode(
  server: ModeOffer,
  asked: string | undefined,
  type: ResponseType | undefined,
): ResponseMode | undefined {
  const usual = defaultMode(type);
  if (asked === undefined) return usual;
  const found = responseModesSupported(server).find(each => each === asked);
  const mode = found === 'jwt' ? (`${usual}.jwt` as const) : found;
  return usual === 'fragment' && mode?.startsWith('query') ? undefined : mode;
}

/** True if the parameters travel in one signed JWT (JARM §2.3). */
export function isSigned(mode: ResponseMode): boolean {
  return mode.endsWith('.jwt');
}
