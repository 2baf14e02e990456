import type { AuthorizationServer } from '../authorization-server.ts';
import { invalidClientMetadata, invalidRedirectUri } from '../errors.ts';
import { shorten } from '../parameters.ts';
import { asymmetricAlgs } from '../profile.ts';
import { assertionAlgs, supportedAuthMethods } from './auth-methods.ts';
import { type RegisteredClient, tokenEndpointAuthMethods } from './client.ts';
import { responseTypesSupported } from './response-type.ts';

/** Names of the machine itself (RFC 8252 §7.3, §8.3). */
const loopbackHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

export function isLoopbackUrl(uri: string): boolean {
  return URL.canParse(uri) && loopbackHosts.has(new URL(uri).hostname);
}

/**
 * Refuses registration of a value that this issuer does not advertise.
 * @throws invalid_client_metadata
 */
export function checkOffered(server: AuthorizationServer, client: RegisteredClient): void {
  const types = responseTypesSupported(server);
  const implicit = types.some(type => type !== 'code') ? ['implicit'] : [];
  const { authorization_details_types: details = [] } = client;
  checkEach('grant_types', client.grant_types, [...grantsForStrangers(server), ...implicit]);
  checkEach('response_types', client.response_types, types);
  checkEach('authorization_details_types', details, [...server.authorizationDetailsTypes.keys()]);
  checkAlgs(server, client);
  const { initiate_login_uri: initiate } = client;
  if (initiate === undefined || isSecureOrLocal(initiate)) return;
  throw invalidClientMetadata('client_metadata_invalid', 'initiate_login_uri: expected an https address', {
    sent: shorten(initiate, 500),
    expected: 'https, or http on a loopback host',
  });
}

/**
 * Refuses an authentication method that this issuer does not advertise. A name that is not a method at all is reported
 * with the other format errors.
 * @throws invalid_client_metadata
 */
export function checkMethodOffered(server: AuthorizationServer, method: string): void {
  if (!tokenEndpointAuthMethods.some(known => known === method)) return;
  checkEach('token_endpoint_auth_method', [method], supportedAuthMethods(server));
}

/** The grants of clients that register themselves: all but `password` (RFC 9700 §2.4). */
export function grantsForStrangers({ grants, features }: AuthorizationServer): readonly string[] {
  const offered = [...grants.values()].filter(({ feature }) => feature === undefined || features.has(feature));
  return offered.map(({ grantType }) => grantType).filter(grantType => grantType !== 'password');
}

function checkAlgs(server: AuthorizationServer, client: RegisteredClient): void {
  for (const member of asymmetricMembers) checkEach(member, [client[member] ?? []].flat(), asymmetricAlgs(server));
  const { token_endpoint_auth_signing_alg: alg, token_endpoint_auth_methods: methods } = client;
  checkEach('token_endpoint_auth_signing_alg', [alg ?? []].flat(), assertionAlgs(server, methods));
}

const asymmetricMembers = [
  'id_token_signed_response_alg',
  'userinfo_signed_response_alg',
  'introspection_signed_response_alg',
  'authorization_signed_response_alg',
  'request_object_signing_alg',
  'backchannel_authentication_request_signing_alg',
] as const;

function checkEach(member: string, asked: readonly string[], offered: readonly string[]): void {
  const foreign = asked.find(value => !offered.includes(value));
  if (foreign === undefined) return;
  const expected = offered.join(', ');
  const description = `${member}: ${shorten(foreign, 100)} is not supported; supported: ${expected}`;
  throw invalidClientMetadata('client_metadata_invalid', description, { sent: shorten(foreign), expected });
}

/**
 * Checks the redirect URIs of a client that registers itself. The rules are stricter than for a configured client,
 * because no developer vouches for it (RFC 8252 §7, OIDC Registration §2 on `application_type`).
 * @throws invalid_redirect_uri
 */
export function checkRedirectUris({ redirect_uris, application_type, grant_types }: RegisteredClient): void {
  for (const uri of redirect_uris) {
    const expected = redirectFault(uri, application_type === 'native', grant_types.includes('implicit'));
    if (expected === undefined) continue;
    const details = { sent: shorten(uri, 500), expected };
    throw invalidRedirectUri('redirect_uri_unusable', `redirect_uris: expected ${expected}`, details);
  }
}

function redirectFault(uri: string, isNative: boolean, isImplicit: boolean): string | undefined {
  if (/^https:/i.test(uri)) {
    return !isNative && isImplicit && isLoopbackUrl(uri)
      ? 'a host other than localhost, because of the implicit grant'
      : undefined;
  }
  if (!/^http:/i.test(uri)) return isNative ? undefined : 'an https address, because application_type is not native';
  if (!isLoopbackUrl(uri)) return 'https, because http is only for loopback hosts';
  return !isNative && isImplicit ? 'https, because of the implicit grant of a web application' : undefined;
}

/**
 * OIDC Front-Channel Logout §2: the page that our logout page frames must have the origin of a redirect URI, so that it
 * belongs to the application the user knows.
 * @throws invalid_client_metadata
 */
export function checkLogoutFrame({ frontchannel_logout_uri: uri, redirect_uris }: RegisteredClient): void {
  if (uri === undefined) return;
  const { origin } = new URL(uri);
  if (redirect_uris.some(redirect => new URL(redirect).origin === origin)) return;
  const expected = 'the scheme, host and port of one of redirect_uris';
  throw invalidClientMetadata('client_metadata_invalid', `frontchannel_logout_uri: expected ${expected}`, {
    sent: shorten(uri, 500),
    expected,
  });
}

/** True for https, and for http on this machine. */
export function isSecureOrLocal(uri: string): boolean {
  return /^https:/i.test(uri) || isLoopbackUrl(uri);
}
