import type { Step, StepField } from './grant.ts';

/** A request of the app itself, which the page sends with the credentials of the client. */
export const direct = { by: 'page', method: 'POST', authenticates: true } as const;

const pkce: readonly StepField[] = [
  {
    name: 'code_challenge',
    value: '{challenge}',
    why: 'The server keeps it. Later it compares it with the SHA-256 hash of the verifier.',
    rfc: 'RFC 7636 §4.3',
  },
  {
    name: 'code_challenge_method',
    value: 'S256',
    why: 'The challenge is a SHA-256 hash, so it does not reveal the verifier.',
    rfc: 'RFC 7636 §4.3',
  },
];

export const authorizationFields: readonly StepField[] = [
  {
    name: 'response_type',
    value: 'code',
    why: 'Asks for a code, and for no token in the address.',
    rfc: 'RFC 6749 §4.1.1',
  },
  { name: 'client_id', value: '{client_id}', why: 'Says which app asks.', rfc: 'RFC 6749 §2.2' },
  {
    name: 'redirect_uri',
    value: '{redirect_uri}',
    why: 'The response goes to this address, so the server accepts only addresses that are registered.',
    rfc: 'RFC 6749 §3.1.2',
  },
  { name: 'scope', value: '{scope}', why: 'Says what the app wants to do.', rfc: 'RFC 6749 §3.3' },
  {
    name: 'state',
    value: '{state}',
    why: 'Comes back unchanged. The app refuses a response with a different one.',
    rfc: 'RFC 6749 §10.12',
  },
  {
    name: 'nonce',
    value: '{nonce}',
    why: 'Comes back in the ID token, and ties that token to this request.',
    rfc: 'OIDC Core §3.1.2.1',
  },
  ...pkce,
  { name: 'login_hint', value: '{user}', why: 'Names the user who will probably sign in.', rfc: 'OIDC Core §3.1.2.1' },
];

export function authorize(more: readonly StepField[] = []): Step {
  return {
    id: 'authorize',
    title: 'Ask for a code',
    story: 'Your browser goes to the server. The user signs in there, so the app never sees a password.',
    by: 'return',
    method: 'GET',
    endpoint: 'authorize',
    fields: [...authorizationFields, ...more],
    reads: { code: 'code' },
  };
}

export function redeem(more: readonly StepField[] = []): Step {
  return {
    id: 'token',
    title: 'Exchange the code for tokens',
    story: 'The app sends the code and the verifier straight to the server. No browser is involved.',
    ...direct,
    endpoint: 'token',
    fields: [
      ...more,
      { name: 'grant_type', value: 'authorization_code', why: 'Names the grant.', rfc: 'RFC 6749 §4.1.3' },
      { name: 'code', value: '{code}', why: 'The code of the callback. It works once.', rfc: 'RFC 6749 §4.1.3' },
      {
        name: 'redirect_uri',
        value: '{redirect_uri}',
        why: 'Must be the same as in the first step. A code that was sent elsewhere is worthless.',
        rfc: 'RFC 6749 §4.1.3',
      },
      {
        name: 'code_verifier',
        value: '{verifier}',
        why: 'Proves that the sender asked for the code. Nobody else knows the verifier.',
        rfc: 'RFC 7636 §4.5',
      },
    ],
    reads: { access_token: 'access_token', refresh_token: 'refresh_token', id_token: 'id_token' },
  };
}

export const bearer: StepField = {
  name: 'Authorization',
  value: 'Bearer {access_token}',
  why: 'Anybody who has the token can use it, so it is sent in a header and never in an address.',
  rfc: 'RFC 6750 §2.1',
  in: 'header',
};

export const dpopProof: StepField = {
  name: 'DPoP',
  value: '{proof}',
  why: 'A JWT signed with the key of the app. It proves that the sender holds that key.',
  rfc: 'RFC 9449 §4.2',
  in: 'header',
};

/** The header of a token that is bound by DPoP. */
export const boundToken: StepField = {
  name: 'Authorization',
  value: 'DPoP {access_token}',
  why: 'The scheme says that the token is bound to a key.',
  rfc: 'RFC 9449 §7.1',
  in: 'header',
};

export const userinfo: Step = {
  id: 'userinfo',
  title: 'Ask who signed in',
  story: 'UserInfo answers with the claims that the scope releases.',
  by: 'page',
  method: 'GET',
  endpoint: 'userinfo',
  fields: [bearer],
};

/** A step that polls the token endpoint while a user decides elsewhere. */
export function poll(grantType: string, { name, rfc }: { readonly name: string; readonly rfc: string }): Step {
  return {
    id: 'poll',
    title: 'Ask for the tokens',
    story:
      'Until the user decides, the server answers authorization_pending. It answers slow_down to an app that asks too often.',
    ...direct,
    endpoint: 'token',
    fields: [
      { name: 'grant_type', value: grantType, why: 'Names the grant.', rfc },
      { name, value: `{${name}}`, why: 'Says which request this poll belongs to.', rfc },
    ],
    reads: { access_token: 'access_token', refresh_token: 'refresh_token', id_token: 'id_token' },
  };
}

export function introspect(id: string, title: string, story: string): Step {
  return {
    id,
    title,
    story,
    ...direct,
    endpoint: 'introspect',
    fields: [
      {
        name: 'token',
        value: '{access_token}',
        why: 'The token to ask about.',
        rfc: 'RFC 7662 §2.1',
      },
      {
        name: 'token_type_hint',
        value: 'access_token',
        why: 'Tells the server where to look first. It is only a hint.',
        rfc: 'RFC 7662 §2.1',
      },
    ],
  };
}

export const machineToken: Step = {
  id: 'token',
  title: 'Ask for a token',
  story: 'The app asks for itself. No user is involved, so there is no sign-in page and no refresh token.',
  ...direct,
  endpoint: 'token',
  fields: [
    { name: 'grant_type', value: 'client_credentials', why: 'Names the grant.', rfc: 'RFC 6749 §4.4.2' },
    { name: 'scope', value: '{scope}', why: 'Says what the app wants to do.', rfc: 'RFC 6749 §3.3' },
  ],
  reads: { access_token: 'access_token' },
};
