import type { Grant } from './grant.ts';
import { authorizationFields, authorize, boundToken, direct, dpopProof, redeem, userinfo } from './steps.ts';

function refresh(id: string, title: string, story: string, value: string) {
  return {
    id,
    title,
    story,
    ...direct,
    endpoint: 'token',
    fields: [
      { name: 'grant_type', value: 'refresh_token', why: 'Names the grant.', rfc: 'RFC 6749 §6' },
      { name: 'refresh_token', value, why: 'Stands for the permission that the user gave.', rfc: 'RFC 6749 §6' },
    ],
  } as const;
}

/** Grants that begin with a login in the browser of the user. */
export const loginGrants: readonly Grant[] = [
  {
    id: 'code',
    title: 'Code with PKCE',
    summary: 'A user logs in at the server, and the application gets a code that only it can exchange for tokens.',
    rfc: 'RFC 7636',
    scope: 'openid profile',
    steps: [authorize(), redeem(), userinfo],
  },
  {
    id: 'refresh',
    title: 'Refresh',
    summary: 'New tokens without a login. Each refresh token works once; a second use ends all tokens of the login.',
    rfc: 'RFC 6749 §6',
    scope: 'openid offline_access',
    steps: [
      authorize([
        {
          name: 'prompt',
          value: 'consent',
          why: 'The user must agree before the application may act while they are away.',
          rfc: 'OIDC Core §11',
        },
      ]),
      redeem(),
      {
        ...refresh('refresh', 'Refresh', 'The server gives new tokens, and a new refresh token.', '{refresh_token}'),
        reads: { access_token: 'access_token', new_refresh_token: 'refresh_token' },
      },
      refresh('replay', 'Use the old one again', 'A thief would do this, so the server must react.', '{refresh_token}'),
    ],
  },
  {
    id: 'par',
    title: 'Pushed request (PAR)',
    summary: 'The application sends the request to the server first, so that the browser cannot read or change it.',
    rfc: 'RFC 9126',
    scope: 'openid profile',
    steps: [
      {
        id: 'push',
        title: 'Push the request',
        story: 'The server checks the request before a browser is involved, and answers with a reference.',
        ...direct,
        endpoint: 'par',
        fields: authorizationFields.filter(({ name }) => name !== 'client_id'),
        reads: { request_uri: 'request_uri' },
      },
      {
        ...authorize(),
        fields: [
          { name: 'client_id', value: '{client_id}', why: 'Must be the client that pushed.', rfc: 'RFC 9126 §4' },
          {
            name: 'request_uri',
            value: '{request_uri}',
            why: 'Refers to the pushed request, once.',
            rfc: 'RFC 9126 §4',
          },
        ],
      },
      redeem(),
    ],
  },
  {
    id: 'dpop',
    title: 'DPoP',
    summary: 'Tokens are bound to a key of the application, so a stolen token is worthless.',
    rfc: 'RFC 9449',
    scope: 'openid profile',
    steps: [
      authorize(),
      redeem([dpopProof]),
      {
        ...userinfo,
        fields: [boundToken, dpopProof],
      },
    ],
  },
  {
    id: 'userinfo',
    title: 'UserInfo',
    summary: 'The application asks who logged in, with an access token and never with the ID token.',
    rfc: 'OIDC Core §5.3',
    scope: 'openid profile email',
    steps: [authorize(), redeem(), userinfo],
  },
  {
    id: 'logout',
    title: 'Logout',
    summary: 'The application ends the session at the server, which also ends the tokens of that session.',
    rfc: 'OIDC RP-Initiated Logout §2',
    scope: 'openid',
    steps: [
      authorize(),
      redeem(),
      {
        id: 'logout',
        title: 'Log out',
        story: 'Your browser goes to the server, which ends the session there. Come back when you have logged out.',
        by: 'visit',
        method: 'GET',
        endpoint: 'end_session',
        fields: [
          {
            name: 'id_token_hint',
            value: '{id_token}',
            why: 'Says who is to be logged out, so that the server need not ask.',
            rfc: 'OIDC RP-Initiated Logout §2',
          },
        ],
      },
      {
        ...userinfo,
        id: 'after',
        title: 'Ask who logged in',
        story:
          'The server refuses the access token now. An API that reads the token by itself and does not ask would still accept it.',
      },
    ],
  },
];
