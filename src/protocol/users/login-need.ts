import type { LoginRule } from '../../base/events/event.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import type { RegisteredClient } from '../clients/client.ts';
import { essentialAcr, reachableAcr } from '../requests/acr.ts';
import type { AuthorizationRequest } from '../requests/authorization-request.ts';
import type { Session } from './session.ts';
import type { TestUser } from './user.ts';

/** Why the user is asked, in the words of the request. */
export type LoginCause = 'no_session' | 'prompt_login' | 'max_age' | 'hint' | 'acr_values' | 'select_account';

export interface LoginNeed {
  readonly cause: LoginCause;
  /** From `login_hint` or `id_token_hint`, if it names a known user. */
  readonly hinted?: TestUser;
}

/**
 * The reason to ask the user before a code is issued (OIDC Core §3.1.2.3); undefined if the session is enough. With
 * `prompt=none` only the reasons count that make a silent answer wrong. `hintSub` is the user of the `id_token_hint`; it
 * takes precedence over `login_hint`, even if that user is no longer known.
 */
export function whyAsk(
  server: AuthorizationServer,
  asked: AuthorizationRequest,
  session: Session | undefined,
  hintSub: string | undefined,
): LoginNeed | undefined {
  const sub = hintSub ?? findUser(server, asked.login_hint ?? '')?.sub;
  const cause = causeOf(server, asked, session, sub);
  if (cause === undefined) return undefined;
  const hinted = sub === undefined ? undefined : server.users.get(sub);
  return { cause, hinted };
}

function causeOf(
  server: AuthorizationServer,
  asked: AuthorizationRequest,
  session: Session | undefined,
  hinted: string | undefined,
): LoginCause | undefined {
  const { prompt, max_age } = asked;
  if (session === undefined) return 'no_session';
  if (prompt.includes('login')) return 'prompt_login';
  // `max_age=0` means `prompt=login` (OIDC Core §3.1.2.1): no login is recent enough
  if (max_age === 0 || (max_age !== undefined && server.clock() - session.auth_time > max_age)) return 'max_age';
  if (hinted !== undefined && hinted !== session.sub) return 'hint';
  const acr = reachableAcr(server, asked);
  const isOtherAcr = acr.length > 0 && !acr.includes(session.acr);
  if (isOtherAcr && essentialAcr(asked) !== undefined) return 'acr_values';
  if (prompt.includes('none')) return undefined; // acr_values are voluntary (OIDC Core §5.5.1.1)
  if (isOtherAcr) return 'acr_values';
  return prompt.includes('select_account') ? 'select_account' : undefined;
}

/** Finds a user by a typed name: `sub`, username, e-mail address, or the login name of the dialect. */
export function findUser(server: AuthorizationServer, typed: string): TestUser | undefined {
  if (typed === '') return undefined; // many users have no e-mail address
  const byId = server.users.get(typed);
  if (byId !== undefined) return byId;
  const folded = typed.toLowerCase();
  const fits = (user: TestUser) =>
    [user.username, user.claims.email, server.dialect?.loginName?.(server, user)].some(
      name => String(name ?? '').toLowerCase() === folded,
    );
  return [...server.users.values()].find(fits);
}

/** A login without a click: the rule, and the user it names by `sub`, username or e-mail address. */
export interface RuledLogin {
  readonly by: Exclude<LoginRule, 'click' | 'password' | 'next_login' | 'control'>;
  readonly named: string;
}

/** The first rule that names a user: `sandbox_login`, then `login_hint`, the client's rule, the server's rule. */
export function ruledLogin(
  { autoLogin }: Pick<AuthorizationServer, 'autoLogin'>,
  { auto_login }: Pick<RegisteredClient, 'auto_login'>,
  { login_hint }: Pick<AuthorizationRequest, 'login_hint'>,
  sandbox_login: string | undefined,
): RuledLogin | undefined {
  if (sandbox_login !== undefined) return { by: 'sandbox_login', named: sandbox_login };
  if (autoLogin.byHint && login_hint !== undefined) return { by: 'login_hint', named: login_hint };
  if (auto_login !== undefined) return { by: 'client', named: auto_login };
  return autoLogin.user === undefined ? undefined : { by: 'environment', named: autoLogin.user };
}

/** True if a request asks for a page (OIDC Core §3.1.2.1), and the sandbox is set to show it then. */
export function isPageWanted(
  { autoLogin }: Pick<AuthorizationServer, 'autoLogin'>,
  { prompt }: Pick<AuthorizationRequest, 'prompt'>,
): boolean {
  return autoLogin.prompt === 'show' && (prompt.includes('login') || prompt.includes('select_account'));
}
