import { refusalOf } from '../correlation/refusals.ts';
import { answers, asks, type Told } from './arrows.ts';
import type { Draw } from './model.ts';

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
      why: 'UserInfo returns the claims that the scopes of the access token release. The ID Token may contain fewer of them.',
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
