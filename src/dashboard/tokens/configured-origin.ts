import { isSameJson } from '../../oauth/json-parameter.ts';
import { parseScope } from '../../oauth/scope.ts';
import { type ClaimOrigin, clientPath, type Issuance, shownValue, userPath } from './issuance.ts';

/** A record that has the claim now. */
interface Holder {
  readonly origin: ClaimOrigin;
  /** `user alice`. */
  readonly who: string;
  readonly value: unknown;
  readonly isChanged: boolean;
}

/**
 * Which `access_token_claims` a claim is from. The user's go over the client's, and those over the scopes', so the first that
 * has this value has set it; whoever stands above with another value got it later, or it was taken away for the login.
 */
export function configuredOrigin(name: string, issuance: Issuance): ClaimOrigin {
  const holders = holdersOf(name, issuance);
  const value = issuance.claims[name];
  const [first] = holders;
  if (first === undefined) return nobody(issuance);
  const found = holders.find(holder => isSameJson(holder.value, value));
  if (found === undefined) return { ...first.origin, since: otherNow(first) };
  return found === first ? first.origin : { ...found.origin, since: passedOver(first) };
}

/** From the one that goes over all others. */
function holdersOf(name: string, { event, client, user, scopes, changedSince }: Issuance): Holder[] {
  const holders: Holder[] = [];
  if (user !== undefined && Object.hasOwn(user.access_token_claims, name)) {
    const origin = {
      source: 'user',
      words: `Set by the record of user ${user.sub}`,
      path: userPath(user.sub),
    } as const;
    const value = user.access_token_claims[name];
    holders.push({ origin, who: `user ${user.sub}`, value, isChanged: changedSince('user') });
  }
  if (client !== undefined && Object.hasOwn(client.access_token_claims, name)) {
    const { client_id, access_token_claims } = client;
    const origin = { source: 'client', words: `Set by client ${client_id}`, path: clientPath(client_id) } as const;
    holders.push({
      origin,
      who: `client ${client_id}`,
      value: access_token_claims[name],
      isChanged: changedSince('client'),
    });
  }
  for (const granted of parseScope(event.scope).reverse()) {
    const scope = scopes.find(each => each.name === granted && Object.hasOwn(each.access_token_claims, name));
    if (scope === undefined) continue;
    const origin = { source: 'scope', words: `Set by the definition of scope ${scope.name}` } as const;
    holders.push({ origin, who: `scope ${scope.name}`, value: scope.access_token_claims[name], isChanged: false });
  }
  return holders;
}

function otherNow({ who, value, isChanged }: Holder): string {
  return `${isChanged ? `${upperFirst(who)} was edited since` : 'The record says something else now'}: ${shownValue(value)}.`;
}

function passedOver({ who, value, isChanged }: Holder): string {
  if (isChanged) return `${upperFirst(who)} was edited since, and would set it to ${shownValue(value)} now.`;
  return `${upperFirst(who)} has ${shownValue(value)}, which this login did not use.`;
}

function nobody({ event, changedSince }: Issuance): ClaimOrigin {
  const changed = [
    ...(changedSince('user') ? [`user ${event.sub}`] : []),
    ...(changedSince('client') ? [`client ${event.client_id}`] : []),
  ];
  const since = changed.length === 0 ? {} : { since: `${upperFirst(changed.join(' and '))} was edited since.` };
  return { source: 'unknown', words: 'Set by a record that has it no longer', ...since };
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
