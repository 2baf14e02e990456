import { type RecordedRequest, requestIn } from '../../../record/flows/recorded-request.ts';
import type { AskedFault } from '../../../server/faults/fault.ts';
import { send } from '../../../server/wire/send.ts';
import type { ExamModule, ExamPlan, Judged, Seen, Stage, Taken } from '../exam-module.ts';
import { mustAccept, notMet, untold } from '../judge.ts';
import type { McpCall } from '../mcp/serve-mcp.ts';
import { idTokenModules, signatureModules } from './id-token.ts';

const endpoint = 'backchannel_authentication';
const noRequest = 'The app sent no backchannel authentication request.';
const noPoll = 'The app sent no token request.';

interface CibaAnswering {
  /** The answer of the user. Default: allowed, and the app is told by ping if it wants that. */
  readonly isAllowed?: boolean;
  readonly isPinged?: boolean;
  /** Somebody else calls the notification endpoint before the user has answered. */
  readonly hasBadPing?: boolean;
}

interface CibaModule extends Omit<ExamModule, 'run'>, CibaAnswering {
  readonly faults?: readonly AskedFault[];
}

/** A module in which the user answers on another device as soon as the app has its response. */
function cibaModule({ faults = [], isAllowed, isPinged, hasBadPing, ...words }: CibaModule): ExamModule {
  return answered(
    {
      ...words,
      async run(stage) {
        for (const fault of faults) await stage.arm(fault);
        return stage.signIn();
      },
    },
    { isAllowed, isPinged, hasBadPing },
  );
}

/** The same module, with a user who answers. */
function answered(
  module: ExamModule,
  { isAllowed = true, isPinged = true, hasBadPing }: CibaAnswering = {},
): ExamModule {
  return {
    ...module,
    async run(stage): Promise<Taken> {
      const calls: McpCall[] = [];
      const answering: Promise<void>[] = [];
      const answer = async (request: RecordedRequest) => {
        if (hasBadPing === true) calls.push(...(await badPing(stage, request)));
        const { sub } = request.fact('ciba.requested') ?? {};
        if (sub !== undefined) await stage.decide({ sub, isAllowed, isPinged });
      };
      const end = stage.issuer.events.subscribe(event => {
        if (event.type !== 'request.completed' || event.endpoint !== endpoint) return;
        const request = requestIn(stage.issuer.events.ofRequest(event.requestId));
        if (request !== undefined) answering.push(answer(request));
      });
      try {
        const taken = await module.run(stage);
        await Promise.all(answering);
        return { ...taken, calls };
      } finally {
        end();
      }
    },
  };
}

/** Calls the notification endpoint of the app with a token that it did not send. */
async function badPing({ issuer }: Stage, request: RecordedRequest): Promise<readonly McpCall[]> {
  const { client_id = '', delivery } = request.fact('ciba.requested') ?? {};
  const url = (await issuer.clients.get(client_id))?.backchannel_client_notification_endpoint;
  if (delivery !== 'ping' || url === undefined) return [];
  const headers = { Authorization: 'Bearer of-somebody-else', 'Content-Type': 'application/json' };
  const body = JSON.stringify({ auth_req_id: request.answer.auth_req_id });
  const path = new URL(url).pathname;
  const status = await send(url, { method: 'POST', headers, body, timeoutSeconds: 10 }).then(
    answer => answer.status,
    () => 0, // the app does not answer
  );
  return [{ endpoint: 'notification', method: 'POST', path, status }];
}

const polls = (seen: Seen) => seen.at('token').filter(request => request.value('auth_req_id') !== undefined);

/** Whole seconds: both times are rounded down. */
const rounding = 1;

function waited(
  seen: Seen,
  from: RecordedRequest | undefined,
  next: RecordedRequest | undefined,
  seconds: number,
): Judged {
  if (from === undefined) return notMet(seen, noRequest);
  if (next === undefined) return notMet(seen, noPoll);
  const requests = [from, next];
  const gap = next.event.at - from.event.at;
  if (gap < seconds - rounding)
    return {
      verdict: 'fail',
      why: `The app asked again after ${Math.round(gap)} s, and not after ${seconds} s.`,
      requests,
    };
  return { verdict: 'pass', why: `The app waited ${seconds} s.`, requests };
}

/** The app stops at a response without this member. */
function judgeStop(seen: Seen): Judged {
  const requests = seen.at(endpoint);
  const never = seen.at('token');
  if (requests.length === 0) return notMet(seen, noRequest);
  if (never.length > 0) return { verdict: 'fail', why: 'The app asked for tokens all the same.', requests: never };
  if (seen.believed === undefined) return untold(requests);
  return { verdict: 'pass', why: 'The app refused the response.', requests };
}

/** The app stops at this error of the token endpoint. */
function judgeEnd(error: string) {
  return (seen: Seen): Judged => {
    const ended = seen.at('token').filter(request => request.answer.error === error);
    if (ended.length === 0) return notMet(seen, noPoll);
    if (ended.length > 1) return { verdict: 'fail', why: `The app asked again after ${error}.`, requests: ended };
    if (seen.believed === undefined) return untold(ended);
    if (seen.believed) return { verdict: 'fail', why: 'Somebody is signed in all the same.', requests: ended };
    return { verdict: 'pass', why: `The app stopped at ${error}.`, requests: ended };
  };
}

function judgePing(seen: Seen): Judged {
  const { calls = [] } = seen;
  const [call] = calls;
  if (call === undefined) return notMet(seen, 'The app is not told by ping.');
  const early = seen.at('token').filter(request => request.answer.error === 'authorization_pending');
  if (early.length > 0)
    return { verdict: 'fail', why: 'The app believed the call and asked for tokens.', requests: early, calls };
  if (call.status !== 401)
    return { verdict: 'warn', why: `The app answered ${call.status}, and not 401.`, requests: [], calls };
  return { verdict: 'pass', why: 'The app refused the call.', requests: [], calls };
}

function changed(change: Readonly<Record<string, unknown>>): AskedFault {
  return { fault: 'changed_members', endpoint, change };
}

const hammered = 'The provider is asked so often that it refuses the app, or all its apps.';
const incomplete = 'The app asks for tokens of no request or without an end, and its user waits.';
const circle = 'The app asks in a circle, and its user never learns that it is over.';
const suite = (name: string) => `fapi-ciba-id1-client-${name}-test`;
const longInterval = 7;

/** A module about the ID token of another plan, by its name there, under its name in the suite of CIBA. */
function ofIdToken(name: string, id = name): ExamModule {
  const found = [...idTokenModules, ...signatureModules].find(each => each.id === name);
  if (found === undefined) throw new Error(`no plan has the module ${name}`);
  return answered({ ...found, id, suite: suite(id) });
}

/** A token response without the members that it may leave out (RFC 6749 §5.1). */
const shortResponse = answered(
  mustAccept({
    id: 'no-scope-in-token-endpoint-response',
    suite: suite('no-scope-in-token-endpoint-response'),
    title: 'The token response has no scope and no expires_in',
    references: ['RFC 6749 §5.1'],
    gain: 'People cannot sign in at a provider that grants what was asked for, and does not repeat it.',
    right: 'Takes the scope that it asked for, and uses the access token until it is refused.',
    mend: 'Treat scope and expires_in as optional.',
    absent: noPoll,
    faults: [{ fault: 'changed_members', endpoint: 'token', change: { scope: null, expires_in: null } }],
  }),
);

/** Clients whose user answers on another device, by the names of the suite of the OpenID Foundation. */
export const cibaClient: ExamPlan = {
  id: 'ciba-client',
  title: 'CIBA client',
  about: 'For each app whose users approve a sign-in on another device. It needs no --user: the app names one.',
  modules: [
    cibaModule({
      id: 'test',
      suite: 'fapi-ciba-id1-client-test',
      title: 'Nothing is wrong',
      references: ['OIDC CIBA §7', 'OIDC CIBA §10'],
      gain: 'Nothing else can be examined as long as nobody can sign in.',
      right: 'Signs in.',
      mend: 'Register the app with the grant type urn:openid:params:grant-type:ciba, and send login_hint with a user of the sandbox.',
      judge(seen) {
        if (seen.at(endpoint).length === 0) return notMet(seen, noRequest);
        if (seen.believed === undefined) return untold(polls(seen));
        if (!seen.believed) return { verdict: 'fail', why: 'The app signed nobody in.', requests: seen.requests };
        return { verdict: 'pass', why: 'The app signed in.', requests: polls(seen) };
      },
    }),
    cibaModule({
      id: 'respects-interval',
      suite: suite('respects-interval'),
      title: `The response says an interval of ${longInterval} seconds`,
      references: ['OIDC CIBA §7.3', 'OIDC CIBA §10.1'],
      gain: hammered,
      right: 'Waits for the interval of the response before each token request.',
      mend: 'Read interval from the response; 5 seconds are right only if it is absent.',
      faults: [changed({ interval: longInterval })],
      isPinged: false,
      judge: seen => waited(seen, seen.at(endpoint)[0], polls(seen)[0], longInterval),
    }),
    cibaModule({
      id: 'slow-down',
      suite: suite('slow-down'),
      title: 'The token endpoint answers slow_down',
      references: ['OIDC CIBA §11', 'RFC 8628 §3.5'],
      gain: hammered,
      right: 'Adds at least five seconds to the interval.',
      mend: 'Add 5 to the interval for each slow_down, and go on.',
      faults: [changed({ interval: 1 }), { fault: 'token_error', error: 'slow_down', times: 1 }],
      isPinged: false,
      judge: seen =>
        polls(seen).length === 1
          ? { verdict: 'fail', why: 'The app did not ask again.', requests: polls(seen) }
          : waited(seen, polls(seen)[0], polls(seen)[1], 6),
    }),
    cibaModule({
      id: 'missing-auth-req-id',
      suite: suite('invalid-missing-authreqid'),
      title: 'The response has no auth_req_id',
      references: ['OIDC CIBA §7.3'],
      gain: incomplete,
      right: 'Requires auth_req_id, and says that the sign-in failed.',
      mend: 'Check the members of the response before the first token request.',
      faults: [changed({ auth_req_id: null })],
      judge: judgeStop,
    }),
    cibaModule({
      id: 'missing-expires-in',
      suite: suite('invalid-missing-expiresin'),
      title: 'The response has no expires_in',
      references: ['OIDC CIBA §7.3'],
      gain: incomplete,
      right: 'Requires expires_in, and says that the sign-in failed.',
      mend: 'Check the members of the response before the first token request.',
      faults: [changed({ expires_in: null })],
      judge: judgeStop,
    }),
    cibaModule({
      id: 'access-denied',
      suite: suite('invalid-access-denied'),
      title: 'The user says no',
      references: ['OIDC CIBA §11'],
      gain: circle,
      right: 'Stops asking, and signs nobody in.',
      mend: 'Ask again only after authorization_pending and slow_down.',
      isAllowed: false,
      judge: judgeEnd('access_denied'),
    }),
    cibaModule({
      id: 'expired-token',
      suite: suite('invalid-expired-token'),
      title: 'The request expires before the user answers',
      references: ['OIDC CIBA §11'],
      gain: circle,
      right: 'Stops asking, and signs nobody in.',
      mend: 'Ask again only after authorization_pending and slow_down.',
      faults: [{ fault: 'token_error', error: 'expired_token' }],
      judge: judgeEnd('expired_token'),
    }),
    cibaModule({
      id: 'invalid-request',
      suite: suite('invalid-request'),
      title: 'The token endpoint answers invalid_request',
      references: ['OIDC CIBA §11'],
      gain: circle,
      right: 'Asks no more for this auth_req_id, and signs nobody in.',
      mend: 'Ask again only after authorization_pending and slow_down.',
      faults: [{ fault: 'token_error', error: 'invalid_request' }],
      judge: judgeEnd('invalid_request'),
    }),
    cibaModule({
      id: 'ping-with-invalid-token',
      suite: suite('ping-with-invalid-bearer-token'),
      title: 'Somebody else calls the notification endpoint',
      references: ['OIDC CIBA §10.2'],
      gain: 'Everybody can make the app send token requests, and guess which sign-ins are under way.',
      right: 'Compares the bearer token with its client_notification_token, and answers 401.',
      mend: 'Make a client_notification_token for each request, and compare it before anything else.',
      hasBadPing: true,
      judge: judgePing,
    }),
    ofIdToken('invalid-iss'),
    ofIdToken('missing-iss', 'invalid-missing-iss'),
    ofIdToken('invalid-aud'),
    ofIdToken('missing-aud', 'invalid-missing-aud'),
    ofIdToken('invalid-secondary-aud'),
    ofIdToken('valid-aud-as-array'),
    ofIdToken('expired', 'invalid-expired-exp'),
    ofIdToken('missing-exp', 'invalid-missing-exp'),
    ofIdToken('invalid-sig-rs256', 'invalid-signature'),
    ofIdToken('invalid-sig-none', 'invalid-null-alg'),
    shortResponse,
  ],
};
