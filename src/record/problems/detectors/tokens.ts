import type { EventOf } from '../../../base/events/event.ts';
import { exceedsHeader } from '../../../base/events/token-events.ts';
import { parseScope } from '../../../protocol/scope.ts';
import type { RecordedRequest } from '../../flows/recorded-request.ts';
import type { Known } from '../known.ts';
import { purposeOf } from '../on-purpose.ts';
import { setting } from '../remedies.ts';
import { alike, detector, failureIn, sideBySide } from './detector.ts';

const usedWithin = 60;

/**
 * Detects a login whose access token never reaches the sample backend. The sandbox cannot see calls to a foreign API, so it reports
 * nothing if somebody read the keys afterwards.
 */
export const tokenNeverUsed = detector<UsageClue>(
  'token_never_used',
  {
    request: usageClue,
    event: (event, known) => (event.type === 'token.issued' && isForUs(event, known) ? { token: event } : undefined),
  },
  (clues, { hasPassed }, known) => {
    const used = new Set(clues.flatMap(({ usedBy = [] }) => usedBy));
    const keysReadAt = clues.reduce((newest, { keysRead }) => Math.max(newest, keysRead ?? 0), 0);
    const tokens = clues.flatMap(({ token = [] }) => token);
    return alike(tokens, ({ client_id }) => client_id).flatMap(([first, ...more]) => {
      const last = more.at(-1) ?? first;
      if (first === undefined || last === undefined || used.has(last.client_id) || keysReadAt > first.at) return [];
      if (!hasPassed(last, usedWithin)) return [];
      const title = `\`${last.client_id}\` got a token for the API and never used it`;
      return [failureIn(last, title, () => explainUnused(last, known), last.client_id)];
    });
  },
);

function isForUs({ tokenType, sub, scope, minted }: EventOf<'token.issued'>, { collections = [] }: Known): boolean {
  if (tokenType !== 'access' || minted || sub === undefined) return false;
  const granted = parseScope(scope);
  return collections.some(({ readScope, writeScope }) =>
    [readScope, writeScope].some(each => each !== undefined && granted.includes(each)),
  );
}

interface UsageClue {
  readonly token?: EventOf<'token.issued'>;
  readonly usedBy?: readonly string[];
  /** Unix seconds. */
  readonly keysRead?: number;
}

function usageClue(request: RecordedRequest): UsageClue | undefined {
  if (request.event.endpoint === 'jwks') return { keysRead: request.event.at };
  const usedBy = usedClients(request);
  return usedBy.length === 0 ? undefined : { usedBy };
}

function usedClients({ facts }: RecordedRequest): string[] {
  return facts.flatMap(fact => {
    if (fact.type === 'token.used' || fact.type === 'token.introspected') return [fact.client_id];
    return fact.type === 'error.returned' && fact.about !== undefined && fact.client_id ? [fact.client_id] : [];
  });
}

function explainUnused({ scope = '', client_id }: EventOf<'token.issued'>, known: Known) {
  const { issuer, collections = [] } = known;
  const granted = parseScope(scope);
  const name = collections.find(({ readScope = '' }) => granted.includes(readScope))?.name ?? '<collection>';
  return {
    comparison: sideBySide('Granted', scope, 'Expected next', `GET ${issuer}/api/${name}`),
    why: `More than ${usedWithin} s ago, \`${client_id}\` got an access token for the sample backend. The backend has not received a token of this client since then.`,
    others: [
      'The token is for your own API, which does not read the keys of this server. Then nothing is wrong.',
      'The app calls without the header, or waits for a click.',
      'A browser blocked the call before it was sent.',
    ],
    fixes: [
      {
        text: 'Send the access token with each call of the API.',
        snippets: [{ where: 'your app', code: `Authorization: Bearer <access_token>` }],
      },
    ],
    references: ['RFC 6750 §2.1'],
  };
}

const usualMost = 16_384;

/** Detects tokens that do not fit into the headers of a request. */
export const tokenTooLarge = detector(
  'token_too_large',
  {
    event: (event, { maxHeaderSize = usualMost }) =>
      event.type === 'token.issued' && exceedsHeader(event, maxHeaderSize) ? event : undefined,
  },
  (large, _time, { maxHeaderSize = usualMost }) =>
    alike(large, ({ client_id }) => client_id).flatMap(issued =>
      issued.slice(-1).map(last => {
        const title = `A token of \`${last.client_id}\` is too large for a header`;
        return failureIn(last, title, () => explainLarge(last.token.length, maxHeaderSize), last.client_id);
      }),
    ),
);

function explainLarge(bytes: number, most: number) {
  return {
    comparison: sideBySide('Bytes of the token', `${bytes}`, 'Bytes of address and headers', `at most ${most}`),
    why: 'A request that carries this token is refused with 431 before any code sees it. Other servers have limits of 8 kB to 16 kB, too.',
    others: ['The app reads the token itself and sends it to nobody.'],
    fixes: [
      'Take claims out of the token: groups and permissions make it grow. Or use `access_token_format: "opaque"`.',
      setting('Accept longer requests', 'MAX_HEADER_SIZE', String(2 ** Math.ceil(Math.log2(bytes + 4096)))),
    ],
    references: ['RFC 6585 §5'],
  };
}

const mostExpired = 3;
const expired: ReadonlySet<string> = new Set(['api_token_expired', 'api_token_ended', 'token_expired']);

/** Detects an expired access token that the app sends again and again. */
export const expiredTokenRepeated = detector(
  'expired_token_repeated',
  {
    event(event, known) {
      if (event.type !== 'error.returned' || event.about === undefined || !expired.has(event.reason)) return undefined;
      return purposeOf(known, { error: event }) === undefined ? { error: event, about: event.about } : undefined;
    },
  },
  clues =>
    alike(clues, ({ about }) => about).flatMap(all => {
      const last = all[mostExpired - 1] === undefined ? undefined : all.at(-1)?.error;
      if (last === undefined) return [];
      const title = `${last.client_id === undefined ? 'A client' : `\`${last.client_id}\``} keeps sending an expired token`;
      return [failureIn(last, title, () => explainExpired(all.length, last), last.client_id)];
    }),
);

function explainExpired(count: number, { expected = '', sent = '' }: EventOf<'error.returned'>) {
  return {
    comparison: sideBySide(`Sent ${count} times`, sent, 'Expected', expected === '' ? 'a new token' : expected),
    why: `The app sent the same access token ${count} times after it expired. The app does not handle a 401, or does not know the lifetime of its token.`,
    others: [
      'Several calls were in progress when the token expired.',
      'The app holds an old token in a closure or a cache.',
    ],
    fixes: [
      'Refresh the token before expires_in is over, and when the API answers 401 invalid_token.',
      'Request the scope offline_access if the client needs a refresh token.',
    ],
    references: ['RFC 6750 §3.1', 'RFC 6749 §1.5'],
  };
}

const mostRefreshes = 4;
const refreshWindow = 300;
/** The part of the lifetime that was left. */
const muchLeft = 0.8;

/** Detects tokens that are refreshed long before they expire. */
export const refreshAtEveryLoad = detector(
  'refresh_at_every_load',
  {
    event: event =>
      event.type === 'token.issued' && event.tokenType === 'access' && event.sub !== undefined ? event : undefined,
  },
  (tokens, { between }) =>
    alike(tokens, ({ authorizationId }) => authorizationId).flatMap(family => {
      const early = family.filter((token, index) => isEarly(family[index - 1], token));
      const last = early.at(-1);
      const first = early.at(-mostRefreshes);
      if (last === undefined || first === undefined || between(first, last) > refreshWindow) return [];
      const title = `\`${last.client_id}\` refreshes tokens too early`;
      return [failureIn(last, title, () => explainEarly(early.length, last), last.client_id)];
    }),
);

function isEarly(before: EventOf<'token.issued'> | undefined, { at, parentTokenId }: EventOf<'token.issued'>): boolean {
  return (
    before !== undefined &&
    parentTokenId !== undefined &&
    before.parentTokenId !== parentTokenId &&
    before.exp - at > muchLeft * (before.exp - before.iat)
  );
}

function explainEarly(count: number, { exp, iat, client_id }: EventOf<'token.issued'>) {
  return {
    comparison: sideBySide('Refreshed early', `${count} times`, 'Lifetime of a token', `${exp - iat} s`),
    why: `\`${client_id}\` refreshed ${count} times while more than four fifths of the lifetime were left. An app that keeps its token in memory refreshes at every page load.`,
    others: ['A timer confuses milliseconds and seconds.', 'Several tabs refresh separately.'],
    fixes: [
      'Ignore this if the app keeps tokens only in memory, which is good practice. A back end for the front end avoids the refreshes.',
      'Refresh shortly before expires_in is over, not on each start or call.',
    ],
    references: ['RFC 9700 §4.14'],
  };
}

/** Detects requests that name an API by `audience`, which only some providers know. Their tokens are for a different one. */
export const audienceIgnored = detector('audience_ignored', { request: ignoredIn }, clues =>
  alike(clues, ({ client_id }) => client_id).flatMap(sent =>
    sent.slice(-1).map(({ client_id, event, audience }) => {
      const title = `\`audience\` of \`${client_id}\` was ignored`;
      return failureIn(event, title, () => explainAudience(audience), client_id);
    }),
  ),
);

function ignoredIn(request: RecordedRequest) {
  const { event, facts } = request;
  for (const fact of facts) {
    if ('ignored' in fact && fact.ignored.includes('audience'))
      return { event, client_id: fact.client_id, audience: request.value('audience') ?? '' };
  }
  return undefined;
}

function explainAudience(audience: string) {
  const code = `resource=${audience}`;
  return {
    comparison: sideBySide('Sent', `audience=${audience}`, 'Expected', code),
    why: 'This server names an API with the parameter `resource`. The `aud` of the token is that of the client.',
    others: ['The app was written for Auth0, whose parameter this is.'],
    fixes: [
      { text: 'Name the API with `resource`.', snippets: [{ where: 'your app', code }] },
      { text: 'Or imitate Auth0.', snippets: [{ where: 'environment', code: 'PRESET=auth0' }] },
    ],
    references: ['RFC 8707 §2'],
  };
}
