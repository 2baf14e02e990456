import { hash } from 'node:crypto';
import type { AuthorizationServer } from '../authorization-server.ts';
import { sameSecret } from '../random.ts';
import type { RegisteredClient } from './client.ts';
import { knownMembers } from './client-metadata.ts';

/** Data kept with a client that registered itself. */
export interface ClientRegistration {
  /** SHA-256 of the registration access token (RFC 7592 §3). */
  readonly tokenHash: string;
  /** Unix seconds. */
  readonly issuedAt: number;
  /** Members in other languages (RFC 7591 §2.2): `client_name#de`. */
  readonly localized: Readonly<Record<string, string>>;
}

/** Ten years: a registration lasts as long as the sandbox does. */
const lifetime = 315_360_000;

/** Stores a new registration and returns its registration access token, which is shown only once. */
export async function startRegistration(
  server: AuthorizationServer,
  client_id: string,
  localized: ClientRegistration['localized'],
): Promise<{ readonly registration: ClientRegistration; readonly token: string }> {
  const token = server.random.secret();
  const registration = { tokenHash: hashOf(token), issuedAt: server.clock(), localized };
  await putRegistration(server, client_id, registration);
  return { registration, token };
}

export function putRegistration(
  server: AuthorizationServer,
  client_id: string,
  registration: ClientRegistration,
): Promise<void> {
  return server.store.put(['client_registration', client_id], registration, lifetime);
}

/** The client that a registration access token belongs to; undefined if the token is unknown or belongs to another client. */
export async function findRegistration(
  server: AuthorizationServer,
  client_id: string,
  token: string,
): Promise<{ readonly client: RegisteredClient; readonly registration: ClientRegistration } | undefined> {
  const registration = await server.store.get<ClientRegistration>(['client_registration', client_id]);
  const client = server.clients.get(client_id);
  if (registration === undefined || client === undefined) return undefined;
  return sameSecret(hashOf(token), registration.tokenHash) ? { client, registration } : undefined;
}

/** Deletes the client with everything it was given (RFC 7592 §2.3). */
export async function endRegistration(server: AuthorizationServer, client_id: string): Promise<void> {
  server.clients.remove(client_id);
  await server.store.delete(['client_registration', client_id]);
  await server.store.put(['deleted_client', client_id], true, lifetime);
}

/** Accepts new grants for a client id that was deleted before and exists again. */
export function liftDeletion({ store }: Pick<AuthorizationServer, 'store'>, client_id: string): Promise<void> {
  return store.delete(['deleted_client', client_id]);
}

/** RFC 7591 §3.2.1: all registered metadata, including defaults. */
export function clientInformation(
  server: AuthorizationServer,
  client: RegisteredClient,
  { issuedAt, localized }: ClientRegistration,
  token: string,
  address: string,
): Readonly<Record<string, unknown>> {
  const { client_id, client_secret, token_endpoint_auth_methods } = client;
  const values = new Map<string, unknown>(Object.entries(client));
  const told = knownMembers(server, client.scope).filter(name => values.get(name) !== undefined);
  return {
    client_id,
    client_id_issued_at: issuedAt,
    ...(client_secret === undefined ? {} : { client_secret, client_secret_expires_at: 0 }),
    registration_access_token: token,
    registration_client_uri: `${address}${server.paths.register}/${client_id}`,
    ...Object.fromEntries(told.map(name => [name, values.get(name)])),
    token_endpoint_auth_method: token_endpoint_auth_methods[0], // of two, the default of RFC 7591 §2: Basic
    ...localized,
  };
}

function hashOf(token: string): string {
  return hash('sha256', token, 'base64url');
}
