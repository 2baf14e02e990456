import { refusalOf } from '../correlation/refusals.ts';
import type { RecordedRequest } from '../recorded-request.ts';
import type { Arrow, Draw } from './model.ts';

// What is done with tokens, and what every client reads beforehand.

export const drawApi: Draw = (request, { client, seen }) => {
  const { method, path } = request.event;
  seen.add('used');
  const refusal = refusalOf(request);
  return [
    {
      ...{ from: client, to: 'api', title: `${method} ${path}` },
      words: refusal === undefined ? 'calls the API with the access token' : 'calls the API, which refuses',
      why: 'The API checks the token by itself: who signed it, for whom it is, whether it is still good, and whether its scope allows this.',
      ...{ reference: refusal === undefined ? 'RFC 6750 §2.1' : 'RFC 6750 §3.1', part: 'both' },
    },
  ];
};

export const drawUserinfo: Draw = (request, { client, seen }) => {
  const { method, path } = request.event;
  seen.add('used');
  return [
    {
      ...{ from: client, to: 'idp', title: `${method} ${path}`, words: 'asks who the user is' },
      why: 'UserInfo gives the claims that the scopes of the access token release. The ID Token says no more than who logged in.',
      ...{ reference: 'OIDC Core §5.3.1', part: 'both' },
    },
  ];
};

export const drawIntrospect: Draw = request => {
  const { method, path } = request.event;
  const state = request.fact('token.introspected')?.state;
  return [
    {
      ...{ from: 'api', to: 'idp', title: `${method} ${path}` },
      words: state === undefined ? 'asks about a token' : `asks about a token, which is ${state.replaceAll('_', ' ')}`,
      why: 'An API that cannot read the token, or must know whether it was revoked, asks the server that issued it.',
      ...{ reference: 'RFC 7662 §2.1', part: 'both' },
    },
  ];
};

export const drawRevoke: Draw = (request, { client }) => {
  const { method, path } = request.event;
  return [
    {
      ...{ from: client, to: 'idp', title: `${method} ${path}`, words: 'takes a token back' },
      why: 'The client needs its tokens no more, mostly because the user signs out. An API that checks only the signature accepts an access token until it expires.',
      ...{ reference: 'RFC 7009 §2.1', part: 'both' },
    },
  ];
};

const documents: Readonly<Record<string, Pick<Arrow, 'words' | 'why' | 'reference'>>> = {
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
  const { endpoint, method, path } = request.event;
  const about = documents[endpoint];
  return about === undefined ? [] : [{ from: 'client', to: 'idp', title: `${method} ${path}`, ...about, part: 'both' }];
};

const registrations: Readonly<Record<string, readonly [words: string, reference: string]>> = {
  POST: ['registers itself', 'RFC 7591 §3.1'],
  GET: ['reads its registration', 'RFC 7592 §2.1'],
  PUT: ['replaces its registration', 'RFC 7592 §2.2'],
  DELETE: ['deletes itself', 'RFC 7592 §2.3'],
};

export const drawRegistration: Draw = request => {
  const { method, path, status } = request.event;
  const [words, reference] = registrations[method] ?? ['asks about its registration', 'RFC 7592 §2'];
  const why =
    'A client that nobody has entered here says who it is and where answers may go. What it is given back is its own for as long as this sandbox runs.';
  const asked: Arrow = { from: 'client', to: 'idp', title: `${method} ${path}`, words, why, reference, part: 'both' };
  if (status !== 201) return [asked];
  return [
    { ...asked, part: 'request' },
    {
      ...{ from: 'idp', to: 'client', isResponse: true, title: `${status} client_id`, words: 'gives it a name' },
      why: 'From now on the client uses this client_id. With the registration_access_token it can change what it has said.',
      ...{ reference: 'RFC 7591 §3.2.1', part: 'response' },
    },
  ];
};

/** The browser asks before a script may (Fetch §3.2). */
export function drawPreflight({ event }: RecordedRequest): Arrow[] {
  return [
    {
      ...{ from: 'browser', to: event.endpoint === 'api' ? 'api' : 'idp', title: `${event.method} ${event.path}` },
      words: 'asks whether a script may',
      why: 'A script of another origin wants to send something unusual, a header or a content type. The browser asks first, and without a good answer the request is never sent.',
      ...{ reference: '', part: 'both' },
    },
  ];
}
