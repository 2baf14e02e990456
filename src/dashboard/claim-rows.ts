import type { IssuedEvent } from '../events/event-log.ts';
import { parseScope } from '../oauth/scope.ts';
import { type ClaimMeaning, claimMeaning, headerMeaning } from './claims.ts';
import type { DashboardOptions } from './dashboard-options.ts';
import type { DecodedJwt } from './jwt.ts';
import { type Moment, momentOf } from './moment.ts';
import { registeredClient } from './registered-client.ts';

/** A claim with its value and meaning, stacked in one cell. */
export interface ClaimRow extends ClaimMeaning {
  readonly name: string;
  readonly value: string;
  /** For the claims that are times. */
  readonly moment?: Moment;
  /** Which record put it there; empty where the protocol does. */
  readonly setBy: string;
}

type Records = Pick<DashboardOptions, 'registered' | 'users' | 'scopes'>;

const times = new Set(['exp', 'iat', 'nbf', 'auth_time', 'updated_at']);

export function claimRows(jwt: DecodedJwt, event: IssuedEvent, records: Records, now: number): ClaimRow[] {
  return Object.entries(jwt.claims).map(([name, value]) => ({
    name,
    value: valueText(value),
    ...(times.has(name) && typeof value === 'number' ? { moment: momentOf(value, now) } : {}),
    ...claimMeaning(name),
    setBy: setBy(name, event, records),
  }));
}

export function headerRows(jwt: DecodedJwt): ClaimRow[] {
  return Object.entries(jwt.header).map(([name, value]) => ({
    name,
    value: valueText(value),
    ...headerMeaning(name),
    setBy: '',
  }));
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const byProtocol = new Set(
  'iss sub aud exp nbf iat jti client_id scope azp nonce auth_time acr amr at_hash c_hash sid cnf act may_act'.split(
    ' ',
  ),
);

/** Only the issuer can tell this: which record of the configuration a claim comes from. */
function setBy(name: string, event: IssuedEvent, records: Records): string {
  const { users, scopes } = records;
  if (byProtocol.has(name)) return '';
  const client = registeredClient(records, event.client_id);
  const user = users.find(({ sub }) => sub === event.sub);
  if (event.type === 'token.issued' && event.tokenType === 'id')
    return user && name in user.claims ? `user ${user.sub}` : '';
  if (user && Object.hasOwn(user.access_token_claims, name)) return `user ${user.sub}`;
  if (client && Object.hasOwn(client.access_token_claims, name)) return `client ${client.client_id}`;
  const granted = parseScope(event.scope);
  const scope = scopes.find(each => granted.includes(each.name) && Object.hasOwn(each.access_token_claims, name));
  return scope === undefined ? '' : `scope ${scope.name}`;
}
