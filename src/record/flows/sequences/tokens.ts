import { isIssued } from '../../../base/events/event-memory.ts';
import { isOfScript } from '../correlation/flow-kind.ts';
import { isPassing, refusalOf } from '../correlation/flow-status.ts';
import type { RecordedRequest } from '../recorded-request.ts';
import { answers, asks, type Draw, type Drawing, type Told } from './model.ts';
import { keptArrow } from './unseen.ts';

const purposes: Readonly<Record<string, Told>> = {
  refresh_token: {
    words: 'requests new tokens',
    why: 'Access tokens expire soon. The client exchanges its refresh token for new tokens, without the user. A refresh token that is used twice may be stolen, so this server then revokes all tokens of the sign-in.',
    reference: 'RFC 6749 §6',
  },
  client_credentials: {
    words: 'requests a token as itself (no user)',
    why: 'The client acts for itself: there is no user and no browser. It sends nothing but its own credentials.',
    reference: 'RFC 6749 §4.4.2',
  },
  password: {
    words: 'sends username and password',
    why: 'The client exchanges the password of the user for tokens.',
    reference: 'RFC 6749 §4.3.2',
  },
  'urn:ietf:params:oauth:grant-type:device_code': {
    words: 'asks whether the user has decided',
    why: 'The device polls every few seconds. If it polls too often, this server answers slow_down.',
    reference: 'RFC 8628 §3.4',
  },
  'urn:openid:params:grant-type:ciba': {
    words: 'asks whether the user has decided',
    why: 'The client polls every few seconds, or asks once after this server has notified it of a decision.',
    reference: 'OIDC CIBA §10.1',
  },
  'urn:ietf:params:oauth:grant-type:token-exchange': {
    words: 'exchanges a token for a different one',
    why: 'An API that calls a second API needs a token for that API and the same user. It exchanges the token from its own caller.',
    reference: 'RFC 8693 §2.1',
  },
  'urn:ietf:params:oauth:grant-type:jwt-bearer': {
    words: 'sends an assertion',
    why: 'A JWT from a trusted issuer names the user. The client exchanges it for a token of this server.',
    reference: 'RFC 7523 §2.1',
  },
};

const unknownPurpose: Told = {
  words: 'requests tokens',
  why: 'The token endpoint exchanges a grant for tokens. The grant_type names the kind of grant.',
  reference: 'RFC 6749 §3.2',
};

function purposeOf(request: RecordedRequest): Told {
  const grant = request.value('grant_type') ?? '';
  if (grant !== 'authorization_code') return (Object.hasOwn(purposes, grant) && purposes[grant]) || unknownPurpose;
  const isPkce = request.value('code_verifier') !== undefined;
  const proof = isPkce
    ? 'The PKCE secret proves that the same app started the sign-in.'
    : 'The credentials of the client prove that the code was issued to it.';
  const where = isOfScript(request)
    ? 'The app runs in the browser, and its script exchanges the code for tokens. The browser therefore sees the tokens.'
    : 'The client exchanges the code for tokens over the back channel, which the browser cannot see.';
  return {
    words: isOfScript(request) ? 'exchanges the code for tokens, from the browser' : 'exchanges the code for tokens',
    why: `${where} ${proof}`,
    reference: isPkce ? 'RFC 7636 §4.5' : 'RFC 6749 §4.1.3',
  };
}

/** Draws a token request and the tokens it is answered with; one arrow if no token was issued. */
export const drawToken: Draw = (request, drawing) => {
  const { client, seen } = drawing;
  const purpose = purposeOf(request);
  if (!request.facts.some(isIssued))
    return [asks(request, client, { ...purpose, words: wordsOfRefusal(request, purpose.words) })];
  const names = ['access_token', 'id_token', 'refresh_token'].filter(name => name in request.answer);
  const isFirst = !seen.has('tokens');
  seen.add('tokens');
  return [
    { ...asks(request, client, purpose), part: 'request' },
    answers(request, client, names.join(', '), {
      words: names.length === 1 ? 'returns a token' : 'returns tokens',
      why: names.map(name => tokenWords[name]).join(' '),
      reference: 'RFC 6749 §5.1',
    }),
    ...(isFirst && keeps(drawing) ? [keptArrow] : []),
  ];
};

function keeps({ flow, client }: Drawing): boolean {
  return client === 'client' && ['authorization_code', 'hybrid', 'password'].includes(flow.kind);
}

const tokenWords: Readonly<Record<string, string>> = {
  access_token: 'The access token is for APIs.',
  id_token: 'The ID token tells the app who signed in.',
  refresh_token: 'The app exchanges the refresh token for new tokens.',
};

function wordsOfRefusal(request: RecordedRequest, words: string): string {
  const refusal = refusalOf(request);
  if (refusal?.error === 'use_dpop_nonce') return 'must try again with a nonce';
  if (refusal === undefined || !isPassing(refusal)) return words;
  return `${words}: not yet`;
}

// Draws the use of tokens, and the documents that every client reads first.

export const drawApi: Draw = (request, { client, seen }) => {
  seen.add('used');
  const isRefused = refusalOf(request) !== undefined;
  const asked = asks(request, client, {
    words: isRefused ? 'calls the API, which refuses the request' : 'calls the API with the access token',
    why: 'The API checks the token itself: the signature, the audience, the expiry and the scope.',
    reference: isRefused ? 'RFC 6750 §3.1' : 'RFC 6750 §2.1',
  });
  return [{ ...asked, to: 'api' }];
};

export const drawUserinfo: Draw = (request, { client, seen }) => {
  seen.add('used');
  return [
    asks(request, client, {
      words: 'requests the claims of the user',
      why: 'UserInfo returns the claims that the scopes of the access token release. The ID token may contain fewer of them.',
      reference: 'OIDC Core §5.3.1',
    }),
  ];
};

/** Draws a token introspection with the state that was found. */
export const drawIntrospect: Draw = request => {
  const state = request.fact('token.introspected')?.state;
  return [
    asks(request, 'api', {
      words: state === undefined ? 'asks about a token' : `asks about a token, which is ${state.replaceAll('_', ' ')}`,
      why: 'An API asks the issuer if it cannot read the token itself, or must know whether the token was revoked.',
      reference: 'RFC 7662 §2.1',
    }),
  ];
};

export const drawRevoke: Draw = (request, { client }) => [
  asks(request, client, {
    words: 'revokes a token',
    why: 'The client no longer needs its tokens, usually because the user signs out. An API that checks only the signature still accepts the access token until it expires.',
    reference: 'RFC 7009 §2.1',
  }),
];

const documents: Readonly<Record<string, Told>> = {
  discovery: {
    words: 'reads the metadata of this server',
    why: 'Libraries need only the issuer: this document lists the endpoints and what they support.',
    reference: 'RFC 8414 §3',
  },
  jwks: {
    words: 'fetches the public keys',
    why: 'Anybody can verify the signatures of this server with these keys. A client fetches them again when a token names an unknown key.',
    reference: 'RFC 7517 §5',
  },
  resource_metadata: {
    words: 'reads which server issues tokens for the API',
    why: 'A client that an API refused learns here where to get tokens for that API.',
    reference: 'RFC 9728 §3',
  },
};

export const drawDocument: Draw = request => {
  const about = documents[request.event.endpoint];
  return about === undefined ? [] : [asks(request, 'client', about)];
};

const registrations: Readonly<Record<string, readonly [words: string, reference: string]>> = {
  POST: ['registers itself', 'RFC 7591 §3.1'],
  GET: ['reads its registration', 'RFC 7592 §2.1'],
  PUT: ['replaces its registration', 'RFC 7592 §2.2'],
  DELETE: ['deletes itself', 'RFC 7592 §2.3'],
};

/** Draws a dynamic registration, or a request that reads, replaces or deletes one. */
export const drawRegistration: Draw = request => {
  const { method, status } = request.event;
  const [words, reference] = registrations[method] ?? ['requests its registration', 'RFC 7592 §2'];
  const asked = asks(request, 'client', {
    words,
    why: 'A client that is not configured here sends its name and redirect URIs. The registration is kept until the sandbox stops or is reset.',
    reference,
  });
  if (status !== 201) return [asked];
  const answer = answers(request, 'client', 'client_id', {
    words: 'returns a client_id',
    why: 'From now on the client uses this client_id. With the registration_access_token it can change its registration.',
    reference: 'RFC 7591 §3.2.1',
  });
  return [{ ...asked, part: 'request' }, answer];
};

/** Draws a CORS preflight: the browser asks for permission before it sends the request of a script (Fetch §3.2). */
export const drawPreflight: Draw = request => {
  const asked = asks(request, 'browser', {
    words: 'asks whether the script may send its request',
    why: 'A script from a different origin wants to send a special header or content type. The browser asks first, and sends the request only if this server permits it.',
    reference: '',
  });
  return [{ ...asked, to: request.event.endpoint === 'api' ? 'api' : 'idp' }];
};
