/** A client as a snippet needs it. */
export interface SnippetClient {
  readonly client_id: string;
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
  /** Whether the scope has `openid`, so that UserInfo answers. */
  readonly isOpenId: boolean;
  /** `aud` of its access tokens. */
  readonly audience: string;
  readonly isOpaque: boolean;
}

/** Whoever comes first on the login screen. */
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

/** The running configuration, as far as snippets are made of it. */
export interface ConnectFacts {
  readonly issuer: string;
  /** What everybody calls it by. */
  readonly at: ServerAddresses;
  /** What a back end in another container calls it by; the same where nothing else was said. */
  readonly behind: ServerAddresses;
  readonly backchannelUrl?: string;
  /** Libraries want to be told that this is meant. */
  readonly isPlainHttp: boolean;
  /** The certificate is by a CA of this sandbox. */
  readonly hasOwnCa: boolean;
  /** Of the issuer, with what goes unsaid. */
  readonly port: number;
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
  /** What the public client may call, and what the machine may. */
  readonly api?: ApiFacts;
  readonly machineApi?: ApiFacts;
  /** Whoever comes first on the login screen. */
  readonly user?: UserFacts;
}

/** How the sandbox is reached, and how it was started. */
export interface Reach {
  /** An origin. */
  readonly backchannelUrl?: string;
  readonly allowedHosts: readonly string[];
  /** What the sandbox itself speaks; a proxy in front may speak another. */
  readonly scheme: 'http' | 'https';
  /** The server certificate is by a CA made on start. */
  readonly hasOwnCa: boolean;
  readonly configFile?: string;
  readonly loginMode: 'picker' | 'password';
  readonly canRegister: boolean;
}
