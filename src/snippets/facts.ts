/** A client as a snippet needs it. */
export interface SnippetClient {
  readonly client_id: string;
  readonly client_name?: string;
  /** Absent for a public client. */
  readonly client_secret?: string;
  /** How it authenticates, of what most libraries know. */
  readonly method: 'none' | 'client_secret_basic' | 'client_secret_post';
  /** Where the browser comes back to; registered, or any on this machine where that is allowed. */
  readonly redirectUri: string;
  /** Any address of this machine will do. */
  readonly anyLoopback: boolean;
  readonly postLogoutUri?: string;
  readonly scope: string;
  /** `aud` of its access tokens. */
  readonly audience: string;
  readonly isOpaque: boolean;
}

/** The user who comes first on the login screen. */
export interface UserFacts {
  readonly sub: string;
  readonly username: string;
  /** Where any will do, one that says so. */
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
  readonly issuer: string;
  /** A front end takes the issuer from its environment; absent where it is written out. */
  readonly fromEnvironment?: true;
  /** The address that all clients use. */
  readonly at: ServerAddresses;
  /** The address for a back end in a different container; the same as above unless it is configured. */
  readonly behind: ServerAddresses;
  readonly backchannelUrl?: string;
  /** The certificate is by a CA of this sandbox. */
  readonly hasOwnCa: boolean;
  readonly configFile?: string;
  readonly loginMode: 'picker' | 'password';
  /** Anybody may register clients. */
  readonly canRegister: boolean;
  /** A public client that logs users in. */
  readonly spa?: SnippetClient;
  /** A client that logs users in and keeps a secret; the public one where there is none. */
  readonly web?: SnippetClient;
  /** A client that acts for itself. */
  readonly machine?: SnippetClient;
  /** The API calls that the public client and the machine client may make. */
  readonly api?: ApiFacts;
  readonly machineApi?: ApiFacts;
  readonly user?: UserFacts;
}
