import { isIssued } from '../../../base/events/event-memory.ts';
import { isOfScript } from '../correlation/flow-kind.ts';
import { isPassing, refusalOf } from '../correlation/refusals.ts';
import type { RecordedRequest } from '../recorded-request.ts';
import { answers, asks, type Told } from './arrows.ts';
import type { Draw, Drawing } from './model.ts';
import { keptArrow } from './unseen.ts';

/** Words for a token request, by its `grant_type`. */
const purposes: Readonly<Record<string, Told>> = {
  refresh_token: {
    words: 'requests new tokens',
    why: 'Access tokens expire soon. The client exchanges its refresh token for new tokens, without the user. A refresh token that is used twice may be stolen, so this server then revokes all tokens of the login.',
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
    ? 'The PKCE secret proves that the same app started the login.'
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
      why: whyOf(names),
      reference: 'RFC 6749 §5.1',
    }),
    ...(isFirst && keeps(drawing) ? [keptArrow] : []),
  ];
};

/** Whether to draw that the app stores the tokens: only for an app that has a user. */
function keeps({ flow, client }: Drawing): boolean {
  return client === 'client' && ['authorization_code', 'hybrid', 'password'].includes(flow.kind);
}

const tokenWords: Readonly<Record<string, string>> = {
  access_token: 'The access token is for APIs.',
  id_token: 'The ID Token tells the app who signed in.',
  refresh_token: 'The app exchanges the refresh token for new tokens.',
};

function whyOf(names: readonly string[]): string {
  return names.map(name => tokenWords[name]).join(' ');
}

function wordsOfRefusal(request: RecordedRequest, words: string): string {
  const refusal = refusalOf(request);
  if (refusal?.error === 'use_dpop_nonce') return 'must try again with a nonce';
  if (refusal === undefined || !isPassing(refusal)) return words;
  return `${words}: not yet`;
}
