import type { SandboxClock } from '../../base/clock.ts';
import type { ResetPart } from '../../base/events/configuration-events.ts';
import type { EventLog } from '../../base/events/event-log.ts';
import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import type { TokenRule } from '../../protocol/token-rule.ts';
import type { TokenResponse } from '../../protocol/tokens/issue-tokens.ts';
import type { NextLogin } from '../../protocol/users/next-login.ts';
import type { BrowserState } from '../control/browser-state.ts';
import type { FaultControl, SandboxFaults } from '../control/faults.ts';
import type { IssuerEntries } from '../control/library-entries.ts';
import type { LoginCallback, LoginCode } from '../control/login.ts';
import type { LoginAction, LoginRequest } from '../control/login-request.ts';
import type { MintedToken } from '../control/mint.ts';
import type { MintRequest } from '../control/mint-request.ts';
import type { ShortLived } from '../control/short-lived.ts';
import type { IssuerMembers } from '../sandbox-members.ts';

/** An issuer of a sandbox in this process. */
export interface SandboxIssuer extends IssuerCalls, IssuerEntries, IssuerMembers {
  /** The log of everything that happened at this issuer. */
  readonly events: EventLog;
  /** The clock of the issuer: reads the time in Unix seconds and moves it. */
  readonly clock: SandboxClock;
}

/** An issuer created at run time. */
export interface ShortLivedIssuer extends SandboxIssuer, ShortLived {
  /** Ends the issuer and deletes its state. Its path answers 410 from then on. */
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Functions a test in the same process calls on an issuer, where a user would have to click. */
export interface Calls {
  /**
   * Mints a token for any client, user, scope and audience, with any claims, lifetime in seconds and header, and with
   * any named defect.
   * @throws TypeError for impossible options
   */
  issueToken(request: MintRequest): Promise<MintedToken>;
  /** See `Login`. */
  readonly login: Login;
  /** Faults to inject. */
  readonly faults: SandboxFaults;
  /** Rules that add claims to tokens. */
  readonly tokenClaims: SandboxTokenClaims;
}

/** The rules that add claims to tokens, while the sandbox runs. */
export interface SandboxTokenClaims {
  /** The rules in effect, in their order. */
  list(): Promise<readonly TokenRule[]>;
  /**
   * Replaces all rules until a reset. They count from the next token on.
   * @throws TypeError for a rule that a configuration file could not have
   */
  replace(rules: readonly TokenRule[]): Promise<readonly TokenRule[]>;
}

/** The calls on an issuer that runs in this process or elsewhere. */
export interface IssuerCalls extends Calls {
  /** The issuer identifier (RFC 8414 §2): the URL that clients are configured with. */
  readonly issuer: string;
  /**
   * Signs this user in at the next sign-in, without a click, or answers that sign-in with an error. It waits ten minutes
   * for the sign-in; several calls apply in their order.
   * @throws TypeError for an unknown user, client or action
   */
  nextLogin(login: NextLogin): Promise<void>;
  /**
   * Creates a new signing key for each algorithm in use. The old keys stay in the JWK Set until their tokens have expired;
   * with `unpublish` they leave it at once, as after a leak.
   */
  rotateKeys(options?: { readonly unpublish?: boolean }): Promise<void>;
  /**
   * Resets the issuer to its state at the start; keys stay. `part` limits the reset: `history` (events),
   * `configuration` (clients, users, scopes, collections and rules for claims), `resources` (rows of the sample backend), `sessions`
   * (sign-ins), `clock`, `faults`.
   */
  reset(part?: ResetPart): Promise<void>;
}

/**
 * Signs a user in at a client without a browser, under the same rules as in a browser. Returns the callback URL with its
 * code, the token response (`as: 'tokens'`), or cookies and storage for Playwright (`as: 'browser'`).
 * @throws TypeError with the reason of a refusal
 */
export interface Login {
  (request: LoginRequest & { readonly as: 'tokens' }): Promise<TokenResponse>;
  (request: LoginRequest & { readonly as: 'browser' }): Promise<BrowserState>;
  (request: LoginRequest & { readonly as?: 'code'; readonly action: LoginAction }): Promise<LoginCallback>;
  (request: LoginRequest & { readonly as?: 'code'; readonly action?: undefined }): Promise<LoginCode>;
}

/** The first call loads the modules it needs. */
export function createCalls(server: AuthorizationServer, events: EventLog, faults: () => Promise<FaultControl>): Calls {
  const called = { server, events };
  return {
    async issueToken(request) {
      const { issueTokenHere } = await import('../control/from-library.ts');
      return issueTokenHere(called, request);
    },
    login: (async request => {
      const { loginHere } = await import('../control/from-library.ts');
      return loginHere(called, request);
    }) as Login, // the type depends on `as` and `action`; one function cannot express that
    faults: {
      async arm(order) {
        const { armHere } = await import('../control/faults.ts');
        return armHere(await faults(), order);
      },
      list: async () => (await faults()).list(),
      disarm: async id => (await faults()).disarm(id),
      clear: async () => (await faults()).disarmAll(),
    },
    tokenClaims: {
      list: async () => server.tokenRules?.templates ?? [],
      replace: async rules => (await import('../control/from-library.ts')).replaceRulesHere(called, rules),
    },
  };
}
