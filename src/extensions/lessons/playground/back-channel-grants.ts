import type { Grant } from './grant.ts';
import { direct, introspect, machineToken, poll } from './steps.ts';

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';
const cibaGrant = 'urn:openid:params:grant-type:ciba';
const exchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange';

/** Grants in which the application never sends a browser to the server. */
export const backChannelGrants: readonly Grant[] = [
  {
    id: 'client-credentials',
    title: 'Client credentials',
    summary: 'An application acts for itself and proves who it is with its credentials.',
    rfc: 'RFC 6749 §4.4',
    scope: '',
    isConfidential: true,
    steps: [machineToken, introspect('look', 'Look at the token', 'The server tells what the token is good for.')],
  },
  {
    id: 'introspection',
    title: 'Introspection and revocation',
    summary:
      'An API asks the server whether a token still counts, and an application ends one that it no longer needs.',
    rfc: 'RFC 7662',
    scope: '',
    isConfidential: true,
    steps: [
      machineToken,
      introspect('before', 'Ask about the token', 'The token is active.'),
      {
        id: 'revoke',
        title: 'Revoke the token',
        story: 'The answer is 200 and empty, whether the server knew the token or not.',
        ...direct,
        endpoint: 'revoke',
        fields: [{ name: 'token', value: '{access_token}', why: 'The token to end.', rfc: 'RFC 7009 §2.1' }],
      },
      introspect('after', 'Ask again', 'The same question now has another answer.'),
    ],
  },
  {
    id: 'exchange',
    title: 'Token exchange',
    summary: 'A service exchanges the token it received for a narrower one, to call the next service.',
    rfc: 'RFC 8693',
    scope: '',
    isConfidential: true,
    steps: [
      machineToken,
      {
        id: 'exchange',
        title: 'Exchange the token',
        story: 'The server checks the first token and gives another one.',
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
        story: 'You are the user now: log in and approve the code, then come back.',
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
    summary: 'The application starts the login, and the user approves it on their own device.',
    rfc: 'CIBA Core §7',
    scope: 'openid profile',
    isConfidential: true,
    steps: [
      {
        id: 'ask',
        title: 'Ask for a login',
        story: 'The application names the user. No browser of the application is involved.',
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
        story: 'This page stands for the telephone of the user. Approve the request, then come back.',
        by: 'visit',
        method: 'GET',
        endpoint: 'approvals',
        fields: [],
      },
      poll(cibaGrant, { name: 'auth_req_id', rfc: 'CIBA Core §10.1' }),
    ],
  },
];
