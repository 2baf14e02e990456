import type { Jwk, RegisteredClient } from './clients/client.ts';

/**
 * The settings of the drop-in relaxations: a sandbox in place of a mock that checks less. The relaxations of labs are in
 * `relaxation.ts`, and no setting reaches those.
 */
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

/** One row of the table of drop-in relaxations. */
export interface DropIn {
  /** How it is switched on. */
  readonly setting: string;
  /** For the documentation, without a full stop. */
  readonly relaxes: string;
  /** The access that others get while it is on, for the documentation. */
  readonly opens: string;
  /** On each page and in the report while it is on. */
  readonly sentence: string;
  isOn(settings: DropInSettings, clients: Iterable<RegisteredClient>): boolean;
}

/** All drop-in relaxations. Banner, report and docs/relaxations.md are made from this table. */
export const dropIns: readonly DropIn[] = [
  {
    setting: '`CLIENTS=any`',
    relaxes:
      'A `client_id` that is not registered is accepted, with any secret or none and any redirect URI. Clients that are registered keep their rules',
    opens: 'Any web page can receive codes and tokens of the demo users, and any origin may call the endpoints (CORS)',
    sentence: 'Any client is accepted, with any secret and any redirect URI (CLIENTS=any).',
    isOn: ({ anyClient }) => anyClient,
  },
  {
    setting: '`ISSUERS=any`',
    relaxes:
      'Any path is an issuer with the configuration of the first one, from the first request for its metadata or one of its endpoints',
    opens:
      'Each caller can make issuers: at most a hundred, and the one that was unused for the longest time makes room',
    sentence: 'Any path is an issuer (ISSUERS=any).',
    isOn: ({ anyIssuer }) => anyIssuer,
  },
  {
    setting: '`ISSUER_FROM_HOST`',
    relaxes:
      'The issuer has the origin that the request was sent to, if its host is allowed. A token is good at the name that issued it',
    opens:
      'A caller chooses which of the allowed names is in `iss`; with `forwarded`, by a header that anybody can send',
    sentence: 'The issuer has the host of each request (ISSUER_FROM_HOST).',
    isOn: ({ issuerFromHost }) => issuerFromHost !== 'off',
  },
  {
    setting: '`redirect_uri_patterns` and `post_logout_redirect_uri_patterns` of a client',
    relaxes: 'A `*` in a redirect URI stands for one label of the host, or for the rest of the URI',
    opens: 'Each page below the pattern can receive codes, and each matching origin may call the endpoints (CORS)',
    sentence: 'A client accepts redirect URIs by pattern (redirect_uri_patterns).',
    isOn: (_, clients) => [...clients].some(hasPatterns),
  },
  {
    setting: '`REFRESH_TOKEN_GRACE`',
    relaxes:
      'A refresh token that was used a moment ago gets the same answer again, if the same client sends the same request. Without it all tokens of that login end',
    opens: 'A stolen refresh token works for that time after its use, and the theft stays undetected',
    sentence: 'A used refresh token gets the same answer again for a moment (REFRESH_TOKEN_GRACE).',
    isOn: ({ refreshTokenGrace }) => refreshTokenGrace > 0,
  },
  {
    setting: '`METADATA_OVERRIDES`',
    relaxes: 'The metadata says what you write: members are added, replaced or, with `null`, removed',
    opens: 'Nothing by itself. A client believes an address or a promise that is not of this sandbox',
    sentence: 'The metadata has members that were written by hand (METADATA_OVERRIDES).',
    isOn: ({ metadataOverrides }) => Object.keys(metadataOverrides).length > 0,
  },
  {
    setting: '`KEY_CERTIFICATES`',
    relaxes:
      'Each key of the JWK Set has a certificate that it signed itself (`x5c`, `x5t`, `x5t#S256`), for libraries that read keys from certificates',
    opens: 'Nothing: the certificates say only what the keys say',
    sentence: 'The JWK Set has self-signed certificates, which prove nothing (KEY_CERTIFICATES).',
    isOn: ({ keyCertificates }) => keyCertificates,
  },
  {
    setting: '`id_token_signed_response_alg` of a client: `HS256`, `HS384` or `HS512`',
    relaxes: 'Its ID Tokens are signed with its `client_secret` (OIDC Core §10.1), not with a key of the JWK Set',
    opens: 'Each holder of the secret can make ID Tokens of that client, and a short secret can be guessed from one',
    sentence: 'A client gets ID Tokens that its own secret signs (HS256).',
    isOn: (_, clients) => [...clients].some(each => each.id_token_signed_response_alg.startsWith('HS')),
  },
  {
    setting: '`ACCESS_TOKEN_KEYS`',
    relaxes:
      'Access tokens for an audience with a key are encrypted to it (JWE); this server answers about them by what it kept',
    opens: 'Nothing: only the holder of the private key reads them',
    sentence: 'Access tokens of some audiences are encrypted (ACCESS_TOKEN_KEYS).',
    isOn: ({ accessTokenKeys }) => Object.keys(accessTokenKeys).length > 0,
  },
  {
    setting: '`REQUEST_ENCRYPTION`',
    relaxes:
      'Request objects may be encrypted (RFC 9101 §6.1) to a key in the JWK Set; the signature inside is checked as ever',
    opens: 'Nothing: the request is checked after it was decrypted',
    sentence: 'Request objects may be encrypted (REQUEST_ENCRYPTION).',
    isOn: ({ requestEncryption }) => requestEncryption,
  },
];

function hasPatterns(client: RegisteredClient): boolean {
  const { redirect_uri_patterns: login = [], post_logout_redirect_uri_patterns: logout = [] } = client;
  return login.length + logout.length > 0;
}

/** Sentences about the drop-in relaxations that are on. */
export function dropInSentences({
  dropIns: settings,
  clients,
}: {
  readonly dropIns?: DropInSettings | undefined;
  readonly clients: ReadonlyMap<string, RegisteredClient>;
}): readonly string[] {
  if (settings === undefined) return [];
  return dropIns.filter(each => each.isOn(settings, clients.values())).map(({ sentence }) => sentence);
}

/** The table of docs/relaxations.md, in Markdown. */
export function renderDropIns(): string {
  const rows = dropIns.map(({ setting, relaxes, opens }) => `| ${setting} | ${relaxes} | ${opens} |`);
  return ['| switched on by | relaxes | opens |', '| --- | --- | --- |', ...rows].join('\n');
}
