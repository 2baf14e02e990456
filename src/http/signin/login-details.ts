import type { AuthorizationServer } from '../../oauth/authorization-server.ts';
import { type ChosenAnswer, chosenAnswers } from '../../oauth/chosen-answer.ts';
import type { LoginCause, LoginPage } from '../../oauth/endpoints/endpoint.ts';
import type { ScopeDefinition } from '../../oauth/scope.ts';
import type { RuledLogin } from '../../oauth/users/login-rule.ts';
import { targetHost } from './client-facts.ts';
import type { EditorState } from './login-again.ts';
import { type Picking, type UserCard, type UserPicker, userCard, userPicker } from './user-cards.ts';

/** Data for the login page. */
export interface LoginView extends Picking {
  readonly page: LoginPage;
  /** `/login?<the authorization request>`; every form posts there. */
  readonly action: string;
  /** Requested scopes, with words for each. */
  readonly scopes: readonly Pick<ScopeDefinition, 'name' | 'description'>[];
  /** Notice above the forms, such as for a refused password. */
  readonly notice?: string | undefined;
  /** The subject or username that was refused, to be corrected; never a password. */
  readonly typed?: string | undefined;
  /** The claims editor, once it was used. */
  readonly editor?: EditorState | undefined;
  readonly autoLogin: AuthorizationServer['autoLogin'];
  /** Id of the request that is answered with the page. */
  readonly requestId: string;
  /** Relaxations for this client that a real server would not allow, a sentence each. */
  readonly relaxations: readonly string[];
}

/** Members the login template shows, derived from the request. */
export interface LoginDetails extends UserPicker {
  /** The user of the session, when it may be continued. */
  readonly continueAs?: UserCard;
  /** Why the page is shown; empty where nobody is signed in. */
  readonly cause: string;
  /** The initial of the application, in place of a logo. */
  readonly mark: string;
  /** The scopes as a phrase that follows "wants to". */
  readonly wants: string;
  /** The user whose claims *Edit claims* opens: the first card; empty where there is none. */
  readonly editSub: string;
  readonly pkce: string;
  /** Host of the redirect URI; shown, never a link. */
  readonly target: string;
  /** The rest of the request, name and value, only what was sent. */
  readonly rows: readonly (readonly [name: string, value: string])[];
  /** The user who would sign in without a click, or how to configure one. */
  readonly automation: string;
  /** Errors that can be sent in place of an answer, with words for each. */
  readonly answers: readonly (readonly [code: ChosenAnswer, words: string])[];
  /** Claims that are often needed, each as JSON to put into the editor. */
  readonly chips: readonly (readonly [name: string, claims: string])[];
}

const causes: Readonly<Record<LoginCause, string>> = {
  no_session: '',
  prompt_login: 'The application asks you to sign in again (prompt=login).',
  max_age: 'Your sign-in is older than the application accepts (max_age).',
  select_account: 'The application asks you to choose an account (prompt=select_account).',
  acr_values: 'The application asks for a different strength of login (acr_values).',
  hint: 'The application expects a different user from the one who is signed in.',
};

const phrases = new Intl.ListFormat('en');

const mayContinue: ReadonlySet<LoginCause> = new Set(['select_account', 'no_session']);

export function loginDetails(view: LoginView): LoginDetails {
  const { client, request, session, cause } = view.page;
  const current = session && view.users.find(user => user.sub === session.sub);
  const picker = userPicker(view);
  return {
    ...picker,
    ...(current && mayContinue.has(cause) ? { continueAs: userCard(current, 'Signed in') } : {}),
    cause: causes[cause],
    mark: [...client.client_name.trim()][0]?.toUpperCase() ?? '?',
    wants: phrases.format(view.scopes.map(({ description }) => description)),
    editSub: current?.sub ?? picker.cards[0]?.sub ?? '',
    pkce: request.code_challenge === undefined ? 'not used' : `${request.code_challenge_method ?? 'plain'} ok`,
    target: targetHost(request.redirect_uri),
    rows: requestRows(view),
    automation: automationWords(view),
    answers: chosenAnswers.map(code => [code, answerWords[code]]),
    chips,
  };
}

const answerWords: Readonly<Record<ChosenAnswer, string>> = {
  access_denied: 'The user says no.',
  login_required: 'Nobody is signed in, and the request forbids asking.',
  consent_required: 'The user would have to allow something first.',
  interaction_required: 'The user would have to do something first.',
  account_selection_required: 'The user would have to choose an account first.',
  temporarily_unavailable: 'The server cannot answer right now.',
  server_error: 'The server failed.',
  wrong_state: 'A code with a state that your app never sent. The app must reject the answer.',
  no_answer: 'As if the user had closed the page. Your app keeps waiting.',
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
    return `${ruleNames[heldBack.by]} would sign in ${heldBack.named}; AUTO_LOGIN_PROMPT=show shows this page anyway`;
  }
  if (autoLogin.byHint) return 'AUTO_LOGIN=hint signs in the user that login_hint names, but this request has none';
  return 'none; sandbox_login, AUTO_LOGIN or nextLogin would skip this page';
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
