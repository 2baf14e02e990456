// Advice for parameters that other servers know and this one ignores (RFC 6749 §3.1).

const elsewhere = 'this server asks no other identity provider';

/** Advice by parameter; the comment names the server that uses it. */
const instead: Readonly<Record<string, string>> = {
  audience: 'name the API with resource (RFC 8707)', // Auth0
  access_type: 'ask for the scope offline_access', // Google
  approval_prompt: 'send prompt=consent', // Google
  connection: elsewhere, // Auth0
  domain_hint: elsewhere, // Microsoft Entra ID
  identity_provider: elsewhere, // Amazon Cognito
  kc_idp_hint: elsewhere, // Keycloak
  screen_hint: 'this server has no sign-up', // Auth0
};

/** The replacement for an ignored parameter; undefined for an unknown name. */
export function insteadOf(name: string): string | undefined {
  return Object.hasOwn(instead, name) ? instead[name] : undefined;
}
