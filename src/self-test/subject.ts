import type { JWK } from 'jose';
import type { Door, Identity } from './http.ts';
import type { Json } from './json.ts';

/** The issuer that is tested, and what its keeper can do for the test that no client can. */
export interface TestedIssuer {
  readonly issuer: string;
  readonly door: Door;
  /** Somebody who can sign in, and has every claim. */
  readonly user: { readonly sub: string; readonly username: string; readonly password: string };
  /** The server's idea of now, in Unix seconds. */
  readonly clock: () => number;
  /** The page where users decide about backchannel requests, which no document names. */
  readonly approvalsUrl: string;
  /** Where registration asks for one. */
  readonly initialAccessToken?: string;
  /** What a request of authorization details of each type may look like (RFC 9396 §2). */
  readonly exampleDetails: ReadonlyMap<string, Json>;
  /** @throws where the metadata is not good */
  register(metadata: Json): Promise<void>;
  /** Believes the JWTs of somebody else from now on (RFC 7523 §3). */
  trust(issuer: string, jwks: { readonly keys: readonly JWK[] }): void;
  /** A client certificate, and whether the server trusts its CA. Absent where there is no HTTPS. */
  readonly certify?: (subjectDn: string) => Promise<{ readonly identity: Identity; readonly isTrusted: boolean }>;
}
