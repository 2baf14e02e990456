import type { Grant } from './grant.ts';
import {
  authorizationFields,
  authorize,
  boundToken,
  direct,
  dpopProof,
  introspect,
  machineToken,
  poll,
  redeem,
  userinfo,
} from './steps.ts';

/** Grants that OAuth 2.1 removed. */
export const removed: readonly Readonly<Record<'title' | 'why' | 'rfc', string>>[] = [
  {
    title: 'Password',
    why: 'The app gets the password. Users learn to type it anywhere, and a second factor is impossible.',
    rfc: 'RFC 9700 §2.4',
  },
  {
    title: 'Implicit',
    why: 'The token is in the address, where history, logs and other pages can read it. Use the code with PKCE instead.',
    rfc: 'RFC 9700 §2.1.2',
  },
];

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

/** Grants that begin with a sign-in in the browser of the user. */
const loginGrants: readonly Grant[] = [
  {
    id: 'code',
    title: 'Code with PKCE',
    summary: 'The user signs in at the server. The app gets a code that only this app can exchange for tokens.',
    rfc: 'RFC 7636',
    scope: 'openid profile',
    steps: [authorize(), redeem(), userinfo],
  },
  {
    id: 'refresh',
    title: 'Refresh',
    summary:
      'New tokens without a new sign-in. Each refresh token works once. A second use ends all tokens of the sign-in.',
    rfc: 'RFC 6749 §6',
    scope: 'openid offline_access',
    steps: [
      authorize([
        {
          name: 'prompt',
          value: 'consent',
          why: 'The user must agree before the app may act while they are away.',
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
    summary: 'The app sends the request straight to the server. The browser cannot read or change it.',
    rfc: 'RFC 9126',
    scope: 'openid profile',
    steps: [
      {
        id: 'push',
        title: 'Push the request',
        story: 'The server checks the request and answers with a reference. No browser is involved yet.',
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
    summary: 'Tokens are bound to a key of the app, so a stolen token is worthless.',
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
    summary: 'The app asks who signed in. It sends the access token, never the ID token.',
    rfc: 'OIDC Core §5.3',
    scope: 'openid profile email',
    steps: [authorize(), redeem(), userinfo],
  },
  {
    id: 'logout',
    title: 'Logout',
    summary: 'The app ends the session at the server. The tokens of the session end, too.',
    rfc: 'OIDC RP-Initiated Logout §2',
    scope: 'openid',
    steps: [
      authorize(),
      redeem(),
      {
        id: 'logout',
        title: 'Sign out',
        story: 'Your browser goes to the server, which ends the session. Come back here afterwards.',
        by: 'visit',
        method: 'GET',
        endpoint: 'end_session',
        fields: [
          {
            name: 'id_token_hint',
            value: '{id_token}',
            why: 'Says who signs out, so that the server need not ask.',
            rfc: 'OIDC RP-Initiated Logout §2',
          },
        ],
      },
      {
        ...userinfo,
        id: 'after',
        title: 'Ask who signed in',
        story: 'The server now refuses the access token. An API that does not ask the server still accepts it.',
      },
    ],
  },
];

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';
const cibaGrant = 'urn:openid:params:grant-type:ciba';
const exchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange';

/** Grants in which the app never sends a browser to the server. */
const backChannelGrants: readonly Grant[] = [
  {
    id: 'client-credentials',
    title: 'Client credentials',
    summary: 'An app acts for itself, and proves who it is by its credentials.',
    rfc: 'RFC 6749 §4.4',
    scope: '',
    isConfidential: true,
    steps: [machineToken, introspect('look', 'Look at the token', 'The server tells what the token is good for.')],
  },
  {
    id: 'introspection',
    title: 'Introspection and revocation',
    summary: 'An API asks the server whether a token still counts. An app ends a token that it no longer needs.',
    rfc: 'RFC 7662',
    scope: '',
    isConfidential: true,
    steps: [
      machineToken,
      introspect('before', 'Ask about the token', 'The token is active.'),
      {
        id: 'revoke',
        title: 'Revoke the token',
        story: 'The response is 200 and empty, whether the server knew the token or not.',
        ...direct,
        endpoint: 'revoke',
        fields: [{ name: 'token', value: '{access_token}', why: 'The token to end.', rfc: 'RFC 7009 §2.1' }],
      },
      introspect('after', 'Ask again', 'The same request now gets a different response.'),
    ],
  },
  {
    id: 'exchange',
    title: 'Token exchange',
    summary: 'A service exchanges its token for a narrower one, to call the next service.',
    rfc: 'RFC 8693',
    scope: '',
    isConfidential: true,
    steps: [
      machineToken,
      {
        id: 'exchange',
        title: 'Exchange the token',
        story: 'The server checks the first token and gives a new one.',
        ...direct,
        endpoint: 'token',
        fields: [
          { name: 'grant_type', value: exchangeGrant, why: 'Names the grant.', rfc: 'RFC 8693 §2.1' },
          { name: 'subject_token', value: '{access_token}', why: 'The token to exchange.', rfc: 'RFC 8693 §2.1' },
          {
            name: 'subject_token_type',
            value: 'urn:ietf:params:oauth:token-type:access_token',
            why: 'Says how the server must read the first token.',
            rfc: 'RFC 8693 §3',
          },
        ],
        reads: { exchanged_token: 'access_token' },
      },
    ],
  },
  {
    id: 'device',
    title: 'Device',
    summary: 'A device without a keyboard shows a code, and the user approves it on another screen.',
    rfc: 'RFC 8628',
    scope: 'openid profile',
    steps: [
      {
        id: 'device',
        title: 'Ask for a user code',
        story: 'The device asks for a code that it can show.',
        ...direct,
        endpoint: 'device_authorization',
        fields: [{ name: 'scope', value: '{scope}', why: 'Says what the device wants to do.', rfc: 'RFC 8628 §3.1' }],
        reads: { device_code: 'device_code', user_code: 'user_code' },
      },
      {
        id: 'approve',
        title: 'Approve on another screen',
        story: 'You are the user now. Sign in, approve the code, and come back.',
        by: 'visit',
        method: 'GET',
        endpoint: 'device_verification',
        fields: [
          { name: 'user_code', value: '{user_code}', why: 'The code that the device shows.', rfc: 'RFC 8628 §3.3.1' },
        ],
      },
      poll(deviceGrant, { name: 'device_code', rfc: 'RFC 8628 §3.4' }),
    ],
  },
  {
    id: 'ciba',
    title: 'CIBA',
    summary: 'The app starts the sign-in. The user approves it on their own device.',
    rfc: 'CIBA Core §7',
    scope: 'openid profile',
    isConfidential: true,
    steps: [
      {
        id: 'ask',
        title: 'Ask for a sign-in',
        story: 'The app names the user. It opens no browser.',
        ...direct,
        endpoint: 'backchannel_authentication',
        fields: [
          { name: 'scope', value: '{scope}', why: 'Must have openid.', rfc: 'CIBA Core §7.1' },
          { name: 'login_hint', value: '{user}', why: 'Names the user who is asked.', rfc: 'CIBA Core §7.1' },
          {
            name: 'binding_message',
            value: 'PLAY-42',
            why: 'Both screens show it, so that the user knows which request this is.',
            rfc: 'CIBA Core §7.1',
          },
        ],
        reads: { auth_req_id: 'auth_req_id' },
      },
      {
        id: 'approve',
        title: 'Approve as the user',
        story: 'The next page is the phone of the user. Approve the request there, and come back.',
        by: 'visit',
        method: 'GET',
        endpoint: 'approvals',
        fields: [],
      },
      poll(cibaGrant, { name: 'auth_req_id', rfc: 'CIBA Core §10.1' }),
    ],
  },
];

export const grants: readonly Grant[] = [...loginGrants, ...backChannelGrants];
