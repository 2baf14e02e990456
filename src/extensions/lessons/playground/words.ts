import type { AnswerKind } from './states.ts';

const sources: Readonly<Record<string, string>> = {
  client_id: 'the client you chose',
  client_secret: 'the registration of the client',
  basic: 'the registration of the client',
  user: 'the user you chose',
  scope: 'the scopes you chose',
  redirect_uri: 'this playground',
  state: 'made by this page',
  nonce: 'made by this page',
  verifier: 'made by this page, and kept',
  challenge: 'the SHA-256 of the verifier',
  code: 'the callback',
  proof: 'made by this page for each request',
  assertion: 'made by this page for each request',
  issuer: 'the address of this server',
  soon: 'made by this page: in half an hour',
  request: 'signed by this page with the demo key',
  certificate: 'the registration of the client',
};

/** Tells where the value of a template comes from. */
export function sourceOf(template: string): string {
  const [, name] = /\{(\w+)\}/.exec(template) ?? [];
  if (name === undefined) return 'always the same for this grant';
  return sources[name] ?? earlier;
}

const earlier = 'an earlier response';

/** Whether an earlier step gives the value of a template. */
export function isOfEarlierStep(template: string): boolean {
  return [earlier, sources.code].includes(sourceOf(template));
}

/** Sentences about a client whose key or certificate the page does not have. */
export const notes = {
  plain:
    'This client shows a certificate in the TLS handshake, but this server speaks plain HTTP. Start it with TLS=self-signed.',
  foreignCa: 'This server trusts client certificates of your CA (TLS_CLIENT_CA). This page has none, so it sends none.',
  foreignCertificate:
    'This page does not have the private key of this client. It shows a different certificate, which the server refuses.',
  foreignKey:
    'This page does not have the private key of this client. It sends no client assertion, so the server refuses.',
  unsigned:
    'This client signs its authorization requests. This page does not have the key, so it sends a plain request.',
} as const;

/** The places of a value in a request that are no parameter: in a word beside the name, and in a sentence. */
export const places = {
  header: { word: 'header', sentence: 'A header.' },
  claim: { word: 'claim', sentence: 'A claim of the request object.' },
  handshake: { word: 'TLS', sentence: 'Part of the TLS handshake.' },
} as const;

/** The three guesses that a learner chooses from. */
export const predictions: Readonly<Record<'page' | 'return', Readonly<Record<AnswerKind, string>>>> = {
  page: {
    accepted: 'The server accepts it',
    request: 'It refuses the request: something is wrong in it',
    caller: 'It refuses the caller or the token: 401 or 403',
  },
  return: {
    accepted: 'A code comes back',
    request: 'An error comes back',
    caller: 'Nothing comes back: the server shows an error page',
  },
};
