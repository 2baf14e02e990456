import type { EventOf } from '../../events/event.ts';
import type { Case } from '../case.ts';
import { compareSentAndExpected, compareWords } from '../compare.ts';
import type { ReasonEntry } from '../entry.ts';
import { authorizationRequests, span } from '../history.ts';
import { advice, setting } from '../remedies.ts';
import { inApp } from '../source-text.ts';

const pushAgain = advice(
  'Push a request for each login: its address is good for one answer.',
  inApp('location.assign(await buildAuthorizationUrlWithPAR(config, parameters)); // on each click'),
);

/** A pushed request that was answered, is too old, or was never seen (RFC 9126 §2.2). */
export const pushedRequestExpired: ReasonEntry = {
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
};

/** As it was pushed; undefined where the history has forgotten it. */
export function pushedRequest({ known: { events }, parameters }: Case): EventOf<'authorization.pushed'> | undefined {
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
