import { isRecord } from '../../base/text/record.ts';

interface ClaimMeaning {
  readonly words: string;
  readonly reference: string;
  readonly also?: string;
}

const profile = (words: string): ClaimMeaning => ({ words, reference: 'OIDC Core §5.1' });
const entitled = (words: string): ClaimMeaning => ({ words, reference: 'RFC 9068 §2.2.3.1' });

/** Meanings of the known claims, by name. */
export const claimMeanings: Readonly<Record<string, ClaimMeaning>> = {
  iss: {
    words: 'The issuer that signed the token. Compare it, character by character, with the issuer you trust.',
    reference: 'RFC 7519 §4.1.1',
  },
  sub: {
    words: 'The user, or the client itself. Stable: store this, not the e-mail address.',
    reference: 'RFC 7519 §4.1.2',
  },
  aud: {
    words: 'The recipients. Refuse the token if your API or app is not among them.',
    reference: 'RFC 7519 §4.1.3',
    also: 'RFC 9068 §4',
  },
  exp: { words: 'The token expires at this time. Refuse it from then on.', reference: 'RFC 7519 §4.1.4' },
  nbf: { words: 'The token becomes valid at this time. Refuse it before.', reference: 'RFC 7519 §4.1.5' },
  iat: { words: 'When the token was issued.', reference: 'RFC 7519 §4.1.6' },
  jti: { words: 'The unique id of the token. A server detects replays with it.', reference: 'RFC 7519 §4.1.7' },
  client_id: { words: 'The app that requested the token.', reference: 'RFC 9068 §2.2', also: 'RFC 8693 §4.3' },
  scope: {
    words: 'What the app may do, separated by spaces. Absent when no scope was granted.',
    reference: 'RFC 9068 §2.2.3',
    also: 'RFC 8693 §4.2',
  },
  authorization_details: {
    words: 'The granted permissions in detail, where a scope is not precise enough.',
    reference: 'RFC 9396 §9.1',
  },
  roles: entitled('The roles of the user.'),
  groups: entitled('The groups of the user.'),
  entitlements: entitled('The entitlements of the user.'),
  azp: { words: 'The app this ID token was issued to.', reference: 'OIDC Core §2' },
  nonce: {
    words: "The app's own random value, returned unchanged. The app must compare it.",
    reference: 'OIDC Core §2',
    also: 'OIDC Core §3.1.3.7',
  },
  auth_time: { words: 'The time of the sign-in.', reference: 'OIDC Core §2' },
  acr: { words: 'The strength of the sign-in, as a class.', reference: 'OIDC Core §2' },
  amr: { words: 'The methods of the sign-in.', reference: 'OIDC Core §2', also: 'RFC 8176 §2' },
  at_hash: { words: 'The hash of the access token issued with this ID token.', reference: 'OIDC Core §3.1.3.6' },
  c_hash: { words: 'The hash of the code issued with this ID token.', reference: 'OIDC Core §3.3.2.11' },
  sid: { words: 'The sign-in session. A logout refers to it.', reference: 'OIDC Front-Channel Logout §3' },
  cnf: { words: 'The key this token is bound to. The sender must prove possession of it.', reference: 'RFC 7800 §3.1' },
  act: { words: 'The party that acts on behalf of the subject.', reference: 'RFC 8693 §4.1' },
  may_act: { words: 'The party that is allowed to act for the subject.', reference: 'RFC 8693 §4.4' },
  events: { words: 'The event: a session ended.', reference: 'OIDC Back-Channel Logout §2.4' },
  token_introspection: { words: 'The introspection result of a different token.', reference: 'RFC 9701 §5' },
  code: { words: 'The code of a signed authorization response.', reference: 'RFC 6749 §4.1.2' },
  state: {
    words: "The app's own value, returned unchanged. The app must compare it.",
    reference: 'RFC 6749 §4.1.2',
  },
  error: { words: 'The error code of a refused authorization request.', reference: 'RFC 6749 §4.1.2.1' },
  error_description: { words: 'The reason for the refusal, for developers.', reference: 'RFC 6749 §4.1.2.1' },
  access_token: { words: 'An access token in an authorization response.', reference: 'RFC 6749 §4.2.2' },
  token_type: { words: 'How to send the access token.', reference: 'RFC 6749 §7.1' },
  expires_in: { words: 'Lifetime of the access token in seconds.', reference: 'RFC 6749 §4.2.2' },
  id_token: { words: 'An ID token in an authorization response.', reference: 'OIDC Core §3.2.2.5' },
  session_state: {
    words: 'Lets the app notice that the user signed out.',
    reference: 'OIDC Session Management §2',
  },
  htm: { words: 'The method of the request this proof is for.', reference: 'RFC 9449 §4.2' },
  htu: { words: 'The URL of the request this proof is for, without its query.', reference: 'RFC 9449 §4.2' },
  ath: { words: 'The hash of the access token this proof is for.', reference: 'RFC 9449 §4.2' },
  name: profile('Full name, for display.'),
  given_name: profile('First name or names.'),
  family_name: profile('Last name or names.'),
  middle_name: profile('Middle name or names.'),
  nickname: profile('Nickname.'),
  preferred_username: profile('The name the user prefers. It is neither unique nor stable.'),
  profile: profile("URL of the user's profile page."),
  picture: profile('URL of a picture.'),
  website: profile("URL of the user's website."),
  email: profile('E-mail address. Check email_verified before you trust it; never use it as a key.'),
  email_verified: profile('Whether the e-mail address was verified.'),
  gender: profile('Gender, as the user states it.'),
  birthdate: profile('Date of birth, YYYY-MM-DD.'),
  zoneinfo: profile('Time zone.'),
  locale: profile('Language and region.'),
  phone_number: profile('Phone number. Check phone_number_verified before you trust it.'),
  phone_number_verified: profile('Whether the phone number was verified.'),
  address: { words: 'Postal address, as an object.', reference: 'OIDC Core §5.1.1' },
  updated_at: profile('When the profile last changed.'),
};

/** Meanings of the known header parameters, by name. */
export const headerMeanings: Readonly<Record<string, ClaimMeaning>> = {
  alg: {
    words: 'The signature algorithm. Accept only the algorithms you expect; never let the token choose.',
    reference: 'RFC 8725 §3.1',
  },
  kid: { words: 'The id of the key in the key set.', reference: 'RFC 7515 §4.1.4' },
  typ: {
    words: 'The kind of token. Only an access token has at+jwt, so an ID token cannot pass as one.',
    reference: 'RFC 9068 §2.1',
    also: 'RFC 8725 §3.11',
  },
  cty: {
    words: 'The type of the content: JWT if a signed token is inside an encrypted one.',
    reference: 'RFC 7519 §5.2',
  },
  jku: { words: 'The URL of a key set. Never fetch it.', reference: 'RFC 7515 §4.1.2', also: 'RFC 8725 §3.10' },
  jwk: {
    words: 'A key inside the token. Never trust it; only a DPoP proof contains its own key.',
    reference: 'RFC 7515 §4.1.3',
    also: 'RFC 9449 §4.2',
  },
  x5u: { words: 'The URL of a certificate. Never fetch it.', reference: 'RFC 7515 §4.1.5', also: 'RFC 8725 §3.10' },
  x5c: {
    words: 'A certificate inside the token. Never trust it unless you know who issued it.',
    reference: 'RFC 7515 §4.1.6',
  },
  x5t: { words: 'The SHA-1 hash of the certificate of the key.', reference: 'RFC 7515 §4.1.7' },
  'x5t#S256': { words: 'The SHA-256 hash of the certificate of the key.', reference: 'RFC 7515 §4.1.8' },
  crit: {
    words: 'Header parameters the receiver must support. Refuse the token otherwise.',
    reference: 'RFC 7515 §4.1.11',
  },
  b64: { words: 'Whether the payload is encoded. If false, this is not a JWT.', reference: 'RFC 7797 §3' },
  enc: { words: 'How the content is encrypted.', reference: 'RFC 7516 §4.1.2' },
  zip: { words: 'The compression before the encryption.', reference: 'RFC 7516 §4.1.3' },
  epk: { words: "The sender's temporary key, generated for this token.", reference: 'RFC 7518 §4.6.1.1' },
  apu: { words: 'The sender, for the key agreement.', reference: 'RFC 7518 §4.6.1.2' },
  apv: { words: 'The receiver, for the key agreement.', reference: 'RFC 7518 §4.6.1.3' },
  iv: { words: 'The initialization vector of the encrypted key.', reference: 'RFC 7518 §4.7.1.1' },
  tag: { words: 'Proves that the encrypted key was not changed.', reference: 'RFC 7518 §4.7.1.2' },
  p2s: { words: 'The salt of the password the key is derived from.', reference: 'RFC 7518 §4.8.1.1' },
  p2c: { words: 'How often the password was hashed.', reference: 'RFC 7518 §4.8.1.2' },
};

/** The meaning of a claim that is in neither table. */
export const unknownClaim: ClaimMeaning = { words: 'Not a registered claim.', reference: '' };

const boundToKey: ClaimMeaning = {
  words: 'The key this token is bound to. Every request needs a DPoP proof made with it.',
  reference: 'RFC 9449 §6.1',
  also: 'RFC 7800 §3.1',
};
const boundToCertificate: ClaimMeaning = {
  words: 'The client certificate this token is bound to. Every connection must use it.',
  reference: 'RFC 8705 §3.1',
  also: 'RFC 7800 §3.1',
};

/** The meaning of a claim. For `cnf`, the value decides between a key and a certificate. */
export function claimMeaning(name: string, value?: unknown): ClaimMeaning {
  if (name === 'cnf' && isRecord(value)) {
    if ('jkt' in value) return boundToKey;
    if ('x5t#S256' in value) return boundToCertificate;
  }
  return Object.hasOwn(claimMeanings, name) ? (claimMeanings[name] ?? unknownClaim) : unknownClaim;
}

/** The meaning of a header parameter. */
export function headerMeaning(name: string): ClaimMeaning {
  return Object.hasOwn(headerMeanings, name) ? (headerMeanings[name] ?? unknownClaim) : unknownClaim;
}
