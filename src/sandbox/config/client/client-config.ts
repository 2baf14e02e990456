import type { Duration } from '../../../base/text/duration.ts';
import type { ClientFormats, ClientMetadata, TokenEndpointAuthMethod } from '../../../protocol/clients/client.ts';
import type { JsonObject } from '../json.ts';
import type { signingAlgs } from '../settings/signing-algs.ts';

/** The asymmetric JWS algorithms (RFC 7518 §3.1, RFC 8037, RFC 9864). */
export type SigningAlg = (typeof signingAlgs)[number];

export const grantTypes = [
  'authorization_code',
  'client_credentials',
  'refresh_token',
  'urn:ietf:params:oauth:grant-type:device_code',
  'urn:ietf:params:oauth:grant-type:token-exchange',
  'urn:ietf:params:oauth:grant-type:jwt-bearer',
  'urn:openid:params:grant-type:ciba',
  'password',
  'implicit',
] as const;

/** A client's grant types, by their wire names. */
export type GrantType = (typeof grantTypes)[number];

/** Client authentication method at the token endpoint. */
export type AuthMethod = TokenEndpointAuthMethod;

/** The values of an entry, by the formats of `clientMembers`. */
interface EntryFormats
  extends Omit<ClientFormats, 'audience' | 'grantTypes' | 'idTokenAlg' | 'json' | 'lifetime' | 'signingAlg'> {
  readonly audience: string | readonly string[];
  readonly grantTypes: readonly GrantType[];
  readonly idTokenAlg: SigningAlg | 'HS256' | 'HS384' | 'HS512';
  readonly json: JsonObject;
  readonly lifetime: Duration;
  readonly signingAlg: SigningAlg;
}

/** A client in the names of RFC 7591 §2 and its relatives, and our own extensions. */
export interface ClientEntry extends ClientMetadata<EntryFormats> {
  readonly client_id: string;
}
