import type { AuthorizationServer } from '../oauth/authorization-server.ts';
import { type ChosenAnswer, chosenAnswers } from '../oauth/chosen-answer.ts';
import type { LoginCause, LoginPage } from '../oauth/endpoints/endpoint.ts';
import type { ScopeDefinition } from '../oauth/scope.ts';
import type { RuledLogin } from '../oauth/users/login-rule.ts';
import { displayName, type TestUser } from '../oauth/users/user.ts';
import { targetHost } from './client-facts.ts';
import type { EditorState } from './login-again.ts';

export interface LoginView {
  readonly page: LoginPage;
  readonly users: readonly TestUser[];
  /** The `sub` of who signed in last from this browser. */
  readonly lastUsed?: string | undefined;
  readonly mode: 'picker' | 'password';
  /** `/login?<the authorization request>`; every form posts there. */
  readonly action: string;
  /** Of the request, with words for each. */
  readonly scopes: readonly Pick<ScopeDefinition, 'name' | 'description'>[];
  /** What to say above the forms: a refused password. */
  readonly notice?: string | undefined;
  /** The subject or username that was refused, to be corrected; never a password. */
  readonly typed?: string | undefined;
  /** Whom somebody searched for, among more users than fit on the page. */
  readonly search?: string | undefined;
  /** The claims editor, where somebody has used it. */
  readonly editor?: EditorState | undefined;
  readonly autoLogin: AuthorizationServer['autoLogin'];
  /** Of the request that is answered with the page. */
  readonly requestId: string;
  /** What this sandbox lets pass for this client that a real server would not, a sentence each. */
  readonly relaxations: readonly string[];
}

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

/** The users to pick from on a page with a login. */
export interface UserPicker {
  /** Those that fit on the page. */
  readonly cards: readonly UserCard[];
  /** Where there are so many users that a search helps: what was typed, how many there are, and how many were found. */
  readonly search?: { readonly typed: string; readonly all: number; readonly result: string };
}

interface HintedPage {
  readonly page: Pick<LoginPage, 'hinted'>;
}

/** What the login template shows, worked out from the request. */
export interface LoginDetails extends UserPicker {
  /** The user of the session, when it may be continued. */
  readonly continueAs?: UserCard;
  readonly cause: string;
  readonly pkce: string;
  /** Host of the redirect URI; shown, never a link. */
  readonly target: string;
  /** The rest of the request, name and value, only what was sent. */
  readonly rows: readonly (readonly [name: string, value: string])[];
  /** Who would sign in without a click, or how that is done. */
  readonly automation: string;
  /** What can be sent in place of an answer, with words for each. */
  readonly answers: readonly (readonly [code: ChosenAnswer, words: string])[];
  /** Claims that are often needed, each as JSON to put into the editor. */
  readonly chips: readonly (readonly [name: string, claims: string])[];
}

const causes: Readonly<Record<LoginCause, string>> = {
  no_session: '',
  prompt_login: 'The app asks you to sign in again (prompt=login).',
  max_age: 'Your sign-in is older than the app accepts (max_age).',
  select_account: 'The app asks you to choose an account (prompt=select_account).',
  acr_values: 'The app asks for another strength of login (acr_values).',
  hint: 'The app expects somebody else than who is signed in.',
};

const mayContinue: ReadonlySet<LoginCause> = new Set(['select_account', 'no_session']);

export function loginDetails(view: LoginView): LoginDetails {
  const { request, session, cause } = view.page;
  const current = session && view.users.find(user => user.sub === session.sub);
  return {
    ...userPicker(view),
    ...(current && mayContinue.has(cause) ? { continueAs: userCard(current, 'Signed in') } : {}),
    cause: causes[cause],
    pkce: request.code_challenge === undefined ? 'not used' : `${request.code_challenge_method ?? 'plain'} ok`,
    target: targetHost(request.redirect_uri),
    rows: requestRows(view),
    automation: automationWords(view),
    answers: chosenAnswers.map(code => [code, answerWords[code]]),
    chips,
  };
}

/** Those to pick from: whoever came once under a typed name is offered only to who knows them already. */
export function offeredUsers(users: Iterable<TestUser>, known: readonly (string | undefined)[]): TestUser[] {
  return [...users].filter(({ isVisitor, sub }) => !isVisitor || known.includes(sub));
}

/** From so many users on, a search is quicker than a look at all of them. */
const fewCards = 8;

/** More cards than anybody reads; the page stays small, however many users there are. */
const mostCards = 50;

/** Every word that was typed must be in the card: its name, subject, e-mail or tags. */
export function userPicker(view: Pick<LoginView, 'users' | 'lastUsed' | 'mode' | 'search'> & HintedPage): UserPicker {
  const all = userCards(view);
  if (view.mode !== 'picker' || all.length <= fewCards) return { cards: all };
  const typed = view.search ?? '';
  const words = plain(typed).split(/\s+/);
  const found = all.filter(({ sub, name, email, tags }) => {
    const text = plain([name, sub, email, ...tags].join(' '));
    return words.every(word => text.includes(word));
  });
  const cards = found.slice(0, mostCards);
  return { cards, search: { typed, all: all.length, result: resultWords(cards.length, found.length, all.length) } };
}

function resultWords(shown: number, found: number, all: number): string {
  if (found === 0) return 'Nobody here is called that.';
  if (shown < found) return `the first ${shown} of ${found === all ? '' : `${found} found, among `}${all} users`;
  return found === all ? '' : `${found} of ${all} users`;
}

/** Núñez is found by nunez. */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

const answerWords: Readonly<Record<ChosenAnswer, string>> = {
  access_denied: 'The user says no.',
  login_required: 'Nobody is signed in, and nobody may be asked.',
  consent_required: 'The user would have to allow something first.',
  interaction_required: 'The user would have to do something first.',
  account_selection_required: 'The user would have to choose an account first.',
  temporarily_unavailable: 'The server cannot answer just now.',
  server_error: 'The server failed.',
  wrong_state: 'A code with a state your app never sent: it must drop the answer.',
  no_answer: 'As if the user had closed the page: your app waits.',
};

const chips: LoginDetails['chips'] = [
  ['roles', '{"roles":["admin"]}'],
  ['groups', '{"groups":["staff"]}'],
  ['email_verified: false', '{"email_verified":false}'],
  ['acr', '{"acr":"2"}'],
  ['amr', '{"amr":["pwd","otp"]}'],
  ['tenant', '{"tenant":"acme"}'],
];

const ruleNames: Readonly<Record<RuledLogin['by'], string>> = {
  sandbox_login: 'sandbox_login',
  login_hint: 'login_hint (AUTO_LOGIN=hint)',
  client: 'auto_login of the client',
  environment: 'AUTO_LOGIN',
};

function automationWords({ page: { heldBack }, autoLogin }: LoginView): string {
  if (heldBack !== undefined) {
    return `${ruleNames[heldBack.by]} would sign in ${heldBack.named}; AUTO_LOGIN_PROMPT=show shows this page all the same`;
  }
  if (autoLogin.byHint) return 'AUTO_LOGIN=hint signs in whom login_hint names; this request has none';
  return 'none applies; sandbox_login, AUTO_LOGIN or nextLogin would skip this page';
}

/** Hinted first, then last used, then as configured. */
function userCards({ page, users, lastUsed }: Pick<LoginView, 'users' | 'lastUsed'> & HintedPage): UserCard[] {
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
  if (words(claims.amr).includes('mfa')) tags.add('MFA');
  if (claims.locked === true) tags.add('locked');
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
export interface LoginView {
  readonly page: LoginPage;
  readonly users: readonly TestUser[];
  /** The `sub` of who signed in last from this browser. */
  readonly lastUsed?: string | undefined;
  readonly mode: 'picker' | 'password';
  /** `/login?<the authorization request>`; every form posts there. */
  readonly action: string;
  /** Of the request, with words for each. */
  readonly scopes: readonly Pick<ScopeDefinition, 'name' | 'description'>[];
  /** What to say above the forms: a refused password. */
  readonly notice?: string | undefined;
  /** The subject or username that was refused, to be corrected; never a password. */
  readonly typed?: string | undefined;
  /** Whom somebody searched for, among more users than fit on the page. */
  readonly search?: string | undefined;
  /** The claims editor, where somebody has used it. */
  readonly editor?: EditorState | undefined;
  readonly autoLogin: AuthorizationServer['autoLogin'];
  /** Of the request that is answered with the page. */
  readonly requestId: string;
  /** What this sandbox lets pass for this client that a real server would not, a sentence each. */
  readonly relaxations: readonly string[];
}
