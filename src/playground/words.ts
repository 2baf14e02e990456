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
};

/** Tells where the value of a template comes from. */
export function sourceOf(template: string): string {
  const [, name] = /\{(\w+)\}/.exec(template) ?? [];
  if (name === undefined) return 'always the same for this grant';
  return sources[name] ?? 'an earlier answer';
}

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
