import type { ClientEntry, Sandbox, SandboxConfig } from '../../../src/index.ts';
import { createSandbox } from '../../support/bundle.ts';
import { makeClientKey } from '../../support/keys-server.ts';

/** Where all the applications of these tests get their answers. */
export const callback = 'http://localhost:3000/callback';
export const signedOut = 'http://localhost:3000/';

/** Full of what shells, forms and headers treat in their own way. */
export const secret = 'p&ss w0rd+1';

/** The key of clients that sign. */
export const signingKey = await makeClientKey('ES256', { kid: 'key-1', use: 'sig', alg: 'ES256' });

/** One running sandbox and what was sent to it, by whatever library. */
export interface World extends AsyncDisposable {
  readonly sandbox: Sandbox;
  /** Its origin. */
  readonly url: string;
  /** How many seconds the sandbox is ahead of the clock of the clients. */
  readonly ahead: () => number;
  pass(seconds: number): void;
  /** For all libraries: keeps the headers of each answer by request id. */
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>;
  readonly answers: ReadonlyMap<string, Headers>;
}

export async function createWorld(config: SandboxConfig): Promise<World> {
  let ahead = 0;
  const answers = new Map<string, Headers>();
  const sandbox = await createSandbox({ signingAlg: 'ES256', ...config }, { now: () => Date.now() / 1000 + ahead });
  return {
    sandbox,
    url: new URL(sandbox.url).origin,
    ahead: () => ahead,
    pass: seconds => {
      ahead += seconds;
    },
    async fetch(url, init) {
      const response = await fetch(url, init);
      answers.set(response.headers.get('x-request-id') ?? '', response.headers);
      return response;
    },
    answers,
    [Symbol.asyncDispose]: () => sandbox.stop(),
  };
}

type Changes = Omit<ClientEntry, 'client_id'>;

/** A page in a browser: it has no secret. */
export function spa(client_id: string, changes: Changes = {}): ClientEntry {
  return {
    client_id,
    grant_types: ['authorization_code', 'refresh_token'],
    redirect_uris: [callback],
    post_logout_redirect_uris: [signedOut],
    scope: 'openid profile email offline_access products:read',
    id_token_signed_response_alg: 'ES256',
    ...changes,
  };
}

/** A back end with a secret; it uses PKCE where its library does. */
export function web(client_id: string, changes: Changes = {}): ClientEntry {
  return spa(client_id, {
    client_secret: secret,
    token_endpoint_auth_method: 'client_secret_basic',
    grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
    ...changes,
  });
}

/** A back end that signs with a key of its own. */
export function signer(client_id: string, changes: Changes = {}): ClientEntry {
  return spa(client_id, {
    token_endpoint_auth_method: 'private_key_jwt',
    jwks: { keys: [{ ...signingKey.publicJwk }] },
    grant_types: ['authorization_code', 'client_credentials'],
    ...changes,
  });
}
