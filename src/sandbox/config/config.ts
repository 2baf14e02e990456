import type { AuthorizationDetailsType } from '../../protocol/authorization.ts';
import type { TrustedIssuer } from '../../protocol/authorization-server.ts';
import type { RegisteredClient } from '../../protocol/clients/client.ts';
import type { ScopeDefinition } from '../../protocol/scope.ts';
import type { OnToken, TokenRule } from '../../protocol/token-rule.ts';
import type { TestUser } from '../../protocol/users/user.ts';
import type { EffectiveSetting } from './effective-settings.ts';
import type { ProviderTraits } from './provider-traits.ts';
import type { CollectionEntry, FieldEntry } from './sandbox-config.ts';
import type { ConfiguredBy } from './setting.ts';
import type { Setting, SettingRows } from './settings.ts';

/**
 * A REST collection of the sample backend. It has the same members as the type in `resources/`; neither imports the
 * other.
 */
export interface CollectionConfig extends Omit<CollectionEntry, 'fields' | 'seed'> {
  /** The path segment: `/api/<name>`. */
  readonly name: string;
  /** Fields in addition to `id` (an integer the server assigns). */
  readonly fields: Readonly<Record<string, FieldConfig>>;
  readonly seed: readonly Readonly<Record<string, unknown>>[];
}

/** A field of a collection, with all defaults filled in. */
export type FieldConfig = Required<FieldEntry>;

/** TLS of the sandbox: a generated certificate or a given one; everything PEM. */
export type TlsConfig = (
  | { readonly kind: 'self-signed' }
  | { readonly kind: 'files'; readonly cert: string; readonly key: string }
) & {
  /** CA of the trusted client certificates; absent: a CA generated on start. */
  readonly clientCa?: string;
};

/**
 * Configuration of one issuer, checked and with every default filled in; lifetimes are in seconds. Settings have the
 * names they have in the file and are described at their rows. The members below combine several settings.
 */
export interface IssuerConfig extends Omit<ConfiguredBy<SettingRows>, 'tls'> {
  /** Absent: plain HTTP. */
  readonly tls?: TlsConfig;
  /** Path of the file that was read, as given; absent: the built-in `clients.config.ts`. */
  readonly configFile?: string;
  /** The provider that the issuer speaks like, by its `preset`. */
  readonly provider?: ProviderTraits;
  readonly clients: readonly RegisteredClient[];
  readonly users: readonly TestUser[];
  readonly scopes: readonly ScopeDefinition[];
  readonly collections: readonly CollectionConfig[];
  readonly authorizationDetailsTypes: readonly AuthorizationDetailsType[];
  readonly trustedIssuers: readonly TrustedIssuer[];
  /** Rules for claims, in the order they apply. */
  readonly tokenClaims: readonly TokenRule[];
  /** Adds claims to each token. */
  readonly onToken?: OnToken;
  /** The source of what the user wrote for it, by which a reload sees that it is another. */
  readonly onTokenSource?: string;
  /** The ids of the clients that extensions added. */
  readonly readyClients: ReadyClientIds;
  /** For clients that register at run time. */
  readonly clientDefaults: ClientDefaults;
  /** Private JWKs from a file; empty means fresh keys on start. */
  readonly keys: readonly Readonly<Record<string, unknown>>[];
  /** The settings that there are, those of extensions among them. */
  readonly table: readonly Setting[];
  /** Every setting with the value in effect and its source, for display. */
  readonly settings: () => Promise<readonly EffectiveSetting[]>;
  /** Valid entries without effect, one line each with the line to add; absent if every entry comes with Grantbox. */
  readonly withoutEffect?: () => Promise<readonly string[]>;
}

/** Clients that extensions add. */
export interface ReadyClientIds {
  readonly added: readonly string[];
  /** Those that are left out, because the user has a client with the same id. */
  readonly replaced: readonly string[];
}

/** A file that can be read again while the sandbox runs. */
export interface ConfigFile {
  /** Absolute. */
  readonly path: string;
  /** Result of `look` right before the file was read. */
  readonly mark: string;
  /** Stays the same until the file changes, or an added one. */
  look(): string;
  /**
   * Reads flags, environment and this file again.
   * @throws ConfigError listing every problem
   */
  read(): Promise<Config>;
}

/** Lines about a file that was added to the configuration. */
export interface AddedNotes {
  readonly file: string;
  /** What the lines tell. */
  readonly told: string;
  readonly notes: readonly string[];
  /** Prints all of them. */
  readonly command: string;
}

/** The configuration of the whole sandbox. */
export interface Config extends IssuerConfig {
  /** The file that was read, and how to read it again. Absent if no file was read. */
  readonly file?: ConfigFile;
  /** For each added file of which something is told. */
  readonly notes: readonly AddedNotes[];
  /** The folder of the configuration file, or else the working directory; absent where a program gives the configuration. */
  readonly folder?: string;
  /** Further issuers in this process, each with its own path; members left out are those of the first. */
  readonly issuers: readonly { readonly path: string; readonly config: IssuerConfig }[];
  /**
   * Makes the configuration of an issuer created at run time: `content` over that of the first, or, with `isAlone`, over the
   * defaults of all settings but those of the whole sandbox. Problems call the content `name`.
   * @throws ConfigError listing every problem
   */
  readonly derive: (
    name: string,
    content: Readonly<Record<string, unknown>>,
    isAlone?: boolean,
  ) => Promise<IssuerConfig>;
}

/** Defaults of the members that an entry of `clients` leaves out. */
export interface ClientDefaults {
  /** All scopes of the sandbox. A client that registers at run time without a scope gets them (RFC 7591 §2). */
  readonly scope: string;
  readonly accessTokenLifetime: number;
  readonly requirePkce: boolean;
  /** Default of `id_token_signed_response_alg`: RS256, or an algorithm that the profile allows. */
  readonly idTokenAlg: string;
  /** Default of `require_consent`. */
  readonly consent: boolean;
  /** Precedes the `sub` of each user, if a preset has it so. */
  readonly subjectPrefix?: string;
  /** Members that a preset gives each client. */
  readonly ofPreset?: Partial<RegisteredClient>;
}
