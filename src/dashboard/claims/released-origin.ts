import { isSameJson } from '../../protocol/json-parameter.ts';
import { parseScope } from '../../protocol/scope.ts';
import { userPath } from '../clients-and-users.ts';
import { type ClaimOrigin, type Issuance, shownValue } from './issuance.ts';

/** The origin of a user claim in an ID Token: the user's record, released by the `claims` parameter, by a scope, or always. */
export function releasedOrigin(name: string, issuance: Issuance): ClaimOrigin {
  const { event, user, claims } = issuance;
  const requested = event.type === 'token.issued' && event.requested?.includes(name) === true;
  const scope = requested ? undefined : releasingScope(name, issuance);
  const source = requested ? 'claims_parameter' : 'user';
  if (user === undefined) {
    return { source, words: `From the record of user ${event.sub ?? 'unknown'}`, since: 'The user was deleted since.' };
  }
  const why = requested
    ? ', requested by the claims parameter'
    : scope === undefined
      ? ''
      : `, released by scope ${scope}`;
  const origin = { source, words: `From the record of user ${user.sub}${why}`, path: userPath(user.sub) } as const;
  if (Object.hasOwn(user.claims, name) && isSameJson(user.claims[name], claims[name])) return origin;
  const now = Object.hasOwn(user.claims, name) ? `: ${shownValue(user.claims[name])}` : ' and no longer has this claim';
  return { ...origin, since: `User ${user.sub} was edited since${now}.` };
}

function releasingScope(name: string, { event, scopes }: Issuance): string | undefined {
  return parseScope(event.scope).find(granted =>
    scopes.some(scope => scope.name === granted && scope.claims.includes(name)),
  );
}
