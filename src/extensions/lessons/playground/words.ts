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
  return sources[name] ?? 'an earlier answer';
}

/** Sentences about a client whose key or certificate the page does not have. */
export const notes = {
  plain:
    'This client shows a certificate in the TLS handshake, but this sandbox speaks plain HTTP. Start it with TLS=self-signed to send that certificate.',
  foreignCa:
    'This sandbox trusts client certificates of your CA (TLS_CLIENT_CA) and issues none, so the page shows no certificate.',
  foreignCertificate:
    'The page does not have the private key of the certificate of this client, so it shows a different one, which the server refuses.',
  foreignKey:
    'The page does not have the private key of this client, so it sends no client assertion, and the server refuses.',
  unsigned:
    'This client signs its authorization requests with a key that the page does not have, so the page sends a plain request.',
} as const;

/** The places of a value in a request. */
export const places = {
  parameter: 'parameter',
  header: 'header',
  claim: 'claim of the request object',
  handshake: 'TLS handshake',
} as const;

/** The three answers of a prediction. */
export const predictions: Readonly<Record<'page' | 'return', Readonly<Record<AnswerKind, string>>>> = {
  page: {
    accepted: 'The server accepts it.',
    request: 'The server refuses the request: something in it is wrong.',
    caller: 'The server refuses the caller, or its token: 401 or 403.',
  },
  return: {
    accepted: 'The callback receives a code.',
    request: 'The callback receives an error.',
    caller: 'Nothing reaches the callback: the server shows an error page.',
  },
};
