import { protocolClaims } from '../protocol-claims.ts';

/**
 * Claims that the protocol sets, and that no rule can replace: those of RFC 7519 §4.1, RFC 9068 §2.2, OIDC Core §2 and
 * §3.1.3.6, of sender constraints (RFC 7800), of exchanges (RFC 8693 §4) and of logout tokens.
 */
export const reservedClaims: readonly string[] = [
  ...protocolClaims,
  'client_id',
  'scope',
  'cnf',
  'act',
  'may_act',
  'authorization_details',
  'events',
];
