import type { RegisteredClient } from '../oauth/client.ts';
import type { ScopeDefinition } from '../oauth/scope.ts';
import type { TestUser } from '../oauth/user.ts';
import type { ClientDefaults } from './entry-defaults.ts';
import type { FeatureSwitches } from './feature-switches.ts';

/** A REST collection of the sample backend. Structurally what `resources/` takes; neither imports the other. */
export interface CollectionConfig {
  /** The path segment: `/api/<name>`. */
  readonly name: string;
  readonly readScope?: string;
  readonly writeScope?: string;
  /** Fields besides `id` (an integer the server gives). */
  readonly fields: Readonly<Record<string, FieldConfig>>;
  readonly seed: readonly Readonly<Record<string, unknown>>[];
}
export interface FieldConfig {
  readonly type: 'string' | 'number' | 'integer' | 'boolean';
  readonly required: boolean;
}

/** Everything the sandbox needs to know, checked and with every default filled in: seconds, no `undefined` choices. */
export interface Config {
  /** 0 asks the system for a free port. */
  readonly port: number;
  /** `localhost` listens on 127.0.0.1 and ::1. */
  readonly host: string;
  /** Absent: `http://localhost:<port>`. Never ends in a slash. */
  readonly issuer?: string;
  /** The file that was read, as it was named; absent: the built-in `clients.config.ts`. */
  readonly configFile?: string;
  readonly label: string;
  readonly clients: readonly RegisteredClient[];
  readonly users: readonly TestUser[];
  readonly scopes: readonly ScopeDefinition[];
  readonly collections: readonly CollectionConfig[];
  readonly features: FeatureSwitches;
  readonly profile: 'none' | 'fapi2';
  readonly registration: 'open' | 'token' | 'off';
  readonly registrationToken?: string;
  /** For clients that register at run time. */
  readonly clientDefaults: ClientDefaults;
  readonly signingAlg: string;
  /** Private JWKs from a file; empty means fresh keys on start. */
  readonly keys: readonly Readonly<Record<string, unknown>>[];
  readonly scopeClaim: 'string' | 'array';
  readonly codeLifetime: number;
  readonly idTokenLifetime: number;
  readonly refreshTokenLifetime: number;
  readonly sessionLifetime: number;
  readonly loginMode: 'picker' | 'password';
  readonly dashboard: boolean;
  /** Whether OAuth errors carry `error_uri` to the dashboard. */
  readonly errorUri: boolean;
  /** `*` or a list of origins. */
  readonly corsOrigins: '*' | readonly string[];
  readonly allowedHosts: readonly string[];
  /** Requests a minute and address; 0 is no limit. */
  readonly loginRateLimit: number;
  readonly rateLimit: number;
  /** Seconds a client may keep metadata and keys; 0 is `no-store`. */
  readonly metadataMaxAge: number;
  readonly apiAudience: readonly string[];
  readonly apiClockSkew: number;
  readonly historySize: number;
  readonly logLevel: 'silent' | 'error' | 'warn' | 'info' | 'debug';
  readonly logFormat: 'auto' | 'pretty' | 'json';
}
