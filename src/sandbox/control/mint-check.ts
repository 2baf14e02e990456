import type { ChangeFault } from '../../base/events/change.ts';
import type { RegisteredClient } from '../../protocol/clients/client.ts';
import { shorten } from '../../protocol/parameters.ts';
import { parseScope, scopeToken } from '../../protocol/scope.ts';
import { defects, isOfJwt } from '../../server/faults/defects.ts';
import type { CheckedMint } from './mint-request.ts';
import { refusedInput } from './refusal.ts';

/**
 * Checks that members go together, which the schema cannot express.
 * @throws invalid_request that names every conflict
 */
export function checkMint(client: RegisteredClient, request: CheckedMint): void {
  const faults = [...scopeFaults(request), ...defectFaults(request), ...typeFaults(client, request)];
  if (faults.length > 0) throw refusedInput(faults);
}

function scopeFaults({ scope }: CheckedMint): ChangeFault[] {
  const malformed = parseScope(scope).find(token => !scopeToken.test(token));
  if (malformed === undefined) return [];
  return [{ member: 'scope', sent: shorten(malformed), expected: 'printable ASCII without quotes' }];
}

function defectFaults({ defect, missing, lifetime = 1, type }: CheckedMint): ChangeFault[] {
  const faults: ChangeFault[] = [];
  if (missing !== undefined && defect !== 'missing_claim') {
    faults.push({ member: 'missing', sent: shorten(missing), expected: 'nothing, without the defect missing_claim' });
  }
  if (defect === 'not_yet_valid' && lifetime <= 0) {
    faults.push({
      member: 'lifetime',
      sent: String(lifetime),
      expected: 'a positive lifetime: the token begins in an hour',
    });
  }
  if (defect !== undefined && defects[defect].tokens !== undefined && type !== 'id') {
    faults.push({ member: 'defect', sent: defect, expected: 'a different defect: only an ID Token has a nonce' });
  }
  return faults;
}

function typeFaults(client: RegisteredClient, request: CheckedMint): ChangeFault[] {
  const { type = 'access', user } = request;
  if (type !== 'access') {
    const name = type === 'id' ? 'an ID Token' : 'a refresh token';
    const nobody = user === undefined ? [{ member: 'user', expected: `a user: ${name} belongs to a user` }] : [];
    const format = unwanted(request, ['format'], 'nothing: only an access token can have either format');
    return [...nobody, ...format, ...(type === 'refresh' ? refreshFaults(client, request) : [])];
  }
  const format = request.format ?? client.access_token_format;
  return format === 'opaque' ? opaqueFaults(request) : [];
}

function refreshFaults({ client_id, grant_types }: RegisteredClient, request: CheckedMint): ChangeFault[] {
  const { lifetime = 1 } = request;
  const said = unwanted(
    request,
    ['audience', 'claims', 'header', 'alg', 'defect'],
    'nothing: a refresh token has no claims',
  );
  const grant = { member: 'client', sent: client_id, expected: 'a client that is registered for refresh_token' };
  const over = {
    member: 'lifetime',
    sent: String(lifetime),
    expected: 'a positive lifetime: expired refresh tokens are not kept',
  };
  return [...said, ...(grant_types.includes('refresh_token') ? [] : [grant]), ...(lifetime > 0 ? [] : [over])];
}

/** An opaque token has no header and no signature. */
function opaqueFaults(request: CheckedMint): ChangeFault[] {
  const { defect } = request;
  const said = unwanted(request, ['header', 'alg'], 'nothing for an opaque token, or format jwt');
  if (defect === undefined || !isOfJwt(defect)) return said;
  return [
    ...said,
    { member: 'defect', sent: defect, expected: 'a defect that an opaque token can have, or format jwt' },
  ];
}

function unwanted(request: CheckedMint, members: readonly (keyof CheckedMint)[], expected: string): ChangeFault[] {
  return members.flatMap(member => {
    const value = request[member];
    return value === undefined ? [] : [{ member, sent: shorten(JSON.stringify(value)), expected }];
  });
}
