import { refusalOf } from '../correlation/refusals.ts';
import { answers, asks, type Told } from './arrows.ts';
import type { Draw } from './model.ts';

// What is done with tokens, and what every client reads beforehand.

export const drawApi: Draw = (request, { client, seen }) => {
  seen.add('used');
  const isRefused = refusalOf(request) !== undefined;
  const asked = asks(request, client, {
    words: isRefused ? 'calls the API, which refuses' : 'calls the API with the access token',
    why: 'The API checks the token by itself: who signed it, for whom it is, whether it is still good, and whether its scope allows this.',
    reference: isRefused ? 'RFC 6750 §3.1' : 'RFC 6750 §2.1',
  });
  return [{ ...asked, to: 'api' }];
};

export const drawUserinfo: Draw = (request, { client, seen }) => {
  seen.add('used');
  return [
    asks(request, client, {
      words: 'asks who the user is',
      why: 'UserInfo gives the claims that the scopes of the access token release. The ID Token says no more than who logged in.',
      reference: 'OIDC Core §5.3.1',
    }),
  ];
};

export const drawIntrospect: Draw = request => {
  const state = request.fact('token.introspected')?.state;
  return [
    asks(request, 'api', {
      words: state === undefined ? 'asks about a token' : `asks about a token, which is ${state.replaceAll('_', ' ')}`,
      why: 'An API that cannot read the token, or must know whether it was revoked, asks the server that issued it.',
      reference: 'RFC 7662 §2.1',
    }),
  ];
};

export const drawRevoke: Draw = (request, { client }) => [
  asks(request, client, {
    words: 'takes a token back',
    why: 'The client needs its tokens no more, mostly because the user signs out. An API that checks only the signature accepts an access token until it expires.',
    reference: 'RFC 7009 §2.1',
  }),
];

const documents: Readonly<Record<string, Told>> = {
  discovery: {
    words: 'reads what this server can',
    why: 'Libraries need only the issuer: where the endpoints are and what they can do is written here.',
    reference: 'RFC 8414 §3',
  },
  jwks: {
    words: 'fetches the public keys',
    why: 'With these keys anybody can check our signatures. They are fetched again when a token names a key that is not among them.',
    reference: 'RFC 7517 §5',
  },
  resource_metadata: {
    words: 'reads which server guards the API',
    why: 'A client that was refused by an API reads here where it gets tokens for it.',
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

export const drawRegistration: Draw = request => {
  const { method, status } = request.event;
  const [words, reference] = registrations[method] ?? ['asks about its registration', 'RFC 7592 §2'];
  const asked = asks(request, 'client', {
    words,
    why: 'A client that nobody has entered here says who it is and where answers may go. What it is given back is its own for as long as this sandbox runs.',
    reference,
  });
  if (status !== 201) return [asked];
  const answer = answers(request, 'client', 'client_id', {
    words: 'gives it a name',
    why: 'From now on the client uses this client_id. With the registration_access_token it can change what it has said.',
    reference: 'RFC 7591 §3.2.1',
  });
  return [{ ...asked, part: 'request' }, answer];
};

/** The browser asks before a script may (Fetch §3.2). */
export const drawPreflight: Draw = request => {
  const asked = asks(request, 'browser', {
    words: 'asks whether a script may',
    why: 'A script of another origin wants to send something unusual, a header or a content type. The browser asks first, and without a good answer the request is never sent.',
    reference: '',
  });
  return [{ ...asked, to: request.event.endpoint === 'api' ? 'api' : 'idp' }];
};
