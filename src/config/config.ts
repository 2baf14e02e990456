import type { RegisteredClient } from '../oauth/clients/client.ts';
import type { AuthorizationDetailsType } from '../oauth/requests/authorization-details.ts';
import type { ScopeDefinition } from '../oauth/scope.ts';
import type { TrustedIssuer } from '../oauth/trusted-issuer.ts';
import type { TestUser } from '../oauth/users/user.ts';
import type { EffectiveSetting } from './effective-settings.ts';
import type { ClientDefaults } from './entry-defaults.ts';
import type { FeatureSwitches } from './feature-switches.ts';

/** A REST collection of the sample backend. Structurally what `resources/` takes; neither imports the other. */
export interface CollectionConfig {
  /** The path segment: `/api/<name>`. */
  readonly name: string;
  readonly readScope?: string;
  readonly writeScope?: string;
  /** RFC 9470: what the login behind a token must have been. Seconds for the age. */
  readonly readAcrValues?: readonly string[];
  readonly readMaxAge?: number;
  readonly writeAcrValues?: readonly string[];
  readonly writeMaxAge?: number;
  /** Fields besides `id` (an integer the server gives). */
  readonly fields: Readonly<Record<string, FieldConfig>>;
  readonly seed: readonly Readonly<Record<string, unknown>>[];
}
export interface FieldConfig {
  readonly type: 'string' | 'number' | 'integer' | 'boolean';
  readonly required: boolean;
}

/** How the sandbox speaks HTTPS: with a certificate it makes, or one it was given; everything PEM. */
export type TlsConfig = (
  | { readonly kind: 'self-signed' }
  | { readonly kind: 'files'; readonly cert: string; readonly key: string }
) & {
  /** Whose client certificates are trusted; absent: those of a CA made on start. */
  readonly clientCa?: string;
};

/** What one issuer needs to know, checked and with every default filled in: seconds, no `undefined` choices. */
export interface IssuerConfig {
  /** 0 asks the system for a free port. */
  readonly port: number;
  /** `localhost` listens on 127.0.0.1 and ::1. */
  readonly host: string;
  /** Absent: `http[s]://localhost:<port>`. Never ends in a slash. */
  readonly issuer?: string;
  /** The origin that back ends reach it by; absent: the issuer's. */
  readonly backchannelUrl?: string;
  /** Absent: plain HTTP. */
  readonly tls?: TlsConfig;
  /** The file that was read, as it was named; absent: the built-in `clients.config.ts`. */
  readonly configFile?: string;
  /** Whether the file is read again when it changes. */
  readonly watch: boolean;
  /** Whether it tries its own metadata before it is ready. */
  readonly selfTest: boolean;
  readonly label: string;
  readonly clients: readonly RegisteredClient[];
  readonly users: readonly TestUser[];
  readonly scopes: readonly ScopeDefinition[];
  readonly collections: readonly CollectionConfig[];
  readonly authorizationDetailsTypes: readonly AuthorizationDetailsType[];
  readonly trustedIssuers: readonly TrustedIssuer[];
  /** What `acr` a login can reach; empty: any. */
  readonly acrValues: readonly string[];
  readonly features: FeatureSwitches;
  readonly profile: 'none' | 'fapi2';
  readonly requireSignedRequests: boolean;
  /** Whether DPoP proofs need a nonce. */
  readonly dpopNonce: boolean;
  readonly registration: 'open' | 'token' | 'off';
  readonly registrationToken?: string;
  /** For clients that register at run time. */
  readonly clientDefaults: ClientDefaults;
  readonly signingAlg: string;
  /** Private JWKs from a file; empty means fresh keys on start. */
  readonly keys: readonly Readonly<Record<string, unknown>>[];
  /** Keys follow from it; absent: they are random. */
  readonly seed?: string;
  readonly scopeClaim: 'string' | 'array';
  readonly codeLifetime: number;
  readonly idTokenLifetime: number;
  readonly refreshTokenLifetime: number;
  readonly sessionLifetime: number;
  readonly pushedRequestLifetime: number;
  readonly deviceCodeLifetime: number;
  readonly pollInterval: number;
  readonly loginMode: 'picker' | 'password';
  /** `sub`, username or e-mail address of who signs in without a click, or `hint`; absent: nobody does. */
  readonly autoLogin?: string;
  /** What a request that asks for the page gets where somebody would sign in without a click. */
  readonly autoLoginPrompt: 'silent' | 'show';
  /** `readonly` shows everything and changes nothing. */
  readonly dashboard: 'on' | 'readonly' | 'off';
  /** Origins besides its own that may read the event stream and the JSON of the dashboard. */
  readonly dashboardAllowedOrigins: readonly string[];
  /** Whether OAuth errors carry `error_uri` to the dashboard. */
  readonly errorUri: boolean;
  /** Origins that may call besides those of loopback and of clients; `*` is any. */
  readonly corsOrigins: '*' | readonly string[];
  readonly allowedHosts: readonly string[];
  /** What calls of the control API must bring; absent: nothing. */
  readonly controlToken?: string;
  /** Requests a minute and address; 0 is no limit. */
  readonly loginRateLimit: number;
  readonly rateLimit: number;
  /** Seconds a client may keep metadata and keys; 0 is `no-store`. */
  readonly metadataMaxAge: number;
  /** Each includes those before it. Absent: `private`, but `loopback` for what strangers name. */
  readonly outbound?: 'loopback' | 'private' | 'any';
  readonly apiAudience: readonly string[];
  readonly apiClockSkew: number;
  /** Whether the sample backend asks about each token, as introspection would, or checks it by itself. */
  readonly apiTokenCheck: 'local' | 'introspection';
  /** Whether requests are recorded with headers and bodies. */
  readonly recording: boolean;
  readonly historySize: number;
  readonly historyBytes: number;
  readonly logLevel: 'silent' | 'error' | 'warn' | 'info' | 'debug';
  readonly logFormat: 'auto' | 'pretty' | 'json';
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
