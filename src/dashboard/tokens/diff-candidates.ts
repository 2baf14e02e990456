import type { IssuedEvent } from '../../base/events/event-log.ts';
import { ago } from '../../base/text/duration.ts';
import { tokenTypeOf } from '../../record/flows/token-status.ts';
import { momentOf } from '../moment.ts';

interface Picking {
  readonly chosen?: IssuedEvent | undefined;
  /** Unix seconds. */
  readonly now: number;
}

const mostOfGroup = 20;

/** Tokens to compare with, in groups. `others` newest first; a group shows its newest tokens and the chosen one. */
export function candidatesOf(event: IssuedEvent, others: readonly IssuedEvent[], { chosen, now }: Picking) {
  const groups = new Map<string, IssuedEvent[]>(groupNames.map(name => [name, []]));
  for (const other of others) groups.get(groupOf(event, other))?.push(other);
  return [...groups].flatMap(([name, tokens]) => {
    const shown = tokens.filter((each, index) => index < mostOfGroup || each === chosen);
    if (shown.length === 0) return [];
    return [{ name, tokens: shown.map(each => candidate(each, now, each === chosen)) }];
  });
}

const groupNames = ['Same login', 'Same client and user', 'Same client, different user', 'Different client'] as const;

function groupOf(event: IssuedEvent, other: IssuedEvent): (typeof groupNames)[number] {
  if (other.authorizationId === event.authorizationId) return 'Same login';
  if (isOfSame(event, other)) return 'Same client and user';
  return other.client_id === event.client_id ? 'Same client, different user' : 'Different client';
}

/** Whether two tokens are for the same client and user. */
export function isOfSame(event: IssuedEvent, other: IssuedEvent): boolean {
  return other.client_id === event.client_id && other.sub === event.sub;
}

function candidate(event: IssuedEvent, now: number, chosen: boolean) {
  const time = momentOf(event.at, now).absolute.slice(11, 19);
  return { tokenId: event.tokenId, words: `${tokenWords(event)}, ${time} (${ago(now - event.at)})`, chosen };
}

const typeNames = { code: 'Code', access: 'Access token', refresh: 'Refresh token', id: 'ID token' } as const;

/** `Access token, alice, frontend`. */
export function tokenWords(event: IssuedEvent): string {
  const { sub, client_id } = event;
  return [typeNames[tokenTypeOf(event)], ...(sub === undefined ? [] : [sub]), client_id].join(', ');
}

const mostQuick = 4;

/** Links to the likely comparisons: the newest access and ID token of the same login, and the token issued before. */
export function quickCandidates(
  event: IssuedEvent,
  sameLogin: readonly IssuedEvent[],
  previous: IssuedEvent | undefined,
) {
  const own = sameLogin.filter(each => each.tokenId !== event.tokenId && ['access', 'id'].includes(tokenTypeOf(each)));
  const newest = new Map(own.map(each => [tokenTypeOf(each), each]));
  const quick = [...newest.values()].map(each => ({
    tokenId: each.tokenId,
    words: `${typeNames[tokenTypeOf(each)]} of this login`,
  }));
  const isListed = quick.some(({ tokenId }) => tokenId === previous?.tokenId);
  const before =
    previous === undefined || isListed ? [] : [{ tokenId: previous.tokenId, words: 'Previous token of this type' }];
  return [...quick, ...before].slice(0, mostQuick);
}
