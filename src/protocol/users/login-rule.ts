import type { LoginRule } from '../../base/events/event.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import type { RegisteredClient } from '../clients/client.ts';
import type { AuthorizationRequest } from '../requests/authorization-request.ts';

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
