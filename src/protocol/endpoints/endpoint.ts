import type { Emit } from '../../base/events/event.ts';
import type { AuthorizationDetail, ClientCertificate } from '../authorization.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import type { RegisteredClient } from '../clients/client.ts';
import type { RequestParameters } from '../parameters.ts';
import type { AuthorizationRequest } from '../requests/authorization-request.ts';
import type { AuthorizationResponse, ResponseTarget } from '../requests/authorization-response.ts';
import type { EffectiveRequest } from '../requests/effective-request.ts';
import type { LogoutNotice } from '../tokens/notify-logout.ts';
import type { LoginCause, RuledLogin } from '../users/login-need.ts';
import type { Session } from '../users/session.ts';
import type { TestUser } from '../users/user.ts';

export type { LoginCause } from '../users/login-need.ts';

/** A request as an endpoint sees it: no HTTP framework, no cookies, no log. */
export interface EndpointRequest {
  readonly method: string;
  /** Path of the address, without the query. */
  readonly path: string;
  readonly parameters: RequestParameters;
  /** True if the caller used the back-channel URL instead of the issuer. */
  readonly isBackchannel?: true;
  /** The `Authorization` header. */
  readonly authorization?: string;
  /** The `DPoP` header (RFC 9449 §4.1); several headers are joined by commas. */
  readonly dpop?: string;
  /** Certificate of the TLS connection (RFC 8705). */
  readonly certificate?: ClientCertificate;
  /** The `Accept` header. */
  readonly accept?: string;
  /** The `Origin` header: the page of a browser that sends the request. */
  readonly origin?: string;
  /** The body of a JSON request (RFC 7591 §3.1). */
  readonly json?: unknown;
  /** From the session cookie. */
  readonly sessionId?: string;
  /** From the cookie of a browser that remembers consents. */
  readonly browserId?: string;
  /** Address of the explanation of this request, for `error_uri` (RFC 6749 §5.2). */
  readonly errorUri?: string;
  readonly emit: Emit;
}

type Headers = Readonly<Record<string, string>>;

/** An answer as a value, which `http/` writes. `signedIn` is a session that began with it; the browser gets its cookie. */
export type Reply = AnyReply & { readonly signedIn?: Session };

type AnyReply =
  | { readonly kind: 'json'; readonly status: number; readonly body: object; readonly headers?: Headers }
  /** Such as `application/jwt`. */
  | { readonly kind: 'text'; readonly type: string; readonly body: string; readonly headers?: Headers }
  | { readonly kind: 'empty' }
  | AuthorizationResponse
  /** The same redirect, and the browser forgets its session. */
  | { readonly kind: 'redirect'; readonly location: string; readonly loggedOut: true }
  | { readonly kind: 'page'; readonly page: Page };

/** The pages the protocol needs, as data; `http/views.ts` gives each its template. */
export type Page =
  | ({ readonly name: 'login' } & LoginPage)
  | ({ readonly name: 'no-answer' } & NoAnswerPage)
  | ({ readonly name: 'consent' } & ConsentPage)
  | ({ readonly name: 'sign-in' } & SignInPage)
  | ({ readonly name: 'device' } & DevicePage)
  | ({ readonly name: 'approvals' } & ApprovalsPage)
  | ({ readonly name: 'logout' } & LogoutPage)
  | ({ readonly name: 'logged-out' } & LoggedOutPage)
  /** In an iframe of an application: tells it when the login has changed (OIDC Session Management §3.2). */
  | { readonly name: 'check-session' };

export interface LoginPage {
  readonly client: RegisteredClient;
  readonly request: AuthorizationRequest;
  readonly cause: LoginCause;
  readonly session?: Session;
  /** From `login_hint` or `id_token_hint`, if it names a known user. */
  readonly hinted?: TestUser;
  /** The rule that would have signed a user in if the request had not asked for the page. */
  readonly heldBack?: RuledLogin;
}

/** Shown when somebody chose that the client gets no answer. */
export interface NoAnswerPage {
  readonly client: RegisteredClient;
  readonly redirect_uri: string;
}

export interface ConsentPage {
  readonly client: RegisteredClient;
  readonly request: AuthorizationRequest;
  readonly session: Session;
}

export interface LogoutPage {
  readonly session: Session;
  readonly client?: RegisteredClient;
  /** Clients that received a code or token in this session; `isTold` if they will be notified of the logout. */
  readonly clients: readonly {
    readonly client_id: string;
    readonly client_name: string;
    readonly isTold: boolean;
  }[];
  /** The checked request, to be sent again with the confirmation. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Where the browser goes after the confirmation; registered. */
  readonly post_logout_redirect_uri?: string;
}

export interface LoggedOutPage {
  /** Absent when nobody was logged in. */
  readonly sub?: string;
  /** Address at which the application wants the user back, if it is registered. */
  readonly returnTo?: string;
  /** Notices to the clients. The page loads those of the front channel before it redirects. */
  readonly notices: readonly LogoutNotice[];
  /** Languages of the user, the preferred first (OIDC RP-Initiated Logout §2). */
  readonly ui_locales?: string;
}

/** A login that leads to a page of the sandbox, not to a client. */
export interface SignInPage {
  /** The page the user signs in for. */
  readonly purpose: 'device' | 'approvals';
  /** Session of the signed-in user, who may switch to another user. */
  readonly session?: Session;
  /** The expected user. */
  readonly hinted?: TestUser;
}

/** Access that a client asks a user for. */
export interface Asked {
  readonly client: RegisteredClient;
  readonly scopes: readonly string[];
  readonly resources: readonly string[];
  readonly authorization_details: readonly AuthorizationDetail[];
  /** Seconds. */
  readonly expiresIn: number;
}

/** Why a user code is not accepted. */
export type UserCodeProblem = 'unknown' | 'expired' | 'used';

/** The page on which the user of a device types its code, decides, and sees the result (RFC 8628 §3.3). */
export type DevicePage = { readonly session: Session } & (
  | { readonly step: 'enter'; readonly typed?: string; readonly problem?: UserCodeProblem }
  | {
      readonly step: 'confirm';
      readonly user_code: string;
      readonly asked: Asked;
      /** True if another user is signed in than when the page was shown. */
      readonly userChanged: boolean;
      /** The page asks to compare the code with the device, and warns of codes that somebody sent. Only `device_warning` leaves this out. */
      readonly warns: boolean;
    }
  | { readonly step: 'done'; readonly decision: 'approved' | 'denied'; readonly client: RegisteredClient }
);

/** Requests that wait for the decision of the signed-in user (OIDC CIBA §8). */
export interface ApprovalsPage {
  readonly session: Session;
  readonly waiting: readonly (Asked & { readonly id: string; readonly binding_message?: string })[];
  /** The decision made a moment ago. */
  readonly outcome?: {
    readonly client?: RegisteredClient;
    /** `gone` if it was no longer there: expired, or decided elsewhere. */
    readonly decision: 'approved' | 'denied' | 'gone';
  };
}

/** A request whose client and redirect URI are trusted, and whose parameters are checked. */
export interface Trusted {
  readonly server: AuthorizationServer;
  readonly request: EndpointRequest;
  readonly target: ResponseTarget;
  readonly asked: AuthorizationRequest;
  readonly effective: EffectiveRequest;
}
