import { type Case, shown } from '../case.ts';
import { compareText, compareUrls, compareWords } from '../compare.ts';
import type { Entries } from '../entry.ts';
import { advice, patchClient } from '../remedies.ts';
import { curlForm, endpointUrl, inApp } from '../source-text.ts';
import { jwtEntries } from './jwt-entries.ts';
import { pushedRequest, pushedRequestExpired } from './pushed-request.ts';

const object = jwtEntries('the request object');
const assertion = jwtEntries('the client_assertion');

/** Client assertions (RFC 7523 §3). */
export const assertionEntries = {
  client_assertion_alg_refused: assertion.algRefused,
  client_assertion_audience_mismatch: {
    ...assertion.audienceMismatch,
    compare: ({ error }) =>
      compareUrls(unquoted(error.sent), (error.expected ?? '').split(' or '), { sentLabel: 'aud sent' }),
  },
  client_assertion_client_mismatch: {
    title: 'client_id is not the client of the client_assertion',
    why: 'The JWT says who the client is. A client_id beside it may be left out, and must not say something else.',
  },
  client_assertion_expired: assertion.expired,
  client_assertion_issuer_mismatch: {
    title: 'iss and sub of the client_assertion are not both the client_id',
    why: 'A client speaks for itself here: it is the one who signs (iss) and the one it is about (sub).',
  },
  client_assertion_jti_missing: {
    title: 'The client_assertion has no jti',
    why: 'By its jti a JWT is recognised when it comes a second time.',
    compare: () => compareWords('no jti', 'jti, a fresh random value'),
  },
  client_assertion_key_unknown: { ...assertion.keyUnknown, compare: compareKeys },
  client_assertion_lives_too_long: {
    title: 'The client_assertion is good for too long',
    why: 'As long as it is good its jti has to be remembered. If exp is far in the future, it may be in milliseconds.',
  },
  client_assertion_malformed: assertion.malformed,
  client_assertion_missing: {
    title: 'client_assertion_type is there, and no client_assertion',
    why: 'The type announces a JWT, and none came: look for a variable that is not set.',
    compare: () => compareWords('client_assertion_type alone', 'client_assertion, a signed JWT'),
  },
  client_assertion_not_yet_valid: assertion.notYetValid,
  client_assertion_replayed: assertion.replayed,
  client_assertion_signature_wrong: assertion.signatureWrong,
  client_assertion_time_malformed: assertion.timeMalformed,
  client_assertion_type_unsupported: {
    title: 'The client_assertion_type is not the one for a JWT',
    why: 'There is one form of assertion here, and its name is compared character by character.',
  },
  client_encryption_key_missing: {
    title: 'There is no key to encrypt for {client}',
    why: 'The client is registered for encrypted answers, and has published no public key for that.',
  },
  client_keys_unavailable: {
    title: 'The keys of {client} cannot be read',
    why: ({ error }) => `${error.description}. Without them no signature of the client can be checked.`,
    compare: refused =>
      compareWords(refused.client?.jwks_uri ?? 'no jwks', refused.error.expected ?? 'a JWK Set of public keys', {
        sentLabel: 'Looked for at',
      }),
  },
} as const satisfies Entries;

/** Request objects (RFC 9101) and pushed requests (RFC 9126). */
export const requestEntries = {
  request_not_pushed: {
    title: '{client} must push its requests, and this one is plain',
    why: 'The client, or the profile, demands that the parameters go to the server first, so that nobody in the browser can read or change them.',
    compare: ({ parameters }) => compareWords([...parameters.keys()].join(', '), 'client_id and request_uri'),
    fixes: refused => [
      advice('Push the request first.', curlForm(endpointUrl(refused, 'par'), refused.parameters)),
      ...(refused.client?.require_pushed_authorization_requests === true
        ? [
            patchClient(refused, `Let ${refused.who} send plain requests`, {
              require_pushed_authorization_requests: false,
            }),
          ]
        : []),
    ],
  },
  request_not_signed: {
    title: '{client} must sign its requests, and this one is plain',
    why: 'The client, or a setting, demands a signature over the whole request, so that nobody in the browser can change it.',
    compare: ({ parameters }) => compareWords([...parameters.keys()].join(', '), 'request, a signed request object'),
    fixes: refused =>
      refused.client?.require_signed_request_object === true
        ? [patchClient(refused, `Let ${refused.who} send plain requests`, { require_signed_request_object: false })]
        : [],
  },
  request_object_alg_refused: object.algRefused,
  request_object_audience_mismatch: {
    ...object.audienceMismatch,
    compare: ({ error }) => compareUrls(unquoted(error.sent), [error.expected ?? ''], { sentLabel: 'aud sent' }),
  },
  request_object_client_mismatch: {
    title: 'The request object is of another client',
    why: 'client_id, and iss if it is there, have to be the client that sends it, inside and beside the request object.',
  },
  request_object_expired: object.expired,
  request_object_key_unknown: { ...object.keyUnknown, compare: compareKeys },
  request_object_malformed: object.malformed,
  request_object_mismatch: {
    title: 'A parameter beside the request object is not the one inside',
    why: 'Only what is signed counts. What OAuth wants outside as well has to be the same there.',
  },
  request_object_nested: {
    title: 'The request points to another request',
    why: 'A request object, or a pushed request, holds the parameters themselves; one that leads on could lead in a circle.',
  },
  request_object_not_yet_valid: object.notYetValid,
  request_object_replayed: object.replayed,
  request_object_signature_wrong: object.signatureWrong,
  request_object_time_malformed: object.timeMalformed,
  request_object_unsigned: {
    title: 'The request object is not signed',
    why: 'With alg none anybody could have written it, so it says no more than plain parameters, and looks as if it did.',
  },
  request_parameters_combined: {
    title: 'request and request_uri were sent together',
    why: 'Each of them is a whole request; of two nobody can say which one counts.',
    compare: () => compareWords('request and request_uri', 'one of the two'),
  },
  request_uri_expired_or_unknown: pushedRequestExpired,
  request_uri_not_registered: {
    title: 'request_uri is not registered for {client}',
    why: 'The server fetches what is there, so it may only be an address that the client has registered.',
    compare: ({ error, who }) =>
      compareUrls(error.sent ?? '', (error.expected ?? '').split('\n'), {
        expectedLabel: 'Registered',
        about: `registered for ${who}`,
      }),
    fixes: refused => {
      const { client, error, who } = refused;
      const uri = refused.parameters.get('request_uri') ?? error.sent ?? '';
      return client === undefined
        ? []
        : [patchClient(refused, `Add this URI to ${who}`, { request_uris: [...(client.request_uris ?? []), uri] })];
    },
  },
  request_uri_of_another_client: {
    title: '{client} came with a request_uri of another client',
    why: 'A pushed request belongs to the client that pushed it.',
    compare: refused =>
      compareText(refused.who, [pushedRequest(refused)?.client_id ?? 'the client that pushed it'], {
        sentLabel: 'Sent by',
        expectedLabel: 'Pushed by',
      }),
    fixes: refused => [
      advice(
        'Send the client_id of the pushed request.',
        inApp(`client_id=${shown(pushedRequest(refused)?.client_id ?? '…', 80)}`),
      ),
    ],
    fix: '',
  },
  request_uri_unreadable: {
    title: 'The request object cannot be fetched',
    why: ({ error }) => `${error.description}. In a container localhost is the container itself.`,
  },
} as const satisfies Entries;

/** The key that the header names, and those the client is registered with, where they are known. */
function compareKeys(refused: Case) {
  const keys = refused.client?.jwks?.keys ?? [];
  if (keys.length === 0) return undefined;
  const named = keys.map(({ alg, kid }) =>
    [alg === undefined ? '' : `alg ${alg}`, kid === undefined ? 'no kid' : `kid ${kid}`].filter(Boolean).join(', '),
  );
  return compareText(refused.error.sent ?? 'another key', named, {
    sentLabel: 'The header says',
    expectedLabel: 'Published',
    about: `in the jwks of ${refused.who}`,
  });
}

/** `aud` comes as JSON. */
function unquoted(text = ''): string {
  return text.replace(/^"(.*)"$/, '$1');
}
