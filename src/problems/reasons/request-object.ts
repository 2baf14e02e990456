import type { EventOf } from '../../events/event.ts';
import { type Case, shown } from '../case.ts';
import { compareSentAndExpected, compareText, compareUrls, compareWords, registeredFor } from '../compare.ts';
import type { ReasonEntries } from '../entry.ts';
import { authorizationRequests, span } from '../history.ts';
import { advice, setting, withoutDemand } from '../remedies.ts';
import { curlForm, endpointUrl, inApp } from '../source-text.ts';
import { mendAddress } from './client-address.ts';
import { compareKeys, jwtEntries } from './jwt-entries.ts';

const object = jwtEntries('the request object');

/** Request objects (RFC 9101) and pushed requests (RFC 9126). */
export const requestObjectEntries = {
  request_not_pushed: {
    title: '{client} must push its requests, and this one is plain',
    why: 'The client, or the profile, demands that the parameters go to the server first, so that nobody in the browser can read or change them.',
    fix: 'Post the parameters to the pushed authorization request endpoint first; then send the browser with client_id and the request_uri it gave, and nothing else.',
    rfc: 'RFC 9126 §5',
    compare: ({ parameters }) => compareWords([...parameters.keys()].join(', '), 'client_id and request_uri'),
    fixes: refused => [
      advice('Push the request first.', curlForm(endpointUrl(refused, 'par'), refused.parameters)),
      ...withoutDemand(refused, `Let ${refused.who} send plain requests`, 'require_pushed_authorization_requests'),
    ],
  },
  request_not_signed: {
    title: '{client} must sign its requests, and this one is plain',
    why: 'The client, or a setting, demands a signature over the whole request, so that nobody in the browser can change it.',
    fix: 'Put all parameters into a JWT signed with a key of the client, and send it as request; or register the client without require_signed_request_object.',
    rfc: 'RFC 9101 §10.5',
    compare: ({ parameters }) => compareWords([...parameters.keys()].join(', '), 'request, a signed request object'),
    fixes: refused => withoutDemand(refused, `Let ${refused.who} send plain requests`, 'require_signed_request_object'),
  },
  request_object_alg_refused: {
    ...object.algRefused,
    fix: 'Sign with an algorithm of request_object_signing_alg_values_supported and, where the client is registered for one, with that one.',
    rfc: 'RFC 9101 §6.2',
  },
  request_object_audience_mismatch: {
    ...object.audienceMismatch,
    fix: 'Put the issuer of this server into aud, exactly as the discovery document has it.',
    rfc: 'RFC 9101 §4',
  },
  request_object_client_mismatch: {
    title: 'The request object is of another client',
    why: 'client_id, and iss if it is there, have to be the client that sends it, inside and beside the request object.',
    fix: 'Put the client_id into the request object as client_id and as iss, the same as beside it.',
    rfc: 'RFC 9101 §5',
  },
  request_object_expired: {
    ...object.expired,
    fix: 'Make a new request object for each request, with exp a few minutes ahead; look at the clock of the machine that signs.',
    rfc: 'RFC 9101 §4',
  },
  request_object_key_unknown: {
    ...object.keyUnknown,
    fix: "Publish the public key in the client's jwks or at its jwks_uri, with the kid of the request object.",
    rfc: 'RFC 9101 §6.2',
    compare: compareKeys,
  },
  request_object_malformed: {
    ...object.malformed,
    fix: 'Send a signed JWT in compact form, with typ oauth-authz-req+jwt; no client assertion, no ID Token, not encrypted.',
    rfc: 'RFC 9101 §4',
  },
  request_object_mismatch: {
    title: 'A parameter beside the request object is not the one inside',
    why: 'Only what is signed counts. What OAuth wants outside as well has to be the same there.',
    fix: 'Repeat outside only client_id and response_type, with the values of the request object.',
    rfc: 'OIDC Core §6.1',
  },
  request_object_nested: {
    title: 'The request points to another request',
    why: 'A request object, or a pushed request, holds the parameters themselves; one that leads on could lead in a circle.',
    fix: 'Send the parameters themselves; a request object or a pushed request cannot point to another.',
    rfc: 'RFC 9101 §4',
  },
  request_object_not_yet_valid: {
    ...object.notYetValid,
    fix: 'Set the clock of the machine that signs; nbf and iat are seconds since 1970, not milliseconds.',
    rfc: 'RFC 7519 §4.1.5',
  },
  request_object_replayed: {
    ...object.replayed,
    fix: 'Sign a new request with a new jti each time.',
    rfc: 'OIDC CIBA §7.1.1',
  },
  request_object_signature_wrong: {
    ...object.signatureWrong,
    fix: 'Sign with the private key that belongs to the published one. After a rotation the kid must change.',
    rfc: 'RFC 9101 §6.2',
  },
  request_object_time_malformed: {
    ...object.timeMalformed,
    fix: 'Send exp and nbf as numbers, in seconds since 1970, at most an hour from now.',
    rfc: 'RFC 7519 §4.1.4',
  },
  request_object_unsigned: {
    title: 'The request object is not signed',
    why: 'With alg none anybody could have written it, so it says no more than plain parameters, and looks as if it did.',
    fix: 'Sign the request object with a key of the client (alg none is not taken), or send plain parameters.',
    rfc: 'RFC 9101 §6.2',
  },
  request_parameters_combined: {
    title: 'request and request_uri were sent together',
    why: 'Each of them is a whole request; of two nobody can say which one counts.',
    fix: 'Send the request object in request, or its address in request_uri, never both.',
    rfc: 'RFC 9101 §5',
    compare: () => compareWords('request and request_uri', 'one of the two'),
  },
  /** A pushed request that was answered, is too old, or was never seen (RFC 9126 §2.2). */
  request_uri_expired_or_unknown: {
    title: refused => {
      if (answered(refused) !== undefined) return 'The request_uri was used before';
      return pushedRequest(refused) === undefined
        ? 'The request_uri is not known here'
        : 'The request_uri is not good any more';
    },
    why: refused => {
      const pushed = pushedRequest(refused);
      const before = answered(refused);
      if (before !== undefined)
        return `A pushed request is good for one answer, and it had that ${span(refused.error.at - before.at)} before, in ${before.requestId}: the browser went back, or loaded the page again.`;
      if (pushed === undefined)
        return 'No request with this address was pushed since the start of this sandbox, as far as it remembers: it is from before the last start, from another server, or was cut.';
      return `It was pushed ${span(ageOf(refused, pushed))} before. It is good for a short time, and for one answer.`;
    },
    fix: 'Push a new request for each login, and send the browser at once. A request_uri is good for one answer, and none survives a restart.',
    rfc: 'RFC 9126 §2.2',
    certainty: refused => {
      const pushed = pushedRequest(refused);
      const isOld = pushed !== undefined && ageOf(refused, pushed) > lifetimeOf(refused);
      return isOld || answered(refused) !== undefined ? 'certain' : 'likely';
    },
    others: [
      'The user took longer than the lifetime before the browser came.',
      'It was answered already, and the browser went back.',
    ],
    compare: refused => {
      const pushed = pushedRequest(refused);
      const before = answered(refused);
      if (before !== undefined)
        return compareWords(`used again in ${refused.error.requestId}`, `answered before in ${before.requestId}`, {
          sentLabel: 'This request',
          expectedLabel: 'The first one',
        });
      if (pushed === undefined) return compareSentAndExpected(refused);
      return compareWords(
        `a request_uri that is ${span(ageOf(refused, pushed))} old`,
        refused.error.expected ?? 'a fresh one',
      );
    },
    fixes: refused => {
      if (answered(refused) !== undefined) return [pushAgain];
      return pushedRequest(refused) === undefined
        ? []
        : [setting('Give pushed requests more time', 'PUSHED_REQUEST_LIFETIME', '600')];
    },
    references: ['RFC 9126 §4'],
  },
  request_uri_not_registered: {
    title: 'request_uri is not registered for {client}',
    why: 'The server fetches what is there, so it may only be an address that the client has registered.',
    fix: "Add the address to the client's request_uris, or send the request object in request.",
    rfc: 'RFC 9101 §10.4',
    compare: ({ error, who }) =>
      compareUrls(error.sent ?? '', (error.expected ?? '').split('\n'), registeredFor({ who })),
    fixes: refused => mendAddress(refused, 'request_uri'),
  },
  request_uri_of_another_client: {
    title: '{client} came with a request_uri of another client',
    why: 'A pushed request belongs to the client that pushed it.',
    fix: 'Send the client_id that pushed the request.',
    rfc: 'RFC 9126 §2.2',
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
  },
  request_uri_unreadable: {
    title: 'The request object cannot be fetched',
    why: '{description}. In a container localhost is the container itself.',
    fix: 'Serve the request object at the registered address, without a redirect, and with the hash in the fragment if there is one.',
    rfc: 'RFC 9101 §5.2.3',
  },
} as const satisfies ReasonEntries;

const pushAgain = advice(
  'Push a request for each login: its address is good for one answer.',
  inApp('location.assign(await buildAuthorizationUrlWithPAR(config, parameters)); // on each click'),
);

/** As it was pushed; undefined where the history has forgotten it. */
function pushedRequest({ known: { events }, parameters }: Case): EventOf<'authorization.pushed'> | undefined {
  const uri = parameters.get('request_uri');
  return events
    .latest('authorization.pushed', events.kept('authorization.pushed'))
    .find(each => each.request_uri === uri);
}

/** The request that got a code for it. */
function answered({ known, parameters, error }: Case): EventOf<'request.completed'> | undefined {
  const uri = parameters.get('request_uri');
  return authorizationRequests(known).find(
    ({ id, requestId, exchange: { url } }) =>
      id < error.id &&
      new URLSearchParams(url.split('?')[1]).get('request_uri') === uri &&
      known.events.ofRequest(requestId).some(({ type }) => type === 'code.issued'),
  );
}

function ageOf({ error }: Case, pushed: EventOf<'authorization.pushed'>): number {
  return error.at - pushed.at;
}

/** In seconds, as the refusal says it. */
function lifetimeOf({ error }: Case): number {
  return Number(/last (\d+) s/.exec(error.expected ?? '')?.[1] ?? Number.POSITIVE_INFINITY);
}
