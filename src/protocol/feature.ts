/** Optional parts of an issuer. A feature that is switched off is neither advertised nor answered. */
export const features = {
  introspection: 'token introspection (RFC 7662)',
  revocation: 'token revocation (RFC 7009)',
  device: 'the device grant (RFC 8628)',
  'token-exchange': 'token exchange (RFC 8693)',
  'jwt-bearer': 'the JWT bearer grant (RFC 7523)',
  ciba: 'client-initiated backchannel authentication (OIDC CIBA)',
  par: 'pushed authorization requests (RFC 9126)',
  jar: 'request objects (RFC 9101)',
  jarm: 'signed authorization responses (JARM)',
  rar: 'rich authorization requests (RFC 9396)',
  claims: 'the claims parameter (OIDC Core §5.5)',
  registration: 'dynamic client registration (RFC 7591)',
  'client-id-metadata': 'client id metadata documents',
  dpop: 'DPoP (RFC 9449)',
  mtls: 'mutual TLS (RFC 8705)',
  'protected-resource-metadata': 'protected resource metadata (RFC 9728)',
  'backchannel-logout': 'back-channel logout',
  'frontchannel-logout': 'front-channel logout',
  'session-management': 'session management (check_session_iframe)',
  password: 'the password grant, removed by OAuth 2.1',
  implicit: 'the implicit and hybrid flows, removed by OAuth 2.1',
} as const;

export type Feature = keyof typeof features;

export const featureNames = Object.keys(features) as readonly Feature[];

/** Features for old applications: on only if a client is registered for them, or if `FEATURES` names them. */
export const legacyFeatures: readonly Feature[] = ['password', 'implicit'];

/** Features that are on by default. */
export const defaultFeatures: readonly Feature[] = featureNames.filter(name => !legacyFeatures.includes(name));
