import type { EventOf, SandboxEvent } from '../../base/events/event.ts';
import type { EventLog, IssuedEvent } from '../../base/events/event-log.ts';
import { isIssued } from '../../base/events/event-memory.ts';
import type { Query } from '../../base/events/search.ts';
import { avatarOf, type Positions, positionsOf } from '../../base/text/avatar.ts';
import { left } from '../../base/text/duration.ts';
import { cut } from '../../base/text/words.ts';
import { firstMatching, type Pieces } from '../../base/turns.ts';
import { displayName } from '../../protocol/users/user.ts';
import { createStatusOf, type TokenStatus, tokenTypeOf } from '../../record/flows/token-status.ts';
import { accountOf, registeredClient } from '../clients-and-users.ts';
import { momentOf } from '../moment.ts';
import type { PageContext } from '../page.ts';
import { revocationWords } from './family.ts';
import { createMatcher, markOf } from './token-list.ts';

/** The most logins a page shows: each can have a dozen tokens, and the page stays below 120 kB. */
const mostLogins = 50;

interface Asked {
  readonly filter: Query;
  readonly before?: number | undefined;
  readonly after?: number | undefined;
}

/** Lists tokens grouped by their login or other grant; each token is a piece. */
export function* listLogins(context: PageContext, { filter, before, after = 0 }: Asked) {
  const { events, flows, clock } = context;
  const now = clock();
  const statusOf = createStatusOf(events, now);
  const isWanted = createMatcher(filter, { statusOf, flowOf: ({ tokenId }) => flows.ofToken(tokenId)?.id }, now);
  const touched = after > 0 ? touchedSince(events, after) : undefined;
  const found = yield* newestOfLogins(events, { isWanted, before, touched });
  const shown = found.slice(0, mostLogins);
  const reading = { context, statusOf, now, positions: positionsOf(context.accounts()) };
  return {
    rows: shown.map(event => loginRow(loginOf(events, event), reading)),
    // where the next page starts; undefined on the last one
    before: found.length > mostLogins ? shown.at(-1)?.id : undefined,
  };
}

interface Wanted {
  readonly isWanted: (event: IssuedEvent) => boolean;
  readonly before: number | undefined;
  /** Authorization ids; absent for all. */
  readonly touched: ReadonlySet<string> | undefined;
}

function* newestOfLogins(events: EventLog, { isWanted, before, touched }: Wanted): Pieces<IssuedEvent[]> {
  const seen = new Set<string>();
  const isFirst = (event: IssuedEvent) => {
    const { authorizationId } = event;
    if (seen.has(authorizationId) || touched?.has(authorizationId) === false || !isWanted(event)) return false;
    seen.add(authorizationId);
    return before === undefined || !issuedIn(events, authorizationId).some(each => each.id >= before && isWanted(each));
  };
  return yield* firstMatching(events.latestIssued(Number.POSITIVE_INFINITY, before), isFirst, mostLogins + 1);
}

function touchedSince(events: EventLog, after: number): ReadonlySet<string> {
  return new Set(events.keptSince(after).flatMap(event => (changesLogin(event) ? [event.authorizationId] : [])));
}

const changes = ['token.issued', 'code.issued', 'token.revoked', 'token.ended', 'token.resumed'] as const;
type Change = Extract<SandboxEvent, { type: (typeof changes)[number] }>;

function changesLogin(event: SandboxEvent): event is Change {
  return changes.some(type => type === event.type);
}

function issuedIn(events: EventLog, authorizationId: string): IssuedEvent[] {
  return events.ofAuthorization(authorizationId).filter(isIssued);
}

function loginOf(events: EventLog, newest: IssuedEvent): TokenLogin {
  const happened = events.ofAuthorization(newest.authorizationId);
  return {
    newest,
    tokens: happened.filter(isIssued),
    revocation: happened.findLast(event => event.type === 'token.revoked'),
  };
}

interface TokenLogin {
  readonly newest: IssuedEvent;
  /** Oldest first, never empty. */
  readonly tokens: readonly IssuedEvent[];
  readonly revocation: EventOf<'token.revoked'> | undefined;
}

interface Reading {
  readonly context: PageContext;
  readonly statusOf: (event: IssuedEvent) => TokenStatus;
  /** Unix seconds. */
  readonly now: number;
  readonly positions: Positions;
}

/** The text of the button that opens a code, or a token in which there are no claims to read. */
const pageWords: Readonly<Record<string, string>> = { code: 'Open', refresh: 'Open' };

function loginRow(login: TokenLogin, reading: Reading) {
  const { newest, tokens } = login;
  const { context, statusOf, now } = reading;
  const first = tokens[0] ?? newest;
  const usable = tokens.findLast(each => tokenTypeOf(each) === 'access' && statusOf(each) === 'valid');
  const readable = usable ?? tokens.findLast(each => ['access', 'id'].includes(tokenTypeOf(each))) ?? newest;
  const told = chipsOf(tokens, reading).filter(({ words }) => words !== 'used');
  const chips = newestOfTypes(told);
  return {
    id: `login-${newest.authorizationId}`,
    // of the newest matching token, for paging
    eventId: newest.id,
    at: momentOf(first.at, now),
    ...whoOf(first, reading),
    // how the tokens came, and what became of them: `code with PKCE`, `refreshed twice`
    notes: [revokedNote(login), ...grantWords(tokens, context)].filter(words => words !== ''),
    scopes: cut(readable.scope ?? newest.scope ?? 'none', longestScopes),
    state: stateOf(login, reading),
    chips,
    // a redeemed code has nothing more to tell
    omitted: told.length - chips.length,
    copy: usable?.tokenId ?? '',
    // the token whose page shows the claims, if a token has any
    open: readable.tokenId,
    openWords: login.revocation !== undefined ? 'Family' : (pageWords[tokenTypeOf(readable)] ?? 'Claims'),
    isRevoked: login.revocation !== undefined,
  };
}

const longest = 40;
const longestScopes = 100;

function whoOf(event: IssuedEvent, { context, positions }: Reading) {
  const { sub, client_id } = event;
  const client = cut(registeredClient(context, client_id)?.client_name ?? client_id, longest);
  const isMinted = event.type === 'token.issued' && event.minted === true;
  const user = sub === undefined ? undefined : accountOf(context, sub);
  const name = cut(user === undefined ? (sub ?? '') : displayName(user), longest);
  const avatar = avatarOf(name, sub ?? client_id, positions);
  const symbol = isMinted ? 'M' : name === '' ? '⚙' : avatar.initials;
  return { client, name, isMinted, avatar: { ...avatar, initials: symbol } };
}

function revokedNote({ revocation }: TokenLogin): string {
  return revocation === undefined ? '' : `revoked: ${revocationWords[revocation.reason]}`;
}

function stateOf({ newest, tokens, revocation }: TokenLogin, { statusOf, now }: Reading) {
  if (revocation !== undefined) return { kind: 'bad', words: 'revoked' };
  const valid = tokens.filter(each => statusOf(each) === 'valid');
  const longest = ['access', 'refresh', 'id', 'code']
    .map(type => valid.findLast(each => tokenTypeOf(each) === type))
    .find(each => each !== undefined);
  if (longest === undefined) return { kind: 'mid', words: statusOf(newest) };
  return { kind: 'ok', words: left(longest.exp - now), exp: longest.exp };
}

/** The newest token of each type: a login that was refreshed often still fits on its line. */
function newestOfTypes(chips: ReturnType<typeof chipsOf>) {
  return chips.filter((chip, index) => chips.findLastIndex(({ type }) => type === chip.type) === index);
}

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

const names: Readonly<Record<string, string>> = {
  authorization_code: 'code',
  implicit: 'implicit',
  client_credentials: 'client credentials',
  password: 'password',
  refresh_token: 'refresh token',
  'urn:ietf:params:oauth:grant-type:device_code': 'device code',
  'urn:openid:params:grant-type:ciba': 'backchannel sign-in',
  'urn:ietf:params:oauth:grant-type:jwt-bearer': 'JWT assertion',
  'urn:ietf:params:oauth:grant-type:token-exchange': 'token exchange',
};

function grantWords(tokens: readonly IssuedEvent[], context: Pick<PageContext, 'flows' | 'events'>): string[] {
  const issued = tokens.find(each => each.type === 'token.issued');
  const grant = issued?.type === 'token.issued' ? (issued.began ?? issued.grant_type) : 'authorization_code';
  if (grant === 'mint') return [defectWords(issued)];
  const isCode = tokens.some(each => each.type === 'code.issued');
  const pkce = isCode && hasPkce(tokens[0], context) ? ' with PKCE' : '';
  return [(names[grant] ?? grant) + pkce, refreshWords(tokens)];
}

function defectWords(event: IssuedEvent | undefined): string {
  const defect = event?.type === 'token.issued' ? event.defect : undefined;
  return defect === undefined ? '' : `${defect.replaceAll('_', ' ')} on purpose`;
}

function hasPkce(code: IssuedEvent | undefined, { flows, events }: Pick<PageContext, 'flows' | 'events'>): boolean {
  const steps = code === undefined ? [] : (flows.ofToken(code.tokenId)?.steps ?? []);
  return steps.some(({ requestId }) =>
    events
      .ofRequest(requestId)
      .some(event => event.type === 'authorization.requested' && event.code_challenge_method !== undefined),
  );
}

function refreshWords(tokens: readonly IssuedEvent[]): string {
  const refresh = new Set(tokens.filter(each => tokenTypeOf(each) === 'refresh').map(({ tokenId }) => tokenId));
  const made = tokens.filter(({ parentTokenId }) => parentTokenId !== undefined && refresh.has(parentTokenId));
  const times = new Set(made.map(({ requestId }) => requestId)).size;
  if (times === 0) return '';
  return ['refreshed once', 'refreshed twice'][times - 1] ?? `refreshed ${times} times`;
}
