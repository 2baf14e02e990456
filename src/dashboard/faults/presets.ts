import type { FaultOrder } from '../../faults/fault.ts';

/** A fault that people want often, at one press. */
export interface Preset {
  /** As the form sends it. */
  readonly id: string;
  readonly name: string;
  readonly order: FaultOrder;
}

/** What is a state of the provider lasts a while, and ends by itself; what is a mishap meets one request. */
const aWhile = { times: 'always', for: 600 } as const;

export const presets: readonly Preset[] = [
  { id: 'slow', name: 'IdP is slow, 3 s', order: { fault: 'slow', endpoint: 'any', seconds: 3, ...aWhile } },
  { id: 'unavailable', name: 'Token endpoint 503', order: { fault: 'unavailable', endpoint: 'token' } },
  { id: 'rotated', name: 'Keys rotated', order: { fault: 'keys_rotated' } },
  { id: 'expired', name: 'Everything expired', order: { fault: 'expired', token: 'both', ...aWhile } },
  { id: 'denied', name: 'User denies', order: { fault: 'authorize_error', error: 'access_denied' } },
  { id: 'unknown-kid', name: 'Unknown kid', order: { fault: 'unknown_kid' } },
  { id: 'no-keys', name: 'No keys', order: { fault: 'keys_empty' } },
  { id: 'api', name: 'API 401', order: { fault: 'api_unauthorized' } },
];
