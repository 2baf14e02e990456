import { decodeJwt } from '../../base/text/jwt.ts';

export type SampleMembers = Readonly<Record<string, unknown>>;

/** The kinds of tokens that are compared; `client_token` is the access token of a client that acts for itself. */
export const tokenKinds = ['access_token', 'id_token', 'refresh_token', 'client_token'] as const;

export type TokenKind = (typeof tokenKinds)[number];

/** One token, decoded and not checked. */
export interface TokenSample {
  /** Absent where only the claims are known. */
  readonly text?: string;
  readonly header?: SampleMembers;
  /** Absent for an opaque token. */
  readonly claims?: SampleMembers;
}

/** Samples of a server: of your tenant from files, of a sandbox by requests. */
export interface Samples {
  readonly metadata?: SampleMembers;
  readonly keys?: readonly SampleMembers[];
  readonly tokens: Readonly<Partial<Record<TokenKind, TokenSample>>>;
  /** The answer of the token endpoint. */
  readonly answer?: SampleMembers;
  readonly userinfo?: SampleMembers;
  /** The names of the parameters at the redirect URI. */
  readonly callback?: readonly string[];
}

/** A client as a recorded login shows it. */
export interface SampleClient {
  readonly client_id: string;
  readonly redirect_uris: readonly string[];
  readonly post_logout_redirect_uris: readonly string[];
  readonly grant_types: readonly string[];
  readonly scope: string;
  /** How it proved at the token endpoint who it is; `unknown` where its back end asked for the tokens. */
  readonly auth: 'basic' | 'post' | 'key' | 'none' | 'unknown';
  /** The origin of the page that called the token endpoint. */
  readonly origin?: string;
}

/** All that was read. */
export interface SampleReading {
  readonly samples: Samples;
  readonly clients: readonly SampleClient[];
  /** Secrets of the recorded login that nothing was made of, by their kind. */
  readonly secrets: Readonly<Record<string, number>>;
}

/** Decodes a token; an opaque one has its text alone. */
export function sampleOf(text: string): TokenSample {
  const jwt = decodeJwt(text);
  return { text, header: jwt?.header, claims: jwt?.claims };
}

/** The kind of a token by its own words, which each vendor chooses differently. `name` is that of a token response. */
export function kindOf(name: string, { header = {}, claims }: TokenSample): TokenKind | undefined {
  if (name === 'id_token' || name === 'refresh_token') return name;
  if (claims === undefined) return name === 'access_token' ? name : undefined;
  if (isOfClient(claims)) return 'client_token';
  if (name === 'access_token') return name;
  const said = [header.typ, claims.typ, claims.token_use].map(word => String(word).toLowerCase());
  if (said.some(word => ['refresh', 'offline'].includes(word))) return 'refresh_token';
  if (said.some(word => ['at+jwt', 'application/at+jwt', 'bearer', 'access'].includes(word))) return 'access_token';
  if (said.some(word => word === 'id') || 'nonce' in claims || 'at_hash' in claims) return 'id_token';
  return ['scope', 'scp', 'cid', 'client_id'].some(claim => claim in claims) ? 'access_token' : 'id_token';
}

/** Where a client acts for itself, a vendor says so, or the subject is the client. */
function isOfClient(claims: SampleMembers): boolean {
  const { sub, azp, client_id, cid, appid, gty, idtyp } = claims;
  if (gty === 'client-credentials' || idtyp === 'app') return true;
  if (typeof sub !== 'string') return false;
  const clients = [azp, client_id, cid, appid].filter(id => typeof id === 'string');
  const isService = String(claims.preferred_username ?? '').startsWith('service-account-');
  return isService || clients.some(id => sub === id || sub === `${String(id)}@clients`);
}
