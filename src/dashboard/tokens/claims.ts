import { isRecord } from '../../text/record.ts';

/** What a claim or header parameter means, for people. */
export interface ClaimMeaning {
  /** What it is and what to do with it. */
  readonly words: string;
  /** `RFC 7519 §4.1.1`; empty for what no standard defines. */
  readonly reference: string;
  /** A second one, where another standard says more. */
  readonly also?: string;
}

const profile = (words: string): ClaimMeaning => ({ words, reference: 'OIDC Core §5.1' });
const entitled = (words: string): ClaimMeaning => ({ words, reference: 'RFC 9068 §2.2.3.1' });

/** The claims we know, in no order. */
export const claimMeanings: Readonly<Record<string, ClaimMeaning>> = {
  iss: {
    words: 'Who signed it. Compare it, character by character, with the issuer you trust.',
    reference: 'RFC 7519 §4.1.1',
  },
  sub: {
    words: 'The user, or the client itself. Stable: store this, not the e-mail address.',
    reference: 'RFC 7519 §4.1.2',
  },
  aud: { words: 'Who may accept it. Not you? Refuse it.', reference: 'RFC 7519 §4.1.3', also: 'RFC 9068 §4' },
  exp: { words: 'Refuse it from this time on.', reference: 'RFC 7519 §4.1.4' },
  nbf: { words: 'Refuse it before this time.', reference: 'RFC 7519 §4.1.5' },
  iat: { words: 'When it was made.', reference: 'RFC 7519 §4.1.6' },
  jti: { words: 'Its serial number; lets a server spot a replay.', reference: 'RFC 7519 §4.1.7' },
  client_id: { words: 'The application that asked for it.', reference: 'RFC 9068 §2.2', also: 'RFC 8693 §4.3' },
  scope: {
    words: 'What the application may do, separated by spaces. Absent when no scope was granted.',
    reference: 'RFC 9068 §2.2.3',
    also: 'RFC 8693 §4.2',
  },
  authorization_details: {
    words: 'What exactly was allowed, where a scope would not say it.',
    reference: 'RFC 9396 §9.1',
  },
  roles: entitled('What the user may do, by role.'),
  groups: entitled('The groups the user belongs to.'),
  entitlements: entitled('What the user is entitled to.'),
  azp: { words: 'The application this ID Token was made for.', reference: 'OIDC Core §2' },
  nonce: {
    words: "The application's own random value, sent back. The application must compare it.",
    reference: 'OIDC Core §2',
    also: 'OIDC Core §3.1.3.7',
  },
  auth_time: { words: 'When the user really logged in.', reference: 'OIDC Core §2' },
  acr: { words: 'How strong the login was, as a class.', reference: 'OIDC Core §2' },
  amr: { words: 'How the user logged in, as methods.', reference: 'OIDC Core §2', also: 'RFC 8176 §2' },
  at_hash: { words: 'Binds this ID Token to the access token that came with it.', reference: 'OIDC Core §3.1.3.6' },
  c_hash: { words: 'Binds this ID Token to the code that came with it.', reference: 'OIDC Core §3.3.2.11' },
  sid: { words: 'The login session; used to log out.', reference: 'OIDC Front-Channel Logout §3' },
  cnf: { words: 'Bound to a key: useless without proof of holding it.', reference: 'RFC 7800 §3.1' },
  act: { words: 'Who acts here on behalf of the subject.', reference: 'RFC 8693 §4.1' },
  may_act: { words: 'Who is allowed to act for the subject.', reference: 'RFC 8693 §4.4' },
  events: { words: 'What happened: here, that a session ended.', reference: 'OIDC Back-Channel Logout §2.4' },
  token_introspection: { words: 'What introspection says of another token.', reference: 'RFC 9701 §5' },
  code: { words: 'The code of an authorization response that is signed as a whole.', reference: 'RFC 6749 §4.1.2' },
  state: {
    words: "The application's own value, sent back. The application must compare it.",
    reference: 'RFC 6749 §4.1.2',
  },
  error: { words: 'Why an authorization request was refused, as a code.', reference: 'RFC 6749 §4.1.2.1' },
  error_description: { words: 'The same in a sentence, for developers.', reference: 'RFC 6749 §4.1.2.1' },
  access_token: { words: 'An access token in an authorization response.', reference: 'RFC 6749 §4.2.2' },
  token_type: { words: 'How that access token is used.', reference: 'RFC 6749 §7.1' },
  expires_in: { words: 'Seconds that access token lasts.', reference: 'RFC 6749 §4.2.2' },
  id_token: { words: 'An ID Token in an authorization response.', reference: 'OIDC Core §3.2.2.5' },
  session_state: {
    words: 'Lets the application notice that the user signed out.',
    reference: 'OIDC Session Management §2',
  },
  htm: { words: 'The method of the request this proof is for.', reference: 'RFC 9449 §4.2' },
  htu: { words: 'The address this proof is for, without query.', reference: 'RFC 9449 §4.2' },
  ath: { words: 'The hash of the access token this proof is for.', reference: 'RFC 9449 §4.2' },
  name: profile('Full name, to show.'),
  given_name: profile('First name or names.'),
  family_name: profile('Last name or names.'),
  middle_name: profile('Middle name or names.'),
  nickname: profile('What friends say.'),
  preferred_username: profile('A name the user likes; not unique, not stable.'),
  profile: profile("Address of the user's page."),
  picture: profile('Address of a picture.'),
  website: profile("Address of the user's web site."),
  email: profile('E-mail address. Check email_verified before you trust it; never use it as a key.'),
  email_verified: profile('Whether somebody checked that the address is theirs.'),
  gender: profile('Gender, in the words of the user.'),
  birthdate: profile('Date of birth, YYYY-MM-DD.'),
  zoneinfo: profile('Time zone.'),
  locale: profile('Language and region.'),
  phone_number: profile('Phone number. Check phone_number_verified before you trust it.'),
  phone_number_verified: profile('Whether somebody checked the number.'),
  address: { words: 'Postal address, as an object.', reference: 'OIDC Core §5.1.1' },
  updated_at: profile('When the profile last changed.'),
};

/** Header parameters. */
export const headerMeanings: Readonly<Record<string, ClaimMeaning>> = {
  alg: {
    words: 'How it is signed. Accept the algorithms you expect; never take the choice from the token.',
    reference: 'RFC 8725 §3.1',
  },
  kid: { words: 'Which key of the key set to look up.', reference: 'RFC 7515 §4.1.4' },
  typ: {
    words: 'What kind of token: at+jwt is an access token, so no ID Token passes as one.',
    reference: 'RFC 9068 §2.1',
    also: 'RFC 8725 §3.11',
  },
  cty: { words: 'What is inside: JWT, where a signed token is in an encrypted one.', reference: 'RFC 7519 §5.2' },
  jku: { words: 'Where keys lie. Never follow it.', reference: 'RFC 7515 §4.1.2', also: 'RFC 8725 §3.10' },
  jwk: {
    words: 'A key inside the token. Never trust it; only a DPoP proof has to bring one.',
    reference: 'RFC 7515 §4.1.3',
    also: 'RFC 9449 §4.2',
  },
  x5u: { words: 'Where a certificate lies. Never follow it.', reference: 'RFC 7515 §4.1.5', also: 'RFC 8725 §3.10' },
  x5c: {
    words: 'A certificate inside the token. Never trust it unless you know who issued it.',
    reference: 'RFC 7515 §4.1.6',
  },
  x5t: { words: 'The SHA-1 hash of the certificate that belongs to the key.', reference: 'RFC 7515 §4.1.7' },
  'x5t#S256': { words: 'The SHA-256 hash of the certificate that belongs to the key.', reference: 'RFC 7515 §4.1.8' },
  crit: { words: 'What must be understood, or the token refused.', reference: 'RFC 7515 §4.1.11' },
  b64: { words: 'Whether the payload is encoded. Where it is false, this is no JWT.', reference: 'RFC 7797 §3' },
  enc: { words: 'How the content is encrypted.', reference: 'RFC 7516 §4.1.2' },
  zip: { words: 'How it was compressed before it was encrypted.', reference: 'RFC 7516 §4.1.3' },
  epk: { words: 'The key of the sender, made for this token alone.', reference: 'RFC 7518 §4.6.1.1' },
  apu: { words: 'Who the sender is, for the key agreement.', reference: 'RFC 7518 §4.6.1.2' },
  apv: { words: 'Who the receiver is, for the key agreement.', reference: 'RFC 7518 §4.6.1.3' },
  iv: { words: 'Makes the encryption of the key unlike any other.', reference: 'RFC 7518 §4.7.1.1' },
  tag: { words: 'Shows that the encrypted key was not changed.', reference: 'RFC 7518 §4.7.1.2' },
  p2s: { words: 'The salt of the password the key is made of.', reference: 'RFC 7518 §4.8.1.1' },
  p2c: { words: 'How often the password was hashed.', reference: 'RFC 7518 §4.8.1.2' },
};

/** For what nobody registered. */
export const unknownClaim: ClaimMeaning = { words: 'Not in any registry we know.', reference: '' };

const boundToKey: ClaimMeaning = {
  words: 'Bound to a key: useless without a DPoP proof made with it.',
  reference: 'RFC 9449 §6.1',
  also: 'RFC 7800 §3.1',
};
const boundToCertificate: ClaimMeaning = {
  words: 'Bound to a client certificate: useless on a connection without it.',
  reference: 'RFC 8705 §3.1',
  also: 'RFC 7800 §3.1',
};

/** What a claim means; its value tells the kinds of `cnf` apart. */
export function claimMeaning(name: string, value?: unknown): ClaimMeaning {
  if (name === 'cnf' && isRecord(value)) {
    if ('jkt' in value) return boundToKey;
    if ('x5t#S256' in value) return boundToCertificate;
  }
  return Object.hasOwn(claimMeanings, name) ? (claimMeanings[name] ?? unknownClaim) : unknownClaim;
}

export function headerMeaning(name: string): ClaimMeaning {
  return Object.hasOwn(headerMeanings, name) ? (headerMeanings[name] ?? unknownClaim) : unknownClaim;
}
