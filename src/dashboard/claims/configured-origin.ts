import { isSameJson } from '../../protocol/json-parameter.ts';
import { parseScope } from '../../protocol/scope.ts';
import { clientPath, userPath } from '../clients-and-users.ts';
import { type ClaimOrigin, type Issuance, shownValue } from './issuance.ts';

/** A record that has the claim now. */
interface Holder {
  readonly origin: ClaimOrigin;
  /** `user alice`. */
  readonly who: string;
  readonly value: unknown;
  readonly isChanged: boolean;
}

/**
 * Finds the `access_token_claims` that set a claim. Those of the user override the client's, and the client's override the scopes'. So
 * the first record with this value set it; a record before it with a different value was edited later, or did not apply.
 */
export function configuredOrigin(name: string, issuance: Issuance): ClaimOrigin {
  const holders = holdersOf(name, issuance);
  const value = issuance.claims[name];
  const [first] = holders;
  if (first === undefined) return deletedRecord(issuance);
  const found = holders.find(holder => isSameJson(holder.value, value));
  if (found === undefined) return { ...first.origin, since: otherNow(first) };
  return found === first ? first.origin : { ...found.origin, since: passedOver(first) };
}

/** The records that have the claim, the one with the highest priority first. */
function holdersOf(name: string, { event, client, user, scopes, changedSince }: Issuance): Holder[] {
  const holders: Holder[] = [];
  if (user !== undefined && Object.hasOwn(user.access_token_claims, name)) {
    const origin = {
      source: 'user',
      words: `From the record of user ${user.sub}`,
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
  return `${isChanged ? `${upperFirst(who)} was edited since` : 'The record has a different value now'}: ${shownValue(value)}.`;
}

function passedOver({ who, value, isChanged }: Holder): string {
  if (isChanged) return `${upperFirst(who)} was edited since; a new token would have ${shownValue(value)}.`;
  return `${upperFirst(who)} has ${shownValue(value)}, which this login did not use.`;
}

function deletedRecord({ event, changedSince }: Issuance): ClaimOrigin {
  const changed = [
    ...(changedSince('user') ? [`user ${event.sub}`] : []),
    ...(changedSince('client') ? [`client ${event.client_id}`] : []),
  ];
  const since = changed.length === 0 ? {} : { since: `${upperFirst(changed.join(' and '))} was edited since.` };
  return { source: 'unknown', words: 'Set by a record that no longer has this claim', ...since };
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
