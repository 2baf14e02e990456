import type { Emit } from '../../events/event.ts';
import type { AuthorizationRequest } from '../authorization-request.ts';
import type { AuthorizationResponse } from '../authorization-response.ts';
import type { RegisteredClient } from '../client.ts';
import type { ClientCertificate } from '../confirmation.ts';
import type { LoginCause } from '../login-need.ts';
import type { RequestParameters } from '../parameters.ts';
import type { Session } from '../session.ts';
import type { TestUser } from '../user.ts';

export type { LoginCause } from '../login-need.ts';

/** A request as an endpoint sees it: no HTTP framework, no cookies, no log. */
export interface EndpointRequest {
  readonly method: string;
  /** Of the address, without the query. */
  readonly path: string;
  readonly parameters: RequestParameters;
  /** The `Authorization` header. */
  readonly authorization?: string;
  /** The `DPoP` header (RFC 9449 §4.1); of several, all with commas between. */
  readonly dpop?: string;
  /** Of the TLS connection (RFC 8705). */
  readonly certificate?: ClientCertificate;
  /** The `Accept` header. */
  readonly accept?: string;
  /** The body of a request that brings JSON (RFC 7591 §3.1). */
  readonly json?: unknown;
  /** From the session cookie. */
  readonly sessionId?: string;
  /** Where this request is explained, for `error_uri` (RFC 6749 §5.2). */
  readonly errorUri?: string;
  readonly emit: Emit;
}

type Headers = Readonly<Record<string, string>>;

/** An answer as a value; `http/` writes it. */
export type Reply =
  | { readonly kind: 'json'; readonly status: number; readonly body: object; readonly headers?: Headers }
  /** Such as `application/jwt`. */
  | { readonly kind: 'text'; readonly type: string; readonly body: string; readonly headers?: Headers }
  | { readonly kind: 'empty' }
  | AuthorizationResponse
  | { readonly kind: 'page'; readonly page: Page };

/** The pages the protocol needs, as data; `http/views.ts` gives each its template. */
export type Page =
  | ({ readonly name: 'login' } & LoginPage)
  | ({ readonly name: 'logout' } & LogoutPage)
  | ({ readonly name: 'logged-out' } & LoggedOutPage);

export interface LoginPage {
  readonly client: RegisteredClient;
  readonly request: AuthorizationRequest;
  readonly cause: LoginCause;
  readonly session?: Session;
  /** From `login_hint` or `id_token_hint`, when it names somebody we know. */
  readonly hinted?: TestUser;
}

export interface LogoutPage {
  readonly session: Session;
  readonly client?: RegisteredClient;
  /** The checked request, to be sent again with the confirmation. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Where the browser goes after the confirmation; registered. */
  readonly post_logout_redirect_uri?: string;
}

export interface LoggedOutPage {
  /** Absent when nobody was logged in. */
  readonly sub?: string;
  /** Where the application wants the user back, when that is registered. */
  readonly returnTo?: string;
}
