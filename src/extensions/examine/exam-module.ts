import type { EventOf } from '../../base/events/event.ts';
import type { RecordedRequest } from '../../record/flows/recorded-request.ts';
import type { SandboxIssuer } from '../../sandbox/library/calls.ts';
import type { AskedFault } from '../../server/faults/fault.ts';
import type { McpCall } from './mcp/serve-mcp.ts';

/**
 * The result of a module. `not_applicable`: the app never met what is wrong. `inconclusive`: it met it, and nobody can tell
 * what it made of it.
 */
export type ExamVerdict = 'pass' | 'warn' | 'fail' | 'not_applicable' | 'inconclusive';

/** A step of a module in the app: sign in, sign out, or only ask whether somebody is signed in. */
export type ExamStep = 'sign-in' | 'sign-out' | 'check';

/** One misbehaving provider, and what a right app does with it. */
export interface ExamModule {
  /** Unique in its plan; where a suite has the module, its name there: `invalid-iss`. */
  readonly id: string;
  /** The full name in the suite of the OpenID Foundation or of MCP, for results that are compared; absent for modules of our own. */
  readonly suite?: string;
  /** The deed of the provider, as a sentence without a full stop. */
  readonly title: string;
  /** `OIDC Core §3.1.3.7` */
  readonly references: readonly string[];
  /** The gain of an attacker, or the loss of a user, if the app does it wrong. One sentence. */
  readonly gain: string;
  /** The deed of a right app. One sentence. */
  readonly right: string;
  /** How to mend it: the usual place, whatever the library. One sentence. */
  readonly mend: string;
  /** Steps without which the module says nothing; they are beside the sign-in. Default: none. */
  readonly steps?: readonly ExamStep[];
  /** Makes the provider misbehave, drives the app, and returns what came of it. */
  run(stage: Stage): Promise<Taken>;
  judge(seen: Seen): Judged;
}

/** The facts that an MCP client is given. */
export interface ExamMcpServer {
  readonly url: string;
  /** A registration that was made for the app, where the module is about one: `client_id`, `client_secret`, `private_key_pem`. */
  readonly client?: Readonly<Record<string, string>>;
}

/** More about the sign-in of a module. */
export interface MoreForSignIn {
  readonly mcp?: ExamMcpServer;
  /** How often the app may send the user to the provider. Default: once. */
  readonly logins?: number;
  /** A second issuer, at which the user is signed in, too. */
  readonly second?: SandboxIssuer | undefined;
  /** The issuer that the app is told. Default: the one of this run. */
  readonly by?: SandboxIssuer;
}

/** The answer of a user to the requests that wait on another device. */
export interface CibaAnswer {
  readonly sub: string;
  readonly isAllowed: boolean;
  /** Whether a client that wants it is notified. */
  readonly isPinged: boolean;
}

/** The tools of a module: an issuer for this run alone, and the app. */
export interface Stage {
  readonly issuer: SandboxIssuer;
  /** The `client_id` of the app, as its baseline sent it. */
  readonly clientId: string;
  /** The `redirect_uri` of the app, as its baseline sent it. */
  readonly redirectUri: string;
  /** The metadata of the issuer, as text. */
  metadata(): Promise<string>;
  /** The address of an endpoint, by its member of the metadata. */
  endpoint(
    member: 'authorization_endpoint' | 'token_endpoint' | 'userinfo_endpoint' | 'jwks_uri' | 'end_session_endpoint',
    of?: SandboxIssuer,
  ): Promise<string>;
  /** Arms a fault for every request, unless it says how many. */
  arm(fault: AskedFault): Promise<void>;
  /** Signs in to the app once. */
  signIn(more?: MoreForSignIn): Promise<Taken>;
  /** Answers the requests that wait for a user, in place of the user (OIDC CIBA §8). */
  decide(answer: CibaAnswer): Promise<void>;
  /** Makes a second issuer for this module; `Seen.elsewhere` has its requests. */
  another(config?: object): Promise<SandboxIssuer>;
  /** Whether somebody can do this step. */
  can(step: ExamStep): boolean;
  /** Signs out of the app, in the browser of the latest sign-in. */
  signOut(): Promise<Taken>;
  /** Asks the app in that browser whether somebody is signed in. The browser opens the address `open` before. */
  check(open?: string): Promise<Taken>;
}

/** The end of a step in the app, as its driver tells. */
export interface Taken {
  /** True: it believes that somebody is signed in. Undefined: it did not say so in time. */
  readonly believed: boolean | undefined;
  /** The last lines that it said, for the report; empty for none. */
  readonly said: string;
  /** The calls of the MCP server of the module, oldest first. */
  readonly calls?: readonly McpCall[];
  /** The page of the app, as far as the driver sees it. */
  readonly page?: ExamPage | undefined;
}

/** The page of an app at the end of a step. */
export interface ExamPage {
  /** Its whole address. */
  readonly url?: string | undefined;
  /** All that it keeps in localStorage and sessionStorage, as one text. */
  readonly stored?: string | undefined;
}

/** All that was seen of a module: the answer of the driver, and each request since its beginning, oldest first. */
export interface Seen extends Taken {
  readonly requests: readonly RecordedRequest[];
  /** The id of the newest event at the beginning of each sign-in. */
  readonly signIns: readonly number[];
  /** The same for each check. */
  readonly checks: readonly number[];
  /** The requests whose answer a fault of this module changed. */
  readonly baited: readonly RecordedRequest[];
  /** The logout notices of the provider to its clients, oldest first. */
  readonly notices: readonly LogoutTold[];
  /** The requests to the second issuer of the module, oldest first. */
  readonly elsewhere: readonly RecordedRequest[];
  /** The requests of one endpoint, by its name in events. */
  at(endpoint: string): readonly RecordedRequest[];
}

/** A logout notice to a client, and its answer. */
export type LogoutTold = EventOf<'logout.notified'>;

/** A verdict with its reason and the requests that show it. */
export interface Judged {
  readonly verdict: ExamVerdict;
  /** One or two sentences. */
  readonly why: string;
  readonly requests: readonly RecordedRequest[];
  /** Notices to the app that show it. Default: none. */
  readonly notices?: readonly LogoutTold[];
  /** Calls of a server of the module that show it. Default: none. */
  readonly calls?: readonly McpCall[];
}

/** A list of modules that belong together. The first is the baseline: nothing is wrong in it. */
export interface ExamPlan {
  /** `relying-party` */
  readonly id: string;
  readonly title: string;
  /** One sentence: whom it is for. */
  readonly about: string;
  readonly modules: readonly ExamModule[];
}
