import { isIssued } from '../../events/event-memory.ts';
import { isOfScript } from '../correlation/flow-kind.ts';
import { isPassing, refusalOf } from '../correlation/refusals.ts';
import type { RecordedRequest } from '../recorded-request.ts';
import { answers, asks, type Told } from './arrows.ts';
import type { Draw, Drawing } from './model.ts';
import { keptArrow } from './unseen.ts';

/** What a token request is for, by its grant. */
const purposes: Readonly<Record<string, Told>> = {
  refresh_token: {
    words: 'asks for new tokens',
    why: 'Access tokens end soon. The client swaps its refresh token for new ones, without the user. A refresh token that was used before means that somebody else has it, so everything is revoked then.',
    reference: 'RFC 6749 §6',
  },
  client_credentials: {
    words: 'requests a token as itself (no user)',
    why: 'The client acts for itself: there is no user and no browser. What it proves itself with is all it hands in.',
    reference: 'RFC 6749 §4.4.2',
  },
  password: {
    words: 'hands in name and password',
    why: 'The client swaps what the user typed for tokens.',
    reference: 'RFC 6749 §4.3.2',
  },
  'urn:ietf:params:oauth:grant-type:device_code': {
    words: 'asks whether the user has decided',
    why: 'The device asks every few seconds. Asked too early, it is told to slow down.',
    reference: 'RFC 8628 §3.4',
  },
  'urn:openid:params:grant-type:ciba': {
    words: 'asks whether the user has decided',
    why: 'The client asks every few seconds, or once it was told that there is a decision.',
    reference: 'OIDC CIBA §10.1',
  },
  'urn:ietf:params:oauth:grant-type:token-exchange': {
    words: 'exchanges a token for another',
    why: 'An API that calls another API needs a token for that one, about the same user. It swaps the one it was called with.',
    reference: 'RFC 8693 §2.1',
  },
  'urn:ietf:params:oauth:grant-type:jwt-bearer': {
    words: 'hands in an assertion',
    why: 'A JWT of a trusted issuer says who the user is, and is swapped for a token of this server.',
    reference: 'RFC 7523 §2.1',
  },
};

const unknownPurpose: Told = {
  words: 'asks for tokens',
  why: 'The token endpoint swaps a grant for tokens. Which grant it is, grant_type says.',
  reference: 'RFC 6749 §3.2',
};

function purposeOf(request: RecordedRequest): Told {
  const grant = request.value('grant_type') ?? '';
  if (grant !== 'authorization_code') return (Object.hasOwn(purposes, grant) && purposes[grant]) || unknownPurpose;
  const isPkce = request.value('code_verifier') !== undefined;
  const proof = isPkce
    ? 'Its PKCE secret proves that it is the same app that began the login.'
    : 'What it proves itself with shows that the code is its own.';
  const where = isOfScript(request)
    ? 'The app runs in the browser, and swaps the code for tokens from there, by a request of its script: the browser sees the tokens, too.'
    : 'The client swaps the code for tokens over the back channel, which the browser cannot see.';
  return {
    words: isOfScript(request) ? 'swaps the code for tokens, from the browser' : 'swaps the code for tokens',
    why: `${where} ${proof}`,
    reference: isPkce ? 'RFC 7636 §4.5' : 'RFC 6749 §4.1.3',
  };
}

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
      words: names.length === 1 ? 'gives a token' : 'gives tokens',
      why: whyOf(names),
      reference: 'RFC 6749 §5.1',
    }),
    ...(isFirst && keeps(drawing) ? [keptArrow] : []),
  ];
};

/** An app with a user; what acts for itself needs no picture of that. */
function keeps({ flow, client }: Drawing): boolean {
  return client === 'client' && ['authorization_code', 'hybrid', 'password'].includes(flow.kind);
}

const tokenWords: Readonly<Record<string, string>> = {
  access_token: 'The access token is for APIs.',
  id_token: 'The ID Token tells the app who logged in.',
  refresh_token: 'The refresh token gets new ones.',
};

function whyOf(names: readonly string[]): string {
  return names.map(name => tokenWords[name]).join(' ');
}

function wordsOfRefusal(request: RecordedRequest, words: string): string {
  const refusal = refusalOf(request);
  if (refusal?.error === 'use_dpop_nonce') return 'is asked to come again with a nonce';
  if (refusal === undefined || !isPassing(refusal)) return words;
  return `${words}: not yet`;
}
