import type { AuthorizationServer } from '../authorization-server.ts';
import type { RegisteredClient } from '../clients/client.ts';
import { OAuthError } from '../errors.ts';
import { shorten } from '../parameters.ts';

/** RFC 9126 §2.2. */
const pushedUriPrefix = 'urn:ietf:params:oauth:request_uri:';

/** True if a `request_uri` was issued by the pushed authorization request endpoint. */
export function isPushedUri(uri: string | undefined): uri is string {
  return uri?.startsWith(pushedUriPrefix) === true;
}

/** A pushed and checked request (RFC 9126 §2). Plain data, so it can be stored. */
interface PushedRequest {
  readonly client_id: string;
  readonly query: string;
  readonly isSigned: boolean;
  /** True once a page was shown for it: it now waits for the user. */
  readonly isShown?: true;
}

/** Seconds for the user to log in once a page was shown. */
const patience = 600;

/** Stores a request until the client must have sent the browser, and returns its `request_uri` (RFC 9126 §2.2). */
export async function putPushedRequest(server: AuthorizationServer, pushed: PushedRequest): Promise<string> {
  const id = server.random.secret();
  await server.store.put(['pushed_request', id], pushed, server.lifetimes.pushedRequest);
  return pushedUriPrefix + id;
}

/**
 * The request behind a `request_uri` of this client. It is not used up, because a page may be loaded twice (RFC 9126 §4).
 * @throws invalid_request_uri
 */
export async function findPushedRequest(
  server: AuthorizationServer,
  { client_id }: RegisteredClient,
  request_uri: string,
): Promise<PushedRequest> {
  const pushed = await server.store.get<PushedRequest>(keyOf(request_uri));
  if (pushed === undefined) throw gone(server, request_uri);
  if (pushed.client_id === client_id) return pushed;
  const description = 'a different client pushed this request';
  throw new OAuthError('invalid_request_uri', 'request_uri_of_another_client', description, {
    sent: shorten(client_id),
    expected: 'the client_id that pushed it',
  });
}

/** Extends the lifetime once, when the first page is shown; loading the page again does not extend it further. */
export async function keepPushedRequest(server: AuthorizationServer, request_uri: string): Promise<void> {
  const pushed = await server.store.get<PushedRequest>(keyOf(request_uri));
  if (pushed === undefined || pushed.isShown) return;
  // a request that was used meanwhile stays used
  await server.store.swap(keyOf(request_uri), pushed, { ...pushed, isShown: true }, patience);
}

/**
 * Uses up a request in one step, so that only one of two answers is given (RFC 9126 §7.3).
 * @throws invalid_request_uri
 */
export async function usePushedRequest(server: AuthorizationServer, request_uri: string): Promise<void> {
  if ((await server.store.take(keyOf(request_uri))) === undefined) throw gone(server, request_uri);
}

/** Deletes a request after a refusal, which also counts as its answer. */
export function dropPushedRequest(server: AuthorizationServer, request_uri: string): Promise<void> {
  return server.store.delete(keyOf(request_uri));
}

function keyOf(request_uri: string): readonly ['pushed_request', string] {
  return ['pushed_request', request_uri.slice(pushedUriPrefix.length)];
}

function gone({ lifetimes }: AuthorizationServer, request_uri: string): OAuthError {
  const description = 'this request_uri is unknown, has expired, or was used already';
  return new OAuthError('invalid_request_uri', 'request_uri_expired_or_unknown', description, {
    sent: shorten(request_uri),
    expected: `a request_uri pushed within the last ${lifetimes.pushedRequest} s, and one for each sign-in`,
  });
}
