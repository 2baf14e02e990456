import type { LoginRule } from '../../events/event.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import type { RegisteredClient } from '../clients/client.ts';
import type { AuthorizationRequest } from '../requests/authorization-request.ts';

/** A login that needs no click: by which rule, and whom that names, as a `sub`, a username or an e-mail address. */
export interface RuledLogin {
  readonly by: Exclude<LoginRule, 'click' | 'password' | 'next_login' | 'control'>;
  readonly named: string;
}

/** The first rule that names somebody: the request's own, then `login_hint`, the client's, the environment's. */
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
