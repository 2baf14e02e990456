import type { Jwk, RegisteredClient } from './clients/client.ts';

/**
 * Checks that a server for learners leaves out for some clients while the defence is off, so that they can see the attack. No
 * configuration, request or call of the control API can ask for one.
 */
export const relaxationNames = ['pkce_absent', 'pkce_downgrade', 'redirect_prefix', 'device_warning'] as const;
export type Relaxation = (typeof relaxationNames)[number];

/** They are asked for each request, because the learner switches the defence. */
export interface Relaxations {
  has(name: Relaxation, client_id: string): boolean;
}

/** Whether a check is left out for a client. */
export function isRelaxed(
  { relaxations }: { readonly relaxations?: Relaxations | undefined },
  client_id: string,
  name: Relaxation,
): boolean {
  return relaxations?.has(name, client_id) === true;
}

/** A sandbox in place of a mock that checks less. No setting reaches the relaxations above. */
export interface DropInSettings {
  readonly anyClient: boolean;
  readonly anyIssuer: boolean;
  readonly issuerFromHost: 'off' | 'host' | 'forwarded';
  /** Seconds; 0 for none. */
  readonly refreshTokenGrace: number;
  /** By member; null removes one. */
  readonly metadataOverrides: Readonly<Record<string, unknown>>;
  readonly keyCertificates: boolean;
  /** By audience. */
  readonly accessTokenKeys: Readonly<Record<string, Jwk>>;
  readonly requestEncryption: boolean;
}

interface Relaxed {
  readonly dropIns?: DropInSettings;
  readonly clients: ReadonlyMap<string, RegisteredClient>;
}

/**
 * Sentences about the drop-in relaxations that are on, each with its setting in parentheses. docs/relaxations.md says what each
 * one relaxes, and what it opens to others.
 */
export function dropInSentences({ dropIns: settings, clients }: Relaxed): readonly string[] {
  if (settings === undefined) return [];
  const all = [...clients.values()];
  const sentences = {
    'Any client is accepted, with any secret, redirect URI and scope (CLIENTS=any).': settings.anyClient,
    'Any path is an issuer (ISSUERS=any).': settings.anyIssuer,
    'The issuer has the host of each request (ISSUER_FROM_HOST).': settings.issuerFromHost !== 'off',
    'A client accepts redirect URIs by pattern (redirect_uri_patterns).': all.some(hasPatterns),
    'A used refresh token gets the same response again for a moment (REFRESH_TOKEN_GRACE).':
      settings.refreshTokenGrace > 0,
    'The metadata has members that were written by hand (METADATA_OVERRIDES).': isFilled(settings.metadataOverrides),
    'The JWK Set has self-signed certificates, which prove nothing (KEY_CERTIFICATES).': settings.keyCertificates,
    'A client gets ID tokens that its own secret signs (HS256).': all.some(({ id_token_signed_response_alg: alg }) =>
      alg.startsWith('HS'),
    ),
    'Access tokens of some audiences are encrypted (ACCESS_TOKEN_KEYS).': isFilled(settings.accessTokenKeys),
    'Request objects may be encrypted (REQUEST_ENCRYPTION).': settings.requestEncryption,
  };
  return Object.entries(sentences).flatMap(([sentence, isOn]) => (isOn ? [sentence] : []));
}

function hasPatterns(client: RegisteredClient): boolean {
  const { redirect_uri_patterns: login = [], post_logout_redirect_uri_patterns: logout = [] } = client;
  return login.length + logout.length > 0;
}

function isFilled(members: object): boolean {
  return Object.keys(members).length > 0;
}
