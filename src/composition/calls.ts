import type { BrowserState } from '../control/browser-state.ts';
import type { FaultControl, SandboxFaults } from '../control/faults.ts';
import type { LoginCallback, LoginCode } from '../control/login.ts';
import type { LoginAction, LoginRequest } from '../control/login-request.ts';
import type { MintedToken } from '../control/mint.ts';
import type { MintRequest } from '../control/mint-request.ts';
import type { ResetPart } from '../events/configuration-events.ts';
import type { EventLog } from '../events/event-log.ts';
import type { AuthorizationServer } from '../oauth/authorization-server.ts';
import type { TokenResponse } from '../oauth/tokens/issue-tokens.ts';
import type { NextLogin } from '../oauth/users/next-login.ts';
import type { ClientReport } from '../report/report.ts';

/** Functions a test in the same process calls on an issuer, where a user would have to click. */
export interface Calls {
  /**
   * A token for any client, user, scope and audience, with any claims, lifetime and header, and with any named defect.
   * @throws TypeError for what cannot be
   */
  issueToken(request: MintRequest): Promise<MintedToken>;
  /** See `Login`. */
  readonly login: Login;
  /** Faults to inject. */
  readonly faults: SandboxFaults;
}

/** The same, and what else may be done to an issuer, wherever it runs. */
export interface IssuerCalls extends Calls {
  /** The issuer identifier: what clients are configured with. */
  readonly issuer: string;
  /**
   * Signs in this user at the next login, without a click; or answers it with an error. It waits ten minutes for that login, and
   * several are taken in their order.
   * @throws TypeError for a user, client or action that is not there
   */
  nextLogin(login: NextLogin): Promise<void>;
  /** Report on the clients, from the log; of one client if one is named. */
  report(options?: { readonly client?: string }): Promise<ClientReport>;
  /**
   * A new key for each algorithm signs from now on; the old ones stay published until their tokens have expired, or, with
   * `unpublish`, leave the JWK Set at once, as after a leak.
   */
  rotateKeys(options?: { readonly unpublish?: boolean }): Promise<void>;
  /**
   * Forgets logins, codes, tokens, events, changes and changed rows, and shows the real time again; keys stay. Or one part of
   * that: `history` (events), `configuration` (clients, users, scopes and collections), `resources` (rows of the sample backend),
   * `sessions` (logins), `clock`, `faults`.
   */
  reset(part?: ResetPart): Promise<void>;
}

/**
 * Logs a user in at a client without a browser, by the rules that hold for one: the callback with its code, the token response
 * (`as: 'tokens'`), or cookies and storage for Playwright (`as: 'browser'`).
 * @throws TypeError for what is refused, and why
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
    }) as Login, // by `as` and `action`, which a single function cannot say
    faults: {
      async arm(order) {
        const { armHere } = await import('../control/faults.ts');
        return armHere(await faults(), order);
      },
      list: async () => (await faults()).list(),
      disarm: async id => (await faults()).disarm(id),
      clear: async () => (await faults()).disarmAll(),
    },
  };
}
