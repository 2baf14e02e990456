import type { EventOf } from '../../base/events/event.ts';
import type { IssuedEvent } from '../../base/events/event-log.ts';
import { avatarOf } from '../../base/text/avatar.ts';
import { cut } from '../../base/text/cut.ts';
import { left } from '../../base/text/duration.ts';
import { displayName } from '../../protocol/users/user.ts';
import { type TokenStatus, tokenTypeOf } from '../../record/flows/token-status.ts';
import { accountOf, registeredClient } from '../clients-and-users.ts';
import type { Desk } from '../desk.ts';
import { momentOf } from '../moment.ts';
import { readableScopes } from '../scope-words.ts';
import { revocationWords } from './family.ts';
import { grantWords } from './login-words.ts';
import { markOf } from './token-list.ts';

/** Everything issued under one authorization. */
export interface TokenLogin {
  /** The newest token that matches the filter. */
  readonly newest: IssuedEvent;
  /** Oldest first, never empty. */
  readonly tokens: readonly IssuedEvent[];
  readonly revocation: EventOf<'token.revoked'> | undefined;
}

interface Reading {
  readonly desk: Desk;
  readonly statusOf: (event: IssuedEvent) => TokenStatus;
  /** Unix seconds. */
  readonly now: number;
}

const mostChips = 12;

/** The text of the button that opens a code, or a token in which there are no claims to read. */
const pageWords: Readonly<Record<string, string>> = { code: 'See the code', refresh: 'See the token' };

/** One login with its user, grant, state, scopes and a chip for each token. */
export function loginRow(login: TokenLogin, reading: Reading) {
  const { newest, tokens } = login;
  const { desk, statusOf, now } = reading;
  const first = tokens[0] ?? newest;
  const usable = tokens.findLast(each => tokenTypeOf(each) === 'access' && statusOf(each) === 'valid');
  const readable = usable ?? tokens.findLast(each => ['access', 'id'].includes(tokenTypeOf(each))) ?? newest;
  return {
    id: `login-${newest.authorizationId}`,
    // of the newest matching token, for paging
    eventId: newest.id,
    at: momentOf(first.at, now),
    ...whoOf(first, desk),
    ...grantWords(tokens, desk),
    state: stateOf(login, reading),
    chips: chipsOf(tokens, reading).slice(-mostChips),
    // older tokens without a chip
    omitted: Math.max(0, tokens.length - mostChips),
    scopes: readableScopes(readable.scope ?? newest.scope),
    // the access token to copy; empty if none is valid
    copy: usable?.tokenId ?? '',
    // the token whose page shows the claims, if a token has any
    open: readable.tokenId,
    openWords: login.revocation !== undefined ? 'See the family' : (pageWords[tokenTypeOf(readable)] ?? 'Claims'),
    isRevoked: login.revocation !== undefined,
  };
}

const longest = 40;

/** The user, or the client that acts for itself, and the application. */
function whoOf(event: IssuedEvent, desk: Desk) {
  const { sub, client_id } = event;
  const client = cut(registeredClient(desk, client_id)?.client_name ?? client_id, longest);
  const isMinted = event.type === 'token.issued' && event.minted === true;
  const user = sub === undefined ? undefined : accountOf(desk, sub);
  const name = cut(user === undefined ? (sub ?? '') : displayName(user), longest);
  const avatar = avatarOf(name, sub ?? client_id);
  const symbol = isMinted ? 'M' : name === '' ? '⚙' : avatar.initials;
  return { client, name, isMinted, avatar: { ...avatar, initials: symbol } };
}

/** The time left of the access token, or why there is none. */
function stateOf({ newest, tokens, revocation }: TokenLogin, { statusOf, now }: Reading) {
  if (revocation !== undefined) return { kind: 'bad', words: `Revoked: ${revocationWords[revocation.reason]}` };
  const valid = tokens.filter(each => statusOf(each) === 'valid');
  const longest = ['access', 'refresh', 'id', 'code']
    .map(type => valid.findLast(each => tokenTypeOf(each) === type))
    .find(each => each !== undefined);
  if (longest === undefined) return { kind: 'mid', words: statusOf(newest) };
  return { kind: 'ok', words: left(longest.exp - now), exp: longest.exp };
}

/** A small label for each token with its kind, the time left and its status. */
function chipsOf(tokens: readonly IssuedEvent[], { statusOf, now }: Reading) {
  const ofType = (type: string) => tokens.filter(each => tokenTypeOf(each) === type);
  return tokens.map(event => {
    const type = tokenTypeOf(event);
    const alike = ofType(type);
    const status = statusOf(event);
    const isGone = status !== 'valid';
    return {
      tokenId: event.tokenId,
      type,
      // `refresh 2` if the login issued several
      name: alike.length > 1 ? `${type} ${alike.indexOf(event) + 1}` : type,
      isGone,
      words: isGone ? status : left(event.exp - now),
      mark: markOf(event),
      exp: event.exp,
      lifetime: Math.max(1, event.exp - event.iat),
      left: Math.floor(Math.max(0, event.exp - now)),
    };
  });
}
