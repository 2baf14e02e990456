import type { BrowserState } from '../control/browser-state.ts';
import type { FaultControl, SandboxFaults } from '../control/faults.ts';
import type { LoginCallback, LoginCode } from '../control/login.ts';
import type { LoginAction, LoginRequest } from '../control/login-request.ts';
import type { MintedToken } from '../control/mint.ts';
import type { MintRequest } from '../control/mint-request.ts';
import type { EventLog } from '../events/event-log.ts';
import type { AuthorizationServer } from '../oauth/authorization-server.ts';
import type { TokenResponse } from '../oauth/tokens/issue-tokens.ts';

/** What a test asks of an issuer in the same process, where a user would have to click. */
export interface Calls {
  /**
   * A token for any client, user, scope and audience, with any claims, lifetime and header, and with any named defect.
   * @throws TypeError for what cannot be
   */
  issueToken(request: MintRequest): Promise<MintedToken>;
  /** See `Login`. */
  readonly login: Login;
  /** What goes wrong on purpose. */
  readonly faults: SandboxFaults;
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

/** What they need is loaded by the first of them. */
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
