import { createHash, randomBytes } from 'node:crypto';
import type { JSONWebKeySet } from 'jose';
import {
  type AppAccount,
  AppRefusal,
  accountKey,
  accountOf,
  type Begun,
  begunLogin,
  checkClaims,
  checkIssuer,
  type IdTokenClaims,
  type Protections,
} from './checks.ts';
import { readIdToken } from './id-token.ts';
import { type AppState, type AppVisit, mostAccounts, mostBegun } from './visits.ts';

/** The app as a client of its provider. */
export interface AppClient {
  readonly client_id: string;
  /** Absent for a public client. */
  readonly client_secret?: string;
  readonly redirect_uri: string;
  readonly scope: string;
}

/** Sends a request of the app to its provider, over HTTP so that it is recorded like a request of any client. */
export type SendToProvider = (
  url: string,
  request?: { readonly headers: Readonly<Record<string, string>>; readonly body?: string },
) => Promise<{ readonly status: number; readonly body: string }>;

export interface SignInParts {
  readonly issuer: string;
  readonly client: AppClient;
  readonly state: AppState;
  readonly send: SendToProvider;
  /** Unix seconds. */
  readonly now: () => number;
  /** Called before a code is sent to the provider with this issuer. */
  readonly onCodeSent?: (issuer: string) => void;
}

/** The members of the metadata that the app needs (RFC 8414 §2). */
interface Metadata {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly jwks_uri: string;
  readonly userinfo_endpoint: string;
}

/** Makes the URL of a new authorization request, which the visit remembers (RFC 6749 §4.1.1, RFC 7636 §4.3). */
export async function beginSignIn({ issuer, client, state, send }: SignInParts, visit: AppVisit): Promise<string> {
  const { authorization_endpoint } = await checkedMetadata(issuer, send, state.protections);
  const [own, nonce, code_verifier] = [secret(), secret(), secret()];
  visit.begun = [...visit.begun, { state: own, nonce, code_verifier, issuer }].slice(-mostBegun);
  const challenge = createHash('sha256').update(code_verifier).digest('base64url');
  const parameters = new URLSearchParams({
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: client.redirect_uri,
    scope: client.scope,
    state: own,
    nonce,
    ...(state.protections.has('pkce') ? { code_challenge: challenge, code_challenge_method: 'S256' } : {}),
  });
  return `${authorization_endpoint}?${parameters}`;
}

function secret(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Signs in the user of an authorization response (RFC 6749 §4.1.2). The begun login is used up, even if this fails.
 * @throws AppRefusal
 */
export async function finishSignIn(parts: SignInParts, visit: AppVisit, answer: URLSearchParams) {
  const { client, state, send, now } = parts;
  const { protections: on } = state;
  const begun = begunLogin(visit.begun, answer.get('state') ?? undefined, on);
  visit.begun = visit.begun.filter(each => each !== begun);
  const issuer = begun?.issuer ?? parts.issuer;
  checkIssuer(answer.get('iss') ?? undefined, issuer, on);
  const metadata = await checkedMetadata(issuer, send, on);
  const code = codeOf(answer);
  parts.onCodeSent?.(issuer);
  const { id_token, access_token } = await redeem(parts, metadata, code, begun);
  const keys = (await jsonOf(send(metadata.jwks_uri))) as JSONWebKeySet; // our own server sends this type
  const claims = await readIdToken(id_token, keys, now(), on);
  checkClaims(claims, { issuer, client_id: client.client_id, nonce: begun?.nonce ?? '' }, on);
  const info = await userInfo(metadata, send, access_token, claims.sub);
  const claimed = accountOf({ ...info, iss: claims.iss, sub: claims.sub });
  return {
    claimed,
    // the account that the app opened
    account: openAccount(state, claimed),
    // the session at the provider
    ...(typeof claims.sid === 'string' ? { sid: claims.sid } : {}),
  };
}

/**
 * Fetches the metadata, and compares its issuer with the one that was asked (OIDC Discovery §4.3).
 * @throws AppRefusal
 */
async function checkedMetadata(issuer: string, send: SendToProvider, on: Protections): Promise<Metadata> {
  const metadata = await metadataOf(issuer, send);
  checkIssuer(metadata.issuer, issuer, on);
  return metadata;
}

export async function metadataOf(issuer: string, send: SendToProvider): Promise<Metadata> {
  return (await jsonOf(send(`${issuer}/.well-known/openid-configuration`))) as Metadata; // our own server sends this type
}

/** @throws AppRefusal for an answer that is not JSON, such as one that a fault changed */
export async function jsonOf(answer: ReturnType<SendToProvider>): Promise<unknown> {
  const { status, body } = await answer;
  try {
    return JSON.parse(body);
  } catch {
    throw new AppRefusal('error', `status ${status} and a body that is not JSON`, 'JSON');
  }
}

/** @throws AppRefusal for an error response (RFC 6749 §4.1.2.1) */
function codeOf(answer: URLSearchParams): string {
  const code = answer.get('code');
  if (code !== null && !answer.has('error')) return code;
  const [error, description] = [answer.get('error') ?? 'no code', answer.get('error_description')];
  throw new AppRefusal('error', description === null ? error : `${error}: ${description}`, 'a code');
}

/**
 * Redeems a code for tokens (RFC 6749 §4.1.3).
 * @throws AppRefusal for an error response, and for a type of token that the app cannot use (RFC 6749 §7.1)
 */
async function redeem(
  { client, state, send }: SignInParts,
  { token_endpoint }: Metadata,
  code: string,
  begun: Begun | undefined,
) {
  const { client_id, client_secret, redirect_uri } = client;
  const body = new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri, client_id });
  if (state.protections.has('pkce') && begun !== undefined) body.set('code_verifier', begun.code_verifier);
  if (client_secret !== undefined) body.set('client_secret', client_secret);
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const answer = await jsonOf(send(token_endpoint, { headers, body: body.toString() }));
  const { id_token, access_token, token_type, error, error_description } = answer as Partial<Record<string, string>>;
  if (id_token !== undefined && access_token !== undefined) {
    if (token_type?.toLowerCase() === 'bearer') return { id_token, access_token };
    throw new AppRefusal('token_type', token_type ?? 'nothing', 'Bearer');
  }
  throw new AppRefusal('error', `${error}: ${error_description}`, 'an ID token');
}

/**
 * Fetches name and e-mail from UserInfo, because in the code flow the ID token does not have them (OIDC Core §5.4).
 * @throws AppRefusal for the claims of a different user (OIDC Core §5.3.2)
 */
async function userInfo({ userinfo_endpoint }: Metadata, send: SendToProvider, token: string, sub: unknown) {
  const headers = { Authorization: `Bearer ${token}` };
  const claims = (await jsonOf(send(userinfo_endpoint, { headers }))) as IdTokenClaims; // our own server sends this type
  if (claims.sub !== sub) throw new AppRefusal('sub', String(claims.sub ?? 'nothing'), String(sub));
  return claims;
}

/** The account of this user; opens one if there is none. */
function openAccount({ accounts, protections }: AppState, claimed: AppAccount): AppAccount {
  const key = accountKey(claimed, protections);
  const known = accounts.get(key);
  if (known !== undefined) return known;
  const [oldest] = accounts.keys();
  if (accounts.size >= mostAccounts && oldest !== undefined) accounts.delete(oldest);
  accounts.set(key, claimed);
  return claimed;
}
