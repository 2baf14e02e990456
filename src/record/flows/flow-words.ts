import type { Flow, FlowKind } from './flow.ts';

export const flowKindWords: Readonly<Record<FlowKind, string>> = {
  authorization_code: 'Login with a code',
  implicit: 'Implicit login',
  hybrid: 'Hybrid login',
  client_credentials: 'Client credentials',
  device: 'Device login',
  ciba: 'Backchannel login',
  password: 'Password grant',
  token_exchange: 'Token exchange',
  jwt_bearer: 'JWT bearer',
  refresh_token: 'Refresh',
  logout: 'Logout',
  registration: 'Registration',
  setup: 'Metadata and keys',
  calls: 'API calls',
  other: 'Requests',
};

/** The title of a flow: `Login with a code, frontend, alice`. */
export function flowTitle({ kind, client_id, sub }: Pick<Flow, 'kind' | 'client_id' | 'sub'>): string {
  return [flowKindWords[kind], client_id, sub].filter(part => part !== undefined).join(', ');
}
