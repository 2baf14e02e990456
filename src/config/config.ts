import type { RegisteredClient } from '../oauth/clients/client.ts';
import type { AuthorizationDetailsType } from '../oauth/requests/authorization-details.ts';
import type { ScopeDefinition } from '../oauth/scope.ts';
import type { TrustedIssuer } from '../oauth/trusted-issuer.ts';
import type { TestUser } from '../oauth/users/user.ts';
import type { EffectiveSetting } from './effective-settings.ts';
import type { CollectionEntry, FieldEntry } from './sandbox-config.ts';
import type { ConfiguredBy } from './setting.ts';
import type { settings } from './settings.ts';

/** A REST collection of the sample backend. Structurally what `resources/` takes; neither imports the other. */
export interface CollectionConfig extends Omit<CollectionEntry, 'fields' | 'seed'> {
  /** The path segment: `/api/<name>`. */
  readonly name: string;
  /** Fields besides `id` (an integer the server gives). */
  readonly fields: Readonly<Record<string, FieldConfig>>;
  readonly seed: readonly Readonly<Record<string, unknown>>[];
}
export type FieldConfig = Required<FieldEntry>;

/** How the sandbox speaks HTTPS: with a certificate it makes, or one it was given; everything PEM. */
export type TlsConfig = (
  | { readonly kind: 'self-signed' }
  | { readonly kind: 'files'; readonly cert: string; readonly key: string }
) & {
  /** Whose client certificates are trusted; absent: those of a CA made on start. */
  readonly clientCa?: string;
};

/**
 * What one issuer needs to know, checked and with every default filled in: seconds, no `undefined` choices. A setting that a file
 * may set is here by its name, described at its row; those below are made of more than their row.
 */
export interface IssuerConfig extends Omit<ConfiguredBy<typeof settings>, 'tls' | 'reportDir'> {
  /** Absent: plain HTTP. */
  readonly tls?: TlsConfig;
  /** The file that was read, as it was named; absent: the built-in `clients.config.ts`. */
  readonly configFile?: string;
  readonly clients: readonly RegisteredClient[];
  readonly users: readonly TestUser[];
  readonly scopes: readonly ScopeDefinition[];
  readonly collections: readonly CollectionConfig[];
  readonly authorizationDetailsTypes: readonly AuthorizationDetailsType[];
  readonly trustedIssuers: readonly TrustedIssuer[];
  /** For clients that register at run time. */
  readonly clientDefaults: ClientDefaults;
  /** Private JWKs from a file; empty means fresh keys on start. */
  readonly keys: readonly Readonly<Record<string, unknown>>[];
  /** Every setting as it is in effect and where it is from, to be shown. */
  readonly settings: () => Promise<readonly EffectiveSetting[]>;
}

/** A file that can be read again while the sandbox runs. */
export interface ConfigFile {
  /** Absolute. */
  readonly path: string;
  /** Of `fileMark`, right before it was read. */
  readonly mark: string;
  /**
   * What flags, environment and this file say now.
   * @throws ConfigError listing every problem
   */
  read(): Promise<Config>;
}

/** Everything the sandbox needs to know. */
export interface Config extends IssuerConfig {
  /** The file that was read, and how it is read once more; absent: there was none. */
  readonly file?: ConfigFile;
  /** Where the client report is written at the stop, as an absolute path; absent: nowhere. */
  readonly reportDir?: string;
  /** Further issuers in this process, each with a path of its own; what they do not say is as with the first. */
  readonly issuers: readonly { readonly path: string; readonly config: IssuerConfig }[];
  /**
   * That of one more issuer, made while it runs: `content` over the first's. `name` is what problems call the content.
   * @throws ConfigError listing every problem
   */
  readonly derive: (name: string, content: Readonly<Record<string, unknown>>) => Promise<IssuerConfig>;
}

/** Defaults of the members that an entry of a client leaves out. */
export interface ClientDefaults {
  /** All scopes of the sandbox, as a client that registers at run time gets them (RFC 7591 §2). */
  readonly scope: string;
  readonly accessTokenLifetime: number;
  readonly requirePkce: boolean;
  /** `id_token_signed_response_alg` where a client says nothing: RS256, or what a profile allows. */
  readonly idTokenAlg: string;
  /** `require_consent` where a client says nothing. */
  readonly consent: boolean;
}
