import type { LoginCause, LoginPage } from '../oauth/endpoints/endpoint.ts';
import { displayName, type TestUser } from '../oauth/users/user.ts';
import { targetHost } from './client-facts.ts';
import type { LoginView } from './views.ts';

/** A user's card on the login page. */
export interface UserCard {
  readonly sub: string;
  readonly name: string;
  readonly initial: string;
  readonly email: string;
  /** From the claims, in words: `admin`, `e-mail not verified`. */
  readonly tags: readonly string[];
  /** Why it stands first: `Last used`, `Asked for by the app`. */
  readonly mark: string;
}

/** What the login template shows, worked out from the request. */
export interface LoginDetails {
  readonly cards: readonly UserCard[];
  /** Whether there are so many that a field to search them helps. */
  readonly searchable: boolean;
  /** The user of the session, when it may be continued. */
  readonly continueAs?: UserCard;
  readonly cause: string;
  readonly pkce: string;
  /** Host of the redirect URI; shown, never a link. */
  readonly target: string;
  /** The rest of the request, name and value, only what was sent. */
  readonly rows: readonly (readonly [name: string, value: string])[];
}

const causes: Readonly<Record<LoginCause, string>> = {
  no_session: '',
  prompt_login: 'The app asks you to sign in again (prompt=login).',
  max_age: 'Your sign-in is older than the app accepts (max_age).',
  select_account: 'The app asks you to choose an account (prompt=select_account).',
  acr_values: 'The app asks for another strength of login (acr_values).',
  hint: 'The app expects somebody else than who is signed in.',
};

/** Whether there are so many users to pick from that a field to search them helps. */
export function needsSearch(mode: 'picker' | 'password', users: number): boolean {
  return mode === 'picker' && users > 8;
}

const mayContinue: ReadonlySet<LoginCause> = new Set(['select_account', 'no_session']);

export function loginDetails(view: LoginView): LoginDetails {
  const { request, session, cause } = view.page;
  const current = session && view.users.find(user => user.sub === session.sub);
  return {
    cards: userCards(view),
    searchable: needsSearch(view.mode, view.users.length),
    ...(current && mayContinue.has(cause) ? { continueAs: userCard(current, 'Signed in') } : {}),
    cause: causes[cause],
    pkce: request.code_challenge === undefined ? 'not used' : `${request.code_challenge_method ?? 'plain'} ok`,
    target: targetHost(request.redirect_uri),
    rows: requestRows(view),
  };
}

/** Hinted first, then last used, then as configured. */
export function userCards({
  page,
  users,
  lastUsed,
}: Pick<LoginView, 'users' | 'lastUsed'> & { readonly page: Pick<LoginPage, 'hinted'> }): UserCard[] {
  const marked = users.map(user => {
    if (user.sub === page.hinted?.sub) return { user, mark: 'Asked for by the app', rank: 0 };
    if (user.sub === lastUsed) return { user, mark: 'Last used', rank: 1 };
    return { user, mark: '', rank: 2 };
  });
  return marked.sort((a, b) => a.rank - b.rank).map(({ user, mark }) => userCard(user, mark));
}

export function userCard(user: TestUser, mark: string): UserCard {
  const { email } = user.claims;
  const name = displayName(user);
  return {
    sub: user.sub,
    name,
    initial: [...name][0]?.toUpperCase() ?? '?',
    email: typeof email === 'string' ? email : user.sub,
    tags: userTags(user),
    mark,
  };
}

/** What is special about a user, in words from the claims: `admin`, `e-mail not verified`. */
export function userTags({ claims, access_token_claims }: TestUser): string[] {
  const tags = new Set([...words(claims.roles), ...words(access_token_claims.roles), ...words(claims.groups)]);
  if (claims.email_verified === false) tags.add('e-mail not verified');
  return [...tags];
}

function words(claim: unknown): string[] {
  return Array.isArray(claim) ? claim.filter(word => typeof word === 'string') : [];
}

function requestRows({ page }: LoginView): [string, string][] {
  const { request, client } = page;
  const rows: [string, string | undefined][] = [
    ['client_id', client.client_id],
    ['redirect_uri', request.redirect_uri],
    ['response_type', request.response_type],
    ['response_mode', request.response_mode],
    ['scope', request.scopes.join(' ')],
    ['state', request.state === undefined ? 'not sent' : 'present'],
    ['nonce', request.nonce === undefined ? 'not sent' : 'present'],
    ['prompt', request.prompt.join(' ')],
    ['max_age', request.max_age === undefined ? undefined : `${request.max_age} s`],
    ['login_hint', request.login_hint],
    ['id_token_hint', request.id_token_hint === undefined ? undefined : 'present'],
    ['acr_values', request.acr_values.join(' ')],
    ['ui_locales', request.ui_locales],
    ['claims', request.claims === undefined ? undefined : JSON.stringify(request.claims)],
    ['authorization_details', request.authorization_details?.map(({ type }) => type).join(' ')],
    ['resource', request.resources.join(' ')],
  ];
  return rows.filter((row): row is [string, string] => row[1] !== undefined && row[1] !== '');
}
