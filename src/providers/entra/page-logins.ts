import type { Authorization } from '../../protocol/authorization.ts';
import type { AuthorizationServer, TokenRequest } from '../../protocol/authorization-server.ts';
import { isPublic, type RegisteredClient } from '../../protocol/clients/client.ts';
import { invalidRequest } from '../../protocol/errors.ts';
import type { CodeRecord, RefreshTokenRecord } from '../../protocol/kept-authorizations.ts';
import { lenientParameter, shorten } from '../../protocol/parameters.ts';

/** A login on a page of an application, which a redirect URI of the type SPA received. */
export interface SpaLogin {
  /** Unix seconds: no refresh token of it works longer, and refreshing does not change that. */
  readonly exp: number;
}

/** Seconds. */
const pageLoginLifetime = 24 * 3600;

/**
 * The login behind a code or refresh token if it was on a page; undefined for all others. Pages of other origins may
 * redeem the grants of such logins, and nobody else may.
 * @throws invalid_request
 */
export async function pageLoginOf(request: Asking, origin: string | undefined): Promise<SpaLogin | undefined> {
  const sent = origin === new URL(request.server.issuer).origin ? undefined : origin;
  const found = (await byCode(request)) ?? (await byRefreshToken(request));
  if (found === 'unknown') return undefined; // the grant says what is wrong with it
  if (found === undefined && sent !== undefined) throw onlyForOthers(sent);
  if (found !== undefined && sent === undefined) throw onlyForPages();
  return found;
}

type Asking = Pick<TokenRequest, 'server' | 'client' | 'parameters'>;

type Found = SpaLogin | 'unknown' | undefined;

async function byCode({ server, client, parameters }: Asking): Promise<Found> {
  const code = lenientParameter(parameters, 'code');
  if (code === undefined) return undefined;
  const record = await server.store.get<CodeRecord>(['issued_code', code]);
  if (record === undefined || record.authorization.client_id !== client.client_id) return 'unknown';
  if (!isForPage(client, record.redirect_uri)) return undefined;
  if (record.code_challenge === undefined) {
    throw invalidRequest('pkce_missing', 'a sign-in on a page needs PKCE', { expected: 'code_challenge' });
  }
  return { exp: server.clock() + pageLoginLifetime };
}

async function byRefreshToken({ server, client, parameters }: Asking): Promise<Found> {
  const token = lenientParameter(parameters, 'refresh_token');
  if (token === undefined) return undefined;
  const record = await server.store.get<RefreshTokenRecord>(['refresh_token', token]);
  if (record === undefined || record.authorization.client_id !== client.client_id) return 'unknown';
  return server.store.get<SpaLogin>(['page_login', record.authorization.id]);
}

/** Remembers the login for its refresh tokens. */
export async function rememberPageLogin(
  { store, clock }: Pick<AuthorizationServer, 'store' | 'clock'>,
  { id }: Authorization,
  login: SpaLogin,
): Promise<void> {
  await store.put(['page_login', id], login, Math.max(1, login.exp - clock()));
}

/**
 * True if a redirect URI is of the type SPA: `spa_redirect_uris` lists it. Of a client without that list, all are: if it
 * is public and no native application.
 */
export function isForPage(client: RegisteredClient, uri: string): boolean {
  const { spa_redirect_uris: listed, application_type: type } = client;
  if (listed !== undefined) return listed.includes(uri);
  return isPublic(client) && type !== 'native' && /^https?:/i.test(uri);
}

function onlyForOthers(origin: string) {
  const description = 'only the redirect URIs of pages let pages redeem a grant';
  return invalidRequest('redirect_uri_not_for_pages', description, {
    sent: shorten(origin, 200),
    expected: 'a request without Origin, or a redirect_uri in spa_redirect_uris',
  });
}

function onlyForPages() {
  const description = 'the grant came to a page, so that only a page may redeem it';
  return invalidRequest('redirect_uri_only_for_pages', description, {
    sent: 'a request without Origin',
    expected: 'a request of a page, with Origin, or a client with a secret or the application_type native',
  });
}
