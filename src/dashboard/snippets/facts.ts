import type { ProviderFacts } from '../../sandbox/dashboard.ts';

/** A client as a snippet needs it. */
export interface SnippetClient {
  readonly client_id: string;
  readonly client_name?: string;
  /** Absent for a public client. */
  readonly client_secret?: string;
  /** Its authentication method, if most libraries support it. */
  readonly method: 'none' | 'client_secret_basic' | 'client_secret_post';
  /** The redirect URI: a registered one, or any on this machine if that is allowed. */
  readonly redirectUri: string;
  /** True if any address of this machine is accepted. */
  readonly anyLoopback: boolean;
  readonly postLogoutUri?: string;
  readonly scope: string;
  /** `aud` of its access tokens; absent if it depends on the user. */
  readonly audience?: string;
  readonly isOpaque: boolean;
}

/** The user who comes first on the login screen. */
export interface UserFacts {
  readonly sub: string;
  readonly username: string;
  /** A placeholder if any password is accepted. */
  readonly password: string;
  readonly name: string;
}

/** A call of the sample backend that a client's scope is enough for. */
export interface ApiFacts {
  readonly url: string;
  readonly scope: string;
  readonly method: 'GET' | 'POST';
  /** An example body, as JSON; empty for GET. */
  readonly body: string;
}

/** Addresses of this server. */
export interface ServerAddresses {
  readonly token: string;
  readonly jwks: string;
  readonly authorize: string;
  readonly discovery: string;
}

/** The configuration, as far as snippets are made of it. */
export interface SnippetFacts {
  /** The address of the issuer. */
  readonly issuer: string;
  /** The issuer identifier, which `iss` of tokens is compared with. */
  readonly iss: string;
  /** The variable from which a front end reads the issuer; absent if the issuer is written out. */
  readonly fromEnvironment?: true;
  /** The address that all clients use. */
  readonly at: ServerAddresses;
  /** The address for a back end in a different container; the same as above unless it is configured. */
  readonly behind: ServerAddresses;
  readonly backchannelUrl?: string;
  readonly provider?: ProviderFacts;
  /** True if the certificate is issued by a CA of this sandbox. */
  readonly hasOwnCa: boolean;
  readonly configFile?: string;
  readonly loginMode: 'picker' | 'password';
  /** Anybody may register clients. */
  readonly canRegister: boolean;
  /** A public client that logs users in. */
  readonly spa?: SnippetClient;
  /** A confidential client that logs users in; the public one if there is none. */
  readonly web?: SnippetClient;
  /** A client that logs users in and authenticates by a key alone. */
  readonly keyed?: SnippetClient;
  /** A client that acts for itself. */
  readonly machine?: SnippetClient;
  /** The API calls that the public client and the machine client may make. */
  readonly api?: ApiFacts;
  readonly machineApi?: ApiFacts;
  readonly user?: UserFacts;
}
