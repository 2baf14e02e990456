import type { LoginRule } from '../../base/events/event.ts';
import { expectedName } from '../../base/text/nearest.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import { OAuthError } from '../errors.ts';
import { parameter, shorten } from '../parameters.ts';
import { reachableAcr } from '../requests/acr.ts';
import { formatScope } from '../scope.ts';
import { consentItems, mayNeedConsent, putDecision } from '../users/consent.ts';
import { loginClaims } from '../users/login-claims.ts';
import { findUser, isPageWanted, type LoginNeed, type RuledLogin, ruledLogin } from '../users/login-need.ts';
import { type NextLogin, takeNextLogin } from '../users/next-login.ts';
import type { Session } from '../users/session.ts';
import type { TestUser } from '../users/user.ts';
import type { Trusted } from './endpoint.ts';
import { beginSession } from './sessions.ts';

/** Facts about the user of a request before the login page is shown. */
export interface LoginState {
  readonly session: Session | undefined;
  readonly need: LoginNeed | undefined;
  /** A login has already answered this same request. */
  readonly isAsked: boolean;
  /** The `sub` of the only user the request accepts (OIDC Core §3.1.2.2). */
  readonly wanted: string | undefined;
}

/** A login without a click: set for the next login, or by a rule. */
export interface AutomaticLogin extends Pick<NextLogin, 'claims' | 'action'> {
  readonly by: LoginRule;
  readonly named: string;
}

/** The login without a click, if there is one: never with `prompt=none`, nor for a request that had its login. */
export async function automaticLogin(
  trusted: Trusted,
  { session, need, isAsked }: LoginState,
): Promise<AutomaticLogin | undefined> {
  const { server, target, asked } = trusted;
  if (asked.prompt.includes('none') || isAsked) return undefined;
  const next = await takeNextLogin(server, target.client.client_id);
  if (next !== undefined) {
    const { sub: named = '', claims, action } = next;
    return { by: 'next_login', named, claims, action };
  }
  const login = loginByRule(trusted);
  if (login === undefined || isPageWanted(server, asked)) return undefined;
  const isOther = login.by === 'sandbox_login' && findUser(server, login.named)?.sub !== session?.sub;
  return need === undefined && !isOther ? undefined : login;
}

/** The login without a click by the first rule. Next to a pushed or signed request `sandbox_login` may be a plain parameter. */
export function loginByRule({ server, request, target, asked, effective }: Trusted): RuledLogin | undefined {
  const sandboxLogin =
    parameter(effective.parameters, 'sandbox_login') ?? parameter(request.parameters, 'sandbox_login');
  return ruledLogin(server, target.client, asked, sandboxLogin);
}

/**
 * Starts the session of the user that the rule names.
 * @throws login_required if there is no such user, or the request is about another one
 */
export async function signInAutomatically(
  { server, request: { emit }, asked }: Trusted,
  { session: previous, wanted }: LoginState,
  { by, named, claims }: AutomaticLogin,
): Promise<Session> {
  const user = namedUser(server, by, named);
  if (wanted !== undefined && wanted !== user.sub) {
    const description = `${ruleNames[by]} signs in without a click, but as a different user than the request names`;
    const details = { sent: shorten(user.sub), expected: 'the user of id_token_hint, or of sub in claims' };
    throw new OAuthError('login_required', 'hint_of_another_user', description, details);
  }
  const [acr] = reachableAcr(server, asked);
  const edited = claims === undefined ? undefined : loginClaims(user, claims, { isComplete: false });
  const facts = { user, method: 'click', edited, previous, acr } as const;
  const silently = by !== 'next_login' && asked.prompt.includes('login');
  return beginSession(server, facts, { by, client_id: asked.client_id, silently }, emit);
}

const ruleNames: Readonly<Record<LoginRule, string>> = {
  click: 'a click',
  password: 'a password',
  next_login: 'nextLogin',
  sandbox_login: 'sandbox_login',
  login_hint: 'login_hint (AUTO_LOGIN=hint)',
  client: 'auto_login of the client',
  environment: 'AUTO_LOGIN',
  control: 'login',
};

/**
 * The user that a rule names. An unknown name is an error and never leads to the login page, because an automated test
 * has nobody to click there.
 * @throws login_required; invalid_request if the request itself names the user
 */
export function namedUser(server: AuthorizationServer, by: LoginRule, named: string): TestUser {
  const user = findUser(server, named);
  if (user !== undefined) return user;
  const users = [...server.users.values()].filter(user => !user.isVisitor).map(({ sub }) => sub);
  const expected = shorten(expectedName(named, users));
  const code = by === 'sandbox_login' ? 'invalid_request' : 'login_required';
  const description = `${ruleNames[by]} signs in without a click, but its user does not exist`;
  throw new OAuthError(code, 'automatic_login_user_unknown', description, { sent: shorten(named), expected });
}

/** Allows everything that the consent screen would ask the user for. */
export async function approveEverything({ server, request, target, asked }: Trusted, session: Session): Promise<void> {
  if (!mayNeedConsent(target.client, asked)) return;
  await putDecision(server, session, asked, consentItems(server, asked));
  const who = { sub: session.sub, client_id: asked.client_id, scope: formatScope(asked.scopes) };
  request.emit({ type: 'consent.granted', ...who, withheld: [], remembered: false });
}
