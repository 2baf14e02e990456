import type { EventOf } from '../../../base/events/event.ts';
import { parseScope } from '../../../protocol/scope.ts';
import type { RecordedRequest } from '../../flows/recorded-request.ts';
import type { Known } from '../known.ts';
import { alike, detector, failureIn, sideBySide } from './detector.ts';

const patience = 60;

/**
 * Detects a login whose access token never reaches the sample backend. The sandbox cannot see calls to a foreign API, so it reports
 * nothing if somebody read the keys afterwards.
 */
export const tokenNeverUsed = detector<Clue>(
  'token_never_used',
  {
    request: clueIn,
    event: (event, known) => (event.type === 'token.issued' && isForUs(event, known) ? { token: event } : undefined),
  },
  (clues, { hasPassed }, known) => {
    const used = new Set(clues.flatMap(({ usedBy = [] }) => usedBy));
    const keysReadAt = clues.reduce((newest, { keysRead }) => Math.max(newest, keysRead ?? 0), 0);
    const tokens = clues.flatMap(({ token = [] }) => token);
    return alike(tokens, ({ client_id }) => client_id).flatMap(([first, ...more]) => {
      const last = more.at(-1) ?? first;
      if (first === undefined || last === undefined || used.has(last.client_id) || keysReadAt > first.at) return [];
      if (!hasPassed(last, patience)) return [];
      const title = `\`${last.client_id}\` got a token for the API and never used it`;
      return [failureIn(last, title, () => explain(last, known), last.client_id)];
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

interface Clue {
  readonly token?: EventOf<'token.issued'>;
  /** Clients whose tokens reached an endpoint. */
  readonly usedBy?: readonly string[];
  /** Unix seconds. */
  readonly keysRead?: number;
}

function clueIn(request: RecordedRequest): Clue | undefined {
  if (request.event.endpoint === 'jwks') return { keysRead: request.event.at };
  const usedBy = usedClients(request);
  return usedBy.length === 0 ? undefined : { usedBy };
}

/** Returns the clients whose tokens reached an endpoint, valid or not. */
function usedClients({ facts }: RecordedRequest): string[] {
  return facts.flatMap(fact => {
    if (fact.type === 'token.used' || fact.type === 'token.introspected') return [fact.client_id];
    return fact.type === 'error.returned' && fact.about !== undefined && fact.client_id ? [fact.client_id] : [];
  });
}

function explain({ scope = '', client_id }: EventOf<'token.issued'>, known: Known) {
  const { issuer, collections = [] } = known;
  const granted = parseScope(scope);
  const name = collections.find(({ readScope = '' }) => granted.includes(readScope))?.name ?? '<collection>';
  return {
    comparison: sideBySide('Granted', scope, 'Expected next', `GET ${issuer}/api/${name}`),
    why: `More than ${patience} s ago, \`${client_id}\` got an access token for the sample backend. The backend has not received a token of this client since then.`,
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
