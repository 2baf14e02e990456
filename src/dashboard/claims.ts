/** What a claim or header parameter means, for people. */
export interface ClaimMeaning {
  /** What it is and what to do with it. */
  readonly words: string;
  /** `RFC 7519 §4.1.1`; empty for what no standard defines. */
  readonly reference: string;
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
  aud: { words: 'Who may accept it. Not you? Refuse it.', reference: 'RFC 7519 §4.1.3' },
  exp: { words: 'Refuse it from this time on.', reference: 'RFC 7519 §4.1.4' },
  nbf: { words: 'Refuse it before this time.', reference: 'RFC 7519 §4.1.5' },
  iat: { words: 'When it was made.', reference: 'RFC 7519 §4.1.6' },
  jti: { words: 'Its serial number; lets a server spot a replay.', reference: 'RFC 7519 §4.1.7' },
  client_id: { words: 'The application that asked for it.', reference: 'RFC 9068 §2.2' },
  scope: {
    words: 'What the application may do, separated by spaces. Absent when no scope was granted.',
    reference: 'RFC 9068 §2.2.3',
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
    reference: 'OIDC Core §3.1.3.7',
  },
  auth_time: { words: 'When the user really logged in.', reference: 'OIDC Core §2' },
  acr: { words: 'How strong the login was, as a class.', reference: 'OIDC Core §2' },
  amr: { words: 'How the user logged in, as methods.', reference: 'RFC 8176 §2' },
  at_hash: { words: 'Binds this ID Token to the access token that came with it.', reference: 'OIDC Core §3.1.3.6' },
  c_hash: { words: 'Binds this ID Token to the code that came with it.', reference: 'OIDC Core §3.3.2.11' },
  sid: { words: 'The login session; used to log out.', reference: 'OIDC Front-Channel Logout §3' },
  cnf: { words: 'Bound to a key: useless without proof of holding it.', reference: 'RFC 7800 §3.1' },
  act: { words: 'Who acts here on behalf of the subject.', reference: 'RFC 8693 §4.1' },
  may_act: { words: 'Who is allowed to act for the subject.', reference: 'RFC 8693 §4.4' },
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
  },
  jku: { words: 'Where keys lie. Never follow it.', reference: 'RFC 7515 §4.1.2' },
  jwk: { words: 'A key inside the token. Never trust it.', reference: 'RFC 7515 §4.1.3' },
  crit: { words: 'What must be understood, or the token refused.', reference: 'RFC 7515 §4.1.11' },
};

/** For what nobody registered. */
export const unknownClaim: ClaimMeaning = { words: 'Not in any registry we know: your own claim.', reference: '' };

export function claimMeaning(name: string): ClaimMeaning {
  return Object.hasOwn(claimMeanings, name) ? (claimMeanings[name] ?? unknownClaim) : unknownClaim;
}

export function headerMeaning(name: string): ClaimMeaning {
  return Object.hasOwn(headerMeanings, name) ? (headerMeanings[name] ?? unknownClaim) : unknownClaim;
}
