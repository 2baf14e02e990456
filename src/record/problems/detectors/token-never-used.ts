import type { EventOf } from '../../../base/events/event.ts';
import { flatMapInPieces, groupInPieces } from '../../../base/turns/lists.ts';
import { firstMatching } from '../../../base/turns/matching.ts';
import { parseScope } from '../../../protocol/scope.ts';
import type { RecordedRequest } from '../../flows/recorded-request.ts';
import type { Known } from '../known.ts';
import { detector, failureIn, sideBySide } from './detector.ts';

const patience = 60;

/**
 * Detects a login whose access token never reaches the sample backend. The sandbox cannot see calls to a foreign API, so it reports
 * nothing if somebody read the keys afterwards.
 */
export const tokenNeverUsed = detector('token_never_used', function* ({ since, tokens, at, requests }, known) {
  const scopes = new Set((known.collections ?? []).flatMap(({ readScope, writeScope }) => [readScope, writeScope]));
  const isForUs = ({ tokenType, sub, scope, minted }: EventOf<'token.issued'>) =>
    tokenType === 'access' && !minted && sub !== undefined && parseScope(scope).some(each => scopes.has(each));
  const used = new Set(yield* flatMapInPieces(requests, usedClients));
  const keysReadAt = at('jwks').reduce((newest, { event }) => Math.max(newest, event.at), 0);
  const byClient = yield* groupInPieces(yield* firstMatching(tokens, isForUs), token => token.client_id);
  return yield* flatMapInPieces(byClient.values(), issued => {
    const last = issued.at(-1);
    if (last === undefined || used.has(last.client_id) || since(last) <= patience) return [];
    const first = issued[0] ?? last;
    if (keysReadAt > first.at) return [];
    const title = `\`${last.client_id}\` got a token for the API and never used it`;
    return [failureIn(last, title, () => explain(last, known), last.client_id)];
  });
});

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
