import type { FaultOrder } from '../../server/faults/fault.ts';

/** The number of requests a preset can be armed for, as the form sends it. */
export const presetBudgets = [
  { times: '1', id: '', name: 'Once' },
  { times: '2', id: '-twice', name: 'Twice' },
  { times: 'always', id: '-always', name: 'Until switched off' },
] as const;

/** Common faults, each armed with one click for one request, for two, or until it is disarmed. The form sends the `id`. */
export const presets: readonly { readonly id: string; readonly name: string; readonly order: FaultOrder }[] = [
  { id: 'slow', name: 'IdP is slow, 3 s', order: { fault: 'slow', endpoint: 'any', seconds: 3 } },
  { id: 'unavailable', name: 'Token endpoint 503', order: { fault: 'unavailable', endpoint: 'token' } },
  { id: 'rotated', name: 'Keys rotated', order: { fault: 'keys_rotated' } },
  { id: 'expired', name: 'Everything expired', order: { fault: 'expired', token: 'both' } },
  { id: 'denied', name: 'User denies', order: { fault: 'authorize_error', error: 'access_denied' } },
  { id: 'unknown-kid', name: 'Unknown kid', order: { fault: 'unknown_kid' } },
  { id: 'no-keys', name: 'No keys', order: { fault: 'keys_empty' } },
  { id: 'api', name: 'API 401', order: { fault: 'api_unauthorized' } },
];
