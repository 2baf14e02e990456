import type { AuthorizationServer } from '../../../protocol/authorization-server.ts';
import type { LoginCause, LoginPage } from '../../../protocol/endpoints/endpoint.ts';
import type { ScopeDefinition } from '../../../protocol/scope.ts';
import type { RuledLogin } from '../../../protocol/users/login-need.ts';
import { type ChosenAnswer, chosenAnswers } from '../../../protocol/users/next-login.ts';
import type { PageBrand } from './brand.ts';
import { targetHost } from './client-facts.ts';
import type { Said, Word } from './language.ts';
import type { EditorState } from './login-again.ts';
import { currentCard, type Picking, type UserCard, type UserPicker, userPicker } from './user-cards.ts';

/** Data for the login page. */
export interface LoginView extends Picking {
  readonly page: LoginPage;
  readonly brand?: PageBrand;
  /** `/login?<the authorization request>`; every form posts there. */
  readonly action: string;
  /** Requested scopes, with words for each. */
  readonly scopes: readonly Pick<ScopeDefinition, 'name' | 'description'>[];
  /** Notice above the forms, such as for a refused password. */
  readonly notice?: Said | undefined;
  /** The subject or username that was refused, to be corrected; never a password. */
  readonly typed?: string | undefined;
  /** The claims editor, once it was used. */
  readonly editor?: EditorState | undefined;
  readonly autoLogin: AuthorizationServer['autoLogin'];
  /** Id of the request that is answered with the page. */
  readonly requestId: string;
  /** Relaxations for this client that a real server would not allow. */
  readonly relaxations: readonly Word[];
}

/** Members the login template shows, derived from the request. */
export interface LoginDetails extends UserPicker {
  /** The user of the session, when it may be continued. */
  readonly continueAs?: UserCard;
  /** Why the page is shown; empty if nobody is signed in. */
  readonly cause: string;
  /** The scopes as a phrase that follows "wants to". */
  readonly wants: string;
  /** The user whose claims *Edit claims* opens: the first card; empty if there is none. */
  readonly editSub: string;
  /** Whether PKCE, `state` and `nonce` came, and the host of the redirect URI; shown, never a link. */
  readonly checked: Readonly<Record<'pkce' | 'state' | 'nonce' | 'target', string>>;
  /** The other parameters that were sent, by name and value. */
  readonly rows: readonly (readonly [name: string, value: string])[];
  /** The user who would sign in without a click, or how to configure one. */
  readonly automation: string;
  /** Errors that can be sent in place of an answer, with words for each. */
  readonly answers: readonly (readonly [code: ChosenAnswer, words: string])[];
  /** Claims that are often needed, each as JSON to put into the editor. */
  readonly chips: readonly (readonly [name: string, claims: string])[];
}

const mayContinue: ReadonlySet<LoginCause> = new Set(['select_account', 'no_session']);

export function loginDetails(view: LoginView): LoginDetails {
  const { language } = view;
  const { say } = language;
  const { request, session, cause } = view.page;
  const current = session && view.users.find(user => user.sub === session.sub);
  const picker = userPicker(view);
  return {
    ...picker,
    ...(current && mayContinue.has(cause) ? { continueAs: currentCard(current, view) } : {}),
    cause: cause === 'no_session' ? '' : say(`cause_${cause}`),
    wants: language.list(view.scopes.map(({ description }) => description)),
    editSub: current?.sub ?? picker.cards[0]?.sub ?? '',
    checked: {
      pkce:
        request.code_challenge_method === undefined ? say('notUsed') : `${request.code_challenge_method} ${say('ok')}`,
      state: say(request.state === undefined ? 'notSent' : 'ok'),
      nonce: say(request.nonce === undefined ? 'notSent' : 'ok'),
      target: targetHost(request.redirect_uri),
    },
    rows: requestRows(view),
    automation: automationWords(view),
    answers: chosenAnswers.map(code => [code, say(`answer_${code}`)]),
    chips,
  };
}

const chips: LoginDetails['chips'] = [
  ['roles', '{"roles":["admin"]}'],
  ['groups', '{"groups":["staff"]}'],
  ['email_verified: false', '{"email_verified":false}'],
  ['acr', '{"acr":"2"}'],
  ['amr', '{"amr":["pwd","otp"]}'],
  ['tenant', '{"tenant":"acme"}'],
];

const ruleNames: Readonly<Record<Exclude<RuledLogin['by'], 'client'>, string>> = {
  sandbox_login: 'sandbox_login',
  login_hint: 'login_hint (AUTO_LOGIN=hint)',
  environment: 'AUTO_LOGIN',
};

function automationWords({ page: { heldBack }, autoLogin, language: { say } }: LoginView): string {
  if (heldBack === undefined) return say(autoLogin.byHint ? 'noHint' : 'noAutomation');
  const { by, named: user } = heldBack;
  return say('wouldSignIn', { rule: by === 'client' ? say('byClient') : ruleNames[by], user });
}

function requestRows({ page, language: { say } }: LoginView): [string, string][] {
  const { request, client } = page;
  const rows: [string, string | undefined][] = [
    ['client_id', client.client_id],
    ['redirect_uri', request.redirect_uri],
    ['response_type', request.response_type],
    ['response_mode', request.response_mode],
    ['scope', request.scopes.join(' ')],
    ['state', request.state === undefined ? say('notSent') : say('present')],
    ['nonce', request.nonce === undefined ? say('notSent') : say('present')],
    ['prompt', request.prompt.join(' ')],
    ['max_age', request.max_age === undefined ? undefined : `${request.max_age} s`],
    ['login_hint', request.login_hint],
    ['id_token_hint', request.id_token_hint === undefined ? undefined : say('present')],
    ['acr_values', request.acr_values.join(' ')],
    ['ui_locales', request.ui_locales],
    ['claims', request.claims === undefined ? undefined : JSON.stringify(request.claims)],
    ['authorization_details', request.authorization_details?.map(({ type }) => type).join(' ')],
    ['resource', request.resources.join(' ')],
  ];
  return rows.filter((row): row is [string, string] => row[1] !== undefined && row[1] !== '');
}
