import { isStranger, type RegisteredClient } from '../../../protocol/clients/client.ts';
import { httpUrl } from '../reference.ts';
import type { Language } from './language.ts';

/** Links and warnings that the login and the consent screen show beside the name of an application. */
export interface ClientFacts {
  /** Addresses that the client gave, shown as links. */
  readonly links: readonly { readonly label: string; readonly url: string }[];
  /** Warnings, one sentence each. */
  readonly warnings: readonly string[];
}

/** Everything an application says about itself is unverified, and is shown as such. */
export function clientFacts(client: RegisteredClient, redirectUri: string, language: Language): ClientFacts {
  const { say } = language;
  const links = [
    { label: say('homePage'), url: client.client_uri },
    { label: say('privacyPolicy'), url: client.policy_uri },
    { label: say('termsOfService'), url: client.tos_uri },
    { label: say('logo'), url: client.logo_uri },
  ];
  return {
    links: links.flatMap(({ label, url }) => (url !== undefined && httpUrl(url) !== undefined ? [{ label, url }] : [])),
    warnings: [...originWarnings(client, language), ...redirectWarnings(client, redirectUri, language)],
  };
}

function originWarnings({ origin, client_id }: RegisteredClient, { say }: Language): string[] {
  if (origin === 'registration') return [say('selfRegistered')];
  if (!isStranger({ origin })) return [];
  const host = URL.canParse(client_id) ? new URL(client_id).host : client_id;
  return [say('knownByDocument', { host })];
}

/** Client ID Metadata Document, security considerations: anything on the user's own machine may be listening there. */
function redirectWarnings(
  { origin, redirect_uris }: RegisteredClient,
  redirectUri: string,
  { say }: Language,
): string[] {
  if (!isStranger({ origin }) || !isLoopback(redirectUri) || !redirect_uris.every(isLoopback)) return [];
  return [say('loopbackOnly')];
}

function isLoopback(uri: string): boolean {
  if (!URL.canParse(uri)) return false;
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(uri).hostname);
}

/** The host of a redirect URI, or its scheme if it leads to an app; shown, never a link. */
export function targetHost(redirectUri: string): string {
  if (!URL.canParse(redirectUri)) return redirectUri;
  const { host, protocol } = new URL(redirectUri);
  return host === '' ? protocol : host;
}
