import type { ClaimOrigin } from './claim-origin.ts';

/** A claim in a few words for its line; the sentence is in `claim-meaning.ts`. */
const briefs: Readonly<Record<string, string>> = {
  iss: 'who signed it',
  sub: 'the user',
  aud: 'for whom',
  client_id: 'the app that asked',
  azp: 'the app that asked',
  iat: 'issued',
  nbf: 'not valid before',
  exp: 'end of its life',
  jti: 'number of this token',
  scope: 'what the app may do',
  authorization_details: 'permissions in detail',
  roles: 'roles of the user',
  groups: 'groups of the user',
  entitlements: 'rights of the user',
  nonce: 'sent by the app',
  auth_time: 'signed in',
  acr: 'strength of the sign-in',
  amr: 'methods of the sign-in',
  at_hash: 'hash of the access token',
  c_hash: 'hash of the code',
  sid: 'session of the user',
  cnf: 'key it is bound to',
  act: 'who acts for the user',
  may_act: 'who may act for the user',
  name: 'full name',
  given_name: 'first name',
  family_name: 'last name',
  middle_name: 'middle name',
  nickname: 'nickname',
  email: 'e-mail address',
  picture: 'address of a picture',
  profile: 'address of the profile',
  website: 'address of a website',
  locale: 'language and region',
  zoneinfo: 'time zone',
  birthdate: 'date of birth',
  gender: 'gender',
  address: 'postal address',
  phone_number: 'phone number',
  email_verified: 'address was checked',
  phone_number_verified: 'number was checked',
  preferred_username: 'may change',
  updated_at: 'profile changed',
  alg: 'how it is signed',
  kid: 'key that signed it',
  typ: 'kind of token',
  enc: 'how it is encrypted',
};

const protocol = new Set(
  'iss sub aud client_id azp iat nbf exp auth_time acr amr nonce sid at_hash c_hash cnf act may_act jti'.split(' '),
);

const first = ['scope', 'roles', 'groups', 'entitlements', 'authorization_details'];

interface Named {
  readonly name: string;
  readonly origin?: ClaimOrigin;
}

/** A few words about a claim: what it is, or else who set it. */
export function briefOf({ name, origin }: Named): string {
  const known = Object.hasOwn(briefs, name) ? briefs[name] : undefined;
  return known ?? (origin === undefined ? '' : (setBy[origin.source] ?? ''));
}

const setBy: Partial<Record<ClaimOrigin['source'], string>> = {
  user: 'claim of the user',
  claims_parameter: 'claim of the user',
  client: 'set by the client',
  scope: 'set by a scope',
  rule: 'set by a rule',
  preset: 'set by the preset',
  edit: 'set by hand',
};

/** The claims that applications and APIs work with, those of authorization first, and the claims of the protocol in a fixed order. */
export function claimGroups<Row extends Named>(rows: readonly Row[]) {
  const isProtocol = ({ name, origin }: Row) =>
    protocol.has(name) || (origin?.source === 'preset' && !first.includes(name));
  const order = [...protocol];
  const places = (names: readonly string[]) => (row: Row) =>
    (names.indexOf(row.name) + 1 || names.length + 1) as number;
  const sorted = (chosen: readonly Row[], names: readonly string[]) => {
    const placeOf = places(names);
    return [...chosen].sort((a, b) => placeOf(a) - placeOf(b));
  };
  return {
    own: sorted(
      rows.filter(row => !isProtocol(row)),
      first,
    ),
    protocol: sorted(rows.filter(isProtocol), order),
  };
}
