import type { EventOf } from '../../../base/events/event.ts';
import { type Case, shown } from '../case.ts';
import { compareSentAndExpected, compareText, compareUrls, compareWords, registeredFor } from '../compare.ts';
import type { ReasonEntries } from '../entry.ts';
import { authorizationRequests, span } from '../history.ts';
import { advice, setting, withoutDemand } from '../remedies.ts';
import { curlForm, endpointUrl, inApp } from '../source-text.ts';
import { mendAddress } from './client-address.ts';
import { compareKeys, jwtEntries } from './jwt-entries.ts';

const object = jwtEntries('the request object');

/** Refused request objects (RFC 9101) and pushed requests (RFC 9126). */
export const requestObjectEntries = {
  request_not_pushed: {
    title: '{client} must push its authorization requests',
    why: 'The client or the profile requires pushed requests, so that nobody in the browser can read or change the parameters.',
    fix: 'Post the parameters to the pushed authorization request endpoint first. Then send the browser with only the client_id and the request_uri of the response.',
    rfc: 'RFC 9126 §5',
    compare: ({ parameters }) => compareWords([...parameters.keys()].join(', '), 'client_id and request_uri'),
    fixes: refused => [
      advice('Push the request first.', curlForm(endpointUrl(refused, 'par'), refused.parameters)),
      ...withoutDemand(refused, `Let ${refused.who} send unpushed requests`, 'require_pushed_authorization_requests'),
    ],
  },
  request_not_signed: {
    title: '{client} must sign its authorization requests',
    why: 'The client or a setting requires signed requests, so that nobody in the browser can change the parameters.',
    fix: 'Put all parameters into a JWT, sign it with a key of the client, and send it as request. Or register the client without require_signed_request_object.',
    rfc: 'RFC 9101 §10.5',
    compare: ({ parameters }) => compareWords([...parameters.keys()].join(', '), 'request, a signed request object'),
    fixes: refused =>
      withoutDemand(refused, `Let ${refused.who} send unsigned requests`, 'require_signed_request_object'),
  },
  request_object_alg_refused: {
    ...object.algRefused,
    fix: 'Sign with the algorithm that the client is registered for, or else with one of request_object_signing_alg_values_supported.',
    rfc: 'RFC 9101 §6.2',
  },
  request_object_audience_mismatch: {
    ...object.audienceMismatch,
    fix: 'Put the issuer of this server into aud, exactly as in the discovery document.',
    rfc: 'RFC 9101 §4',
  },
  request_object_client_mismatch: {
    title: 'The request object is from a different client',
    why: 'The client_id inside the request object, and its `iss` if present, must be the client_id of the request.',
    fix: 'Put the client_id of the request into the request object as client_id and as iss.',
    rfc: 'RFC 9101 §5',
  },
  request_object_expired: {
    ...object.expired,
    fix: 'Make a new request object for each request, with exp a few minutes ahead. Check the clock of the machine that signs.',
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
    fix: 'Send a signed JWT in compact form, with typ oauth-authz-req+jwt. Do not send a client assertion, an ID token or an encrypted JWT.',
    rfc: 'RFC 9101 §4',
  },
  request_object_mismatch: {
    title: 'A parameter differs from the one in the request object',
    why: 'Only the signed parameters count. A parameter that OAuth requires outside as well must have the same value.',
    fix: 'Repeat only client_id and response_type outside, with the values of the request object.',
    rfc: 'OIDC Core §6.1',
  },
  request_object_nested: {
    title: 'The request object refers to a further request object',
    why: 'A request object or pushed request must contain the parameters themselves. A reference could lead in a circle.',
    fix: 'Send the parameters themselves, without request or request_uri inside.',
    rfc: 'RFC 9101 §4',
  },
  request_object_not_yet_valid: {
    ...object.notYetValid,
    fix: 'Set the clock of the machine that signs. Write nbf and iat in seconds since 1970, not in milliseconds.',
    rfc: 'RFC 7519 §4.1.5',
  },
  request_object_replayed: {
    ...object.replayed,
    fix: 'Sign a new request with a new jti each time.',
    rfc: 'OIDC CIBA §7.1.1',
  },
  request_object_signature_wrong: {
    ...object.signatureWrong,
    fix: 'Sign with the private key of the published public key. After a rotation, change the kid.',
    rfc: 'RFC 9101 §6.2',
  },
  request_object_time_malformed: {
    ...object.timeMalformed,
    fix: 'Send exp and nbf as numbers, in seconds since 1970, and at most an hour from now.',
    rfc: 'RFC 7519 §4.1.4',
  },
  request_object_unsigned: {
    title: 'The request object is not signed',
    why: 'With `alg` `none` anybody could have written the request object, so it protects nothing.',
    fix: 'Sign the request object with a key of the client, or send plain parameters.',
    rfc: 'RFC 9101 §6.2',
  },
  request_parameters_combined: {
    title: 'The request has both request and request_uri',
    why: 'Each parameter is a whole request, so the server cannot tell which one counts.',
    fix: 'Send the request object in request, or its address in request_uri, but not both.',
    rfc: 'RFC 9101 §5',
    compare: () => compareWords('request and request_uri', 'one of the two'),
  },
  /** A pushed request that was used, is too old, or is unknown (RFC 9126 §2.2). */
  request_uri_expired_or_unknown: {
    title: refused => {
      if (answered(refused) !== undefined) return 'The request_uri was used before';
      return pushedRequest(refused) === undefined ? 'The request_uri is unknown' : 'The request_uri has expired';
    },
    why: refused => {
      const pushed = pushedRequest(refused);
      const before = answered(refused);
      if (before !== undefined)
        return `A request_uri works only once, and this one was used ${span(refused.error.at - before.at)} before, in \`${before.requestId}\`. The browser went back, or reloaded the page.`;
      if (pushed === undefined)
        return 'The history of this sandbox has no such pushed request. The request_uri is from before the last start, from a different server, or was cut.';
      return `The request was pushed ${span(ageOf(refused, pushed))} before. A request_uri works only once, and for a short time.`;
    },
    fix: 'Push a new request for each sign-in, and send the browser at once. A request_uri works only once, and a restart removes all of them.',
    rfc: 'RFC 9126 §2.2',
    certainty: refused => {
      const pushed = pushedRequest(refused);
      const isOld = pushed !== undefined && ageOf(refused, pushed) > lifetimeOf(refused);
      return isOld || answered(refused) !== undefined ? 'certain' : 'likely';
    },
    others: [
      'The browser opened the address after its lifetime.',
      'The request was used already, and the browser went back.',
    ],
    compare: refused => {
      const pushed = pushedRequest(refused);
      const before = answered(refused);
      if (before !== undefined)
        return compareWords(`used again in ${refused.error.requestId}`, `used before in ${before.requestId}`, {
          sentLabel: 'This request',
          expectedLabel: 'First request',
        });
      if (pushed === undefined) return compareSentAndExpected(refused);
      return compareWords(
        `a request_uri that is ${span(ageOf(refused, pushed))} old`,
        refused.error.expected ?? 'a new one',
      );
    },
    fixes: refused => {
      if (answered(refused) !== undefined) return [pushAgain];
      return pushedRequest(refused) === undefined
        ? []
        : [setting('Give pushed requests a longer lifetime', 'PUSHED_REQUEST_LIFETIME', '600')];
    },
    references: ['RFC 9126 §4'],
  },
  request_uri_not_registered: {
    title: 'The request_uri is not registered for {client}',
    why: 'The server fetches the request object, so it accepts only registered addresses.',
    fix: "Add the address to the client's request_uris, or send the request object in request.",
    rfc: 'RFC 9101 §10.4',
    compare: ({ error, who }) =>
      compareUrls(error.sent ?? '', (error.expected ?? '').split('\n'), registeredFor({ who })),
    fixes: refused => mendAddress(refused, 'request_uri'),
  },
  request_uri_of_another_client: {
    title: '{client} sent a request_uri of a different client',
    why: 'A pushed request is valid only for the client that pushed it.',
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
    why: '{description}. In a container, localhost is the container itself.',
    fix: 'Serve the request object at the registered address without a redirect. If the address has a fragment, it must be the hash of the object.',
    rfc: 'RFC 9101 §5.2.3',
  },
} as const satisfies ReasonEntries;

const pushAgain = advice(
  'Push a request for each sign-in, because a request_uri works only once.',
  inApp('location.assign(await buildAuthorizationUrlWithPAR(config, parameters)); // on each click'),
);

function pushedRequest({ known: { events }, parameters }: Case): EventOf<'authorization.pushed'> | undefined {
  const uri = parameters.get('request_uri');
  return events
    .latest('authorization.pushed', events.kept('authorization.pushed'))
    .find(each => each.request_uri === uri);
}

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

function lifetimeOf({ error }: Case): number {
  return Number(/last (\d+) s/.exec(error.expected ?? '')?.[1] ?? Number.POSITIVE_INFINITY);
}
