import { type Avatar, avatarOf, type Positions, positionsOf } from '../../../base/text/avatar.ts';
import type { LoginPage } from '../../../protocol/endpoints/endpoint.ts';
import { displayName, type TestUser } from '../../../protocol/users/user.ts';
import { english, type Language } from './language.ts';

/** The users of a page with a login, and facts about the person who will pick one. */
export interface Picking {
  readonly language: Language;
  readonly page: Pick<LoginPage, 'hinted'>;
  readonly users: readonly TestUser[];
  /** The `sub` of the user who signed in last in this browser. */
  readonly lastUsed?: string | undefined;
  readonly mode: 'picker' | 'password';
  /** Text of a search among the users. */
  readonly search?: string | undefined;
}

/** A user's card on the login page. */
export interface UserCard extends Avatar {
  readonly sub: string;
  readonly name: string;
  readonly email: string;
  /** From the claims, in words: `admin`, `e-mail not verified`. */
  readonly tags: readonly string[];
  /** Why the card comes first: `Last used`, `Requested by the app`. */
  readonly mark: string;
}

/** The users to pick from on a page with a login. */
export interface UserPicker {
  /** Cards that fit on the page. */
  readonly cards: readonly UserCard[];
  /** Present if there are enough users to search: the typed text, the number of users, and the result in words. */
  readonly search?: { readonly typed: string; readonly all: number; readonly result: string };
  /** In password mode: the usernames, and which of them have a password of their own; empty without users. */
  readonly passwords?: string;
}

/** The users to pick from. A visitor, who signed in once under a typed name, is offered only to a browser that knows them. */
export function offeredUsers(users: Iterable<TestUser>, known: readonly (string | undefined)[]): TestUser[] {
  return [...users].filter(({ isVisitor, sub }) => !isVisitor || known.includes(sub));
}

/** Most users without a search: with more, a search is quicker than a look at all of them. */
const fewCards = 8;

/** Most cards on a page, so that it stays small however many users there are. */
const mostCards = 50;

/** Every word that was typed must be in the card: its name, subject, e-mail or tags. */
export function userPicker(view: Picking): UserPicker {
  const all = userCards(view);
  if (view.mode === 'password') return { cards: all, passwords: passwordWords(view) };
  if (all.length <= fewCards) return { cards: all };
  const typed = view.search ?? '';
  const words = plain(typed).split(/\s+/);
  const found = all.filter(({ sub, name, email, tags }) => {
    const text = plain([name, sub, email, ...tags].join(' '));
    return words.every(word => text.includes(word));
  });
  const cards = found.slice(0, mostCards);
  return {
    cards,
    search: { typed, all: all.length, result: resultWords(view.language, cards.length, found.length, all.length) },
  };
}

function passwordWords({ users, language: { say } }: Picking): string {
  if (users.length === 0) return '';
  const own = users.filter(({ password, password_hash }) => (password ?? password_hash) !== undefined);
  const named = say('passwordUsers', { users: firstNames(users) });
  if (own.length === 0) return `${named} ${say('anyPassword')}`;
  if (own.length === users.length) return `${named} ${say('eachOwnPassword')}`;
  return `${named} ${say('ownPasswords', { users: firstNames(own), count: own.length })}`;
}

function firstNames(users: readonly TestUser[]): string {
  const names = users.slice(0, 5).map(({ username }) => username);
  return [...names, ...(users.length > names.length ? ['…'] : [])].join(', ');
}

function resultWords({ say }: Language, shown: number, found: number, count: number): string {
  if (found === 0) return say('nobodyFound');
  if (shown < found) return say(found === count ? 'firstOfAll' : 'firstFound', { shown, found, count });
  return found === count ? '' : say('found', { found, count });
}

/** Text without accents and in lower case, so that `nunez` finds Núñez. */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

/** Hinted first, then last used, then as configured. */
function userCards({ page, users, lastUsed, language }: Picking): UserCard[] {
  const { say } = language;
  const positions = positionsOf(users);
  const marked = users.map(user => {
    if (user.sub === page.hinted?.sub) return { user, mark: say('askedFor'), rank: 0 };
    if (user.sub === lastUsed) return { user, mark: say('lastUsed'), rank: 1 };
    return { user, mark: '', rank: 2 };
  });
  return marked.sort((a, b) => a.rank - b.rank).map(({ user, mark }) => userCard(user, mark, { language, positions }));
}

/** The card of the user who is signed in. */
export function currentCard(user: TestUser, { users, language }: Pick<Picking, 'users' | 'language'>): UserCard {
  return userCard(user, language.say('signedIn'), { language, positions: positionsOf(users) });
}

interface Among {
  readonly language: Language;
  readonly positions: Positions;
}

function userCard(user: TestUser, mark: string, { language, positions }: Among): UserCard {
  const { email } = user.claims;
  const name = displayName(user);
  return {
    sub: user.sub,
    name,
    ...avatarOf(name, user.sub, positions),
    email: typeof email === 'string' ? email : user.sub,
    tags: userTags(user, language),
    mark,
  };
}

/** Notable properties of a user, in words from the claims: `admin`, `e-mail not verified`. */
export function userTags({ claims, access_token_claims }: TestUser, { say }: Language = english): string[] {
  const tags = new Set([...words(claims.roles), ...words(access_token_claims.roles), ...words(claims.groups)]);
  if (claims.email_verified === false) tags.add(say('emailNotVerified'));
  if (words(claims.amr).includes('mfa')) tags.add(say('multiFactor'));
  if (claims.locked === true) tags.add(say('locked'));
  return [...tags];
}

function words(claim: unknown): string[] {
  return Array.isArray(claim) ? claim.filter(word => typeof word === 'string') : [];
}
