import { defined } from '../../../base/defined.ts';
import type { AuthorizationDetailsType } from '../../../protocol/authorization.ts';
import type { ApprovalsPage, Asked, DevicePage, SignInPage } from '../../../protocol/endpoints/endpoint.ts';
import type { ScopeDefinition } from '../../../protocol/scope.ts';
import { displayName, type TestUser } from '../../../protocol/users/user.ts';
import type { PageBrand } from './brand.ts';
import { type ClientFacts, clientFacts } from './client-facts.ts';
import { detailRows } from './consent-view.ts';
import type { Language, Said } from './language.ts';
import { scopeWords } from './scope-words.ts';
import { currentCard, offeredUsers, type UserCard, type UserPicker, userPicker } from './user-cards.ts';

/** Server state the pages are made from. */
export interface DecisionSource {
  readonly language: Language;
  readonly users: ReadonlyMap<string, TestUser>;
  readonly scopes: ReadonlyMap<string, ScopeDefinition>;
  readonly authorizationDetailsTypes: ReadonlyMap<string, AuthorizationDetailsType>;
}

export interface SignInView {
  readonly language: Language;
  readonly brand?: PageBrand;
  readonly page: SignInPage;
  readonly mode: 'picker' | 'password';
  /** `/login/<purpose>?<query of the page>` */
  readonly action: string;
  readonly notice?: Said | undefined;
  readonly typed?: string | undefined;
  /** Text of a search among the users. */
  readonly search?: string | undefined;
  readonly details: UserPicker & { readonly continueAs?: UserCard };
}

/** Access a client asks for, in words. */
interface Wanted extends ClientFacts {
  readonly scopes: readonly Pick<ScopeDefinition, 'name' | 'description'>[];
  readonly rows: readonly (readonly [name: string, value: string])[];
}

export interface DeviceView {
  readonly language: Language;
  readonly brand?: PageBrand;
  readonly page: DevicePage;
  readonly action: string;
  /** Address of the same page for another user. */
  readonly switchTo: string;
  readonly userName: string;
  readonly notice?: string;
  /** Present only while there is something to decide. So is `expiresIn`. */
  readonly wanted?: Wanted;
  readonly expiresIn?: string;
}

export interface ApprovalsView {
  readonly language: Language;
  readonly brand?: PageBrand;
  readonly page: ApprovalsPage;
  readonly action: string;
  readonly switchTo: string;
  readonly userName: string;
  readonly notice?: string;
  readonly waiting: readonly (ApprovalsPage['waiting'][number] & {
    readonly wanted: Wanted;
    readonly left: string;
  })[];
}

export function signInView(
  { users }: Pick<DecisionSource, 'users'>,
  given: Omit<SignInView, 'details'> & { readonly lastUsed: string | undefined },
): SignInView {
  const { page, lastUsed, language } = given;
  const current = page.session && users.get(page.session.sub);
  const offered = offeredUsers(users.values(), [lastUsed, page.session?.sub]);
  const continueAs = current === undefined ? {} : { continueAs: currentCard(current, { users: offered, language }) };
  return { ...given, details: { ...userPicker({ ...given, users: offered }), ...continueAs } };
}

export function deviceView(source: DecisionSource, page: DevicePage, path: string): DeviceView {
  const { language } = source;
  const { say } = language;
  const userName = nameOf(source, page.session.sub);
  const shared = { language, page, action: path, userName, switchTo: switchUser(path) };
  if (page.step === 'enter') return { ...shared, ...defined({ notice: page.problem && say(`code_${page.problem}`) }) };
  if (page.step === 'done') return shared;
  const { user_code, asked, userChanged } = page;
  return {
    ...shared,
    switchTo: switchUser(path, { user_code }),
    ...defined({
      notice: userChanged ? say('userChanged', { name: userName }) : undefined,
    }),
    wanted: wantedBy(source, asked),
    expiresIn: clock(asked.expiresIn),
  };
}

export function approvalsView(source: DecisionSource, page: ApprovalsPage, path: string): ApprovalsView {
  return {
    language: source.language,
    page,
    action: path,
    switchTo: switchUser(path),
    userName: nameOf(source, page.session.sub),
    ...defined({ notice: page.outcome && outcomeWords(page.outcome, source.language) }),
    waiting: page.waiting.map(each => ({ ...each, wanted: wantedBy(source, each), left: clock(each.expiresIn) })),
  };
}

function outcomeWords({ client: asking, decision }: NonNullable<ApprovalsPage['outcome']>, { say }: Language): string {
  const client = asking?.client_name ?? say('theApplication');
  return decision === 'gone' ? say('requestGone') : say(decision, { client });
}

function switchUser(path: string, query: Readonly<Record<string, string>> = {}): string {
  return `${path}?${new URLSearchParams({ ...query, prompt: 'select_account' })}`;
}

function nameOf({ users }: Pick<DecisionSource, 'users'>, sub: string): string {
  const user = users.get(sub);
  return user === undefined ? sub : displayName(user);
}

function wantedBy({ scopes, authorizationDetailsTypes: types, language }: DecisionSource, asked: Asked): Wanted {
  const details = asked.authorization_details.flatMap(({ type, ...fields }) => [
    ['details', types.get(type)?.description ?? type] as const,
    ...detailRows(fields),
  ]);
  return {
    scopes: asked.scopes.map(name => scopeWords(name, scopes.get(name), language)),
    rows: [...asked.resources.map(each => ['resource', each] as const), ...details],
    ...clientFacts(asked.client, '', language),
  };
}

/** `4:31` */
function clock(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
