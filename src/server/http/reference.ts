const specifications: readonly [name: string, url: string][] = [
  ['FAPI 2.0 Security Profile', 'https://openid.net/specs/fapi-security-profile-2_0-final.html'],
  ['OIDC Back-Channel Logout', 'https://openid.net/specs/openid-connect-backchannel-1_0.html'],
  ['OIDC CIBA', 'https://openid.net/specs/openid-client-initiated-backchannel-authentication-core-1_0.html'],
  ['OIDC Core', 'https://openid.net/specs/openid-connect-core-1_0.html'],
  ['OIDC Discovery', 'https://openid.net/specs/openid-connect-discovery-1_0.html'],
  ['OIDC Front-Channel Logout', 'https://openid.net/specs/openid-connect-frontchannel-1_0.html'],
  ['OIDC Registration', 'https://openid.net/specs/openid-connect-registration-1_0.html'],
  ['OIDC RP-Initiated Logout', 'https://openid.net/specs/openid-connect-rpinitiated-1_0.html'],
  ['OIDC Session Management', 'https://openid.net/specs/openid-connect-session-1_0.html'],
  [
    'OAuth 2.0 Client ID Metadata Document',
    'https://datatracker.ietf.org/doc/draft-ietf-oauth-client-id-metadata-document/',
  ],
  ['OAuth 2.0 JARM', 'https://openid.net/specs/oauth-v2-jarm.html'],
  ['OAuth 2.0 JWT Secured Authorization Response Mode', 'https://openid.net/specs/oauth-v2-jarm.html'],
  ['OAuth 2.0 Multiple Response Types', 'https://openid.net/specs/oauth-v2-multiple-response-types-1_0.html'],
];

/** The form every reference here has: a specification, a section. */
export const referenceForm =
  /^(?:RFC (\d{4,5})|FAPI 2\.0 [A-Z][A-Za-z ]+|OIDC [A-Z][A-Za-z -]+|OAuth 2\.0 [A-Z][A-Za-z ]+) \xa7(\d+(?:\.\d+)*)$/;

/** URL of a reference such as `RFC 7519 §4.1.1`; undefined for unknown forms. */
export function referenceUrl(reference: string): string | undefined {
  const match = referenceForm.exec(reference);
  if (match === null) return undefined;
  const [, rfc, section] = match;
  if (rfc !== undefined) return `https://www.rfc-editor.org/rfc/rfc${rfc}#section-${section}`;
  return specifications.find(([name]) => reference.startsWith(`${name} §`))?.[1];
}

/**
 * The text if it is an http URL and may become a link: everything shown comes from strangers, and `javascript:` is a
 * URL too.
 */
export function httpUrl(text: string): string | undefined {
  return /^https?:\/\//i.test(text) && URL.canParse(text) ? text : undefined;
}
