import {
  type CoreEvent,
  clientClosedRequest,
  connectionDropped,
  type ErrorReturned,
  type EventOf,
  type EventType,
  type SandboxEvent,
} from '../../base/events/event.ts';
import type { LoginRule } from '../../base/events/login-events.ts';
import { fixFor } from '../problems/reasons/index.ts';
import {
  clockChangeWords,
  configurationWords,
  type EventWords,
  issuerWords,
  refusedWords,
  reloadWords,
  resetWords,
  say,
} from './configuration-words.ts';

/** The words of types of events. */
export type WordsOf<Types extends EventType> = { readonly [T in Types]: (event: EventOf<T>) => EventWords };

/** One entry per type of event of the core; the compiler reports a missing one. */
const words: WordsOf<CoreEvent['type']> = {
  'page.served': answerWords,
  'request.completed': answerWords,
  'client.authenticated': ({ client_id, method }) =>
    method === 'none'
      ? say(`Public client ${client_id} identified itself (no authentication)`, { method })
      : say(`Client ${client_id} authenticated`, { method }),
  'token.requested': event =>
    say(`Client ${event.client_id} requested tokens`, {
      grant_type: event.grant_type,
      scope: event.scope ?? 'none requested',
      ignored: event.ignored.join(', '),
    }),
  'authorization.requested': event =>
    say(`Client ${event.client_id} requested a sign-in`, {
      response_type: event.response_type,
      response_mode: event.response_mode,
      'sent as': event.source === undefined ? undefined : sources[event.source],
      redirect_uri: event.redirect_uri,
      scope: event.scope ?? 'none requested',
      prompt: event.prompt,
      PKCE: event.code_challenge_method ?? 'not used',
      ignored: event.ignored.join(', '),
    }),
  'authorization.pushed': event =>
    say(`Client ${event.client_id} pushed an authorization request`, {
      request_uri: event.request_uri,
      redirect_uri: event.redirect_uri,
      scope: event.scope ?? 'none requested',
      signed: event.isSigned ? 'yes, a request object' : 'no',
      ignored: event.ignored.join(', '),
    }),
  'login.succeeded': loginWords,
  'answer.replaced': replacedWords,
  'consent.granted': ({ sub, client_id, scope, withheld, remembered }) =>
    say(`${sub} allowed what ${client_id} asked for${withheld.length === 0 ? '' : ', but not all of it'}`, {
      scope: scope ?? 'none',
      withheld: withheld.join(', '),
      remembered: remembered ? 'in this browser' : 'for this request only',
    }),
  'consent.denied': ({ sub, client_id }) => say(`${sub} denied what ${client_id} asked for`, { client: client_id }),
  'device.requested': event => ({
    ...say(`A device of ${event.client_id} requested tokens and waits for a user`, {
      user_code: event.user_code,
      scope: event.scope ?? 'none requested',
      ignored: event.ignored.join(', '),
    }),
    decide: { href: event.verification_uri_complete, qr: qrOf(event.verification_uri_complete) },
  }),
  'device.approved': ({ client_id, sub }) => say(`${sub} approved the device`, { client: client_id }),
  'device.denied': ({ client_id, sub }) => say(`${sub} denied the device`, { client: client_id }),
  'ciba.requested': event => ({
    ...say(`Client ${event.client_id} asked for the approval of ${event.sub}`, {
      binding_message: event.binding_message,
      scope: event.scope,
      delivery: event.delivery,
      ignored: event.ignored.join(', '),
    }),
    decide: { href: event.approvals_uri },
  }),
  'ciba.approved': ({ client_id, sub }) => say(`${sub} approved`, { client: client_id }),
  'ciba.denied': ({ client_id, sub }) => say(`${sub} denied`, { client: client_id }),
  'ciba.notified': ({ client_id, url, status, milliseconds, failure }) =>
    say(
      failure === undefined
        ? `Client ${client_id} was notified of the decision`
        : `Client ${client_id} could not be reached`,
      {
        url,
        answer: status === undefined ? undefined : `HTTP ${status}`,
        took: milliseconds === undefined ? undefined : `${milliseconds.toFixed(1)} ms`,
        failure,
      },
    ),
  'code.issued': event => ({
    ...say(`A code was issued${event.sub === undefined ? '' : ` for ${event.sub}`}`, {
      client: event.client_id,
      redirect_uri: event.redirect_uri,
    }),
    tokenId: event.tokenId,
  }),
  'token.issued': event => ({
    ...say(
      `${tokenNames[event.tokenType]} was ${event.minted ? 'minted' : 'issued'} for ${event.sub ?? event.client_id}`,
      {
        client: event.client_id,
        scope: event.scope ?? 'none',
        defect: event.defect,
      },
    ),
    tokenId: event.tokenId,
  }),
  'token.revoked': ({ client_id, reason }) => say(revocations[reason], { client: client_id }),
  'token.ended': ({ tokenId, client_id }) => ({
    ...say('A token was expired manually in the sandbox', { client: client_id }),
    tokenId,
  }),
  'token.resumed': ({ tokenId, client_id }) => ({
    ...say('The manual expiry of a token was undone', { client: client_id }),
    tokenId,
  }),
  'token.introspected': ({ client_id, state, about, issuedTo }) => ({
    ...say(`Client ${client_id} asked about a token; it is ${state.replaceAll('_', ' ')}`, { 'issued to': issuedTo }),
    tokenId: about,
  }),
  'token.used': ({ endpoint, tokenId, client_id, sub }) => ({
    ...say(`The access token was accepted by ${acceptors[endpoint]}`, { client: client_id, user: sub }),
    tokenId,
  }),
  'session.ended': ({ sub, client_id, replacedBy, endedBy }) =>
    say(`The session of ${sub} ended`, {
      client: client_id,
      'because of a sign-in of': replacedBy,
      'ended by': endedBy === undefined ? undefined : 'the owner of this sandbox',
    }),
  'logout.notified': logoutWords,
  'error.returned': event => ({
    ...say('The request was refused', {
      error: event.error,
      reason: event.reason,
      client: event.client_id,
      'answered as': event.form,
    }),
    tokenId: event.about,
  }),
  'key.rotated': ({ alg, kid, replaced, publishedUntil }) =>
    say(`A new ${alg} key is used for signing from now on`, {
      kid,
      'previous key': replaced,
      'published until': new Date(publishedUntil * 1000).toISOString(),
    }),
  'client_keys.fetched': ({ client_id, jwks_uri, kids }) =>
    say(`The keys of client ${client_id} were fetched`, { jwks_uri, kids: kids.join(', ') }),
  'client.registered': event => say(`Client ${event.client_name} registered itself`, registrationFacts(event)),
  'client.updated': event => say(`Client ${event.client_name} changed its registration`, registrationFacts(event)),
  'client.deleted': ({ client_id }) =>
    say('A client deleted itself, and with it all its tokens', { client: client_id }),
  'client_document.fetched': ({ client_id, keptFor, milliseconds }) =>
    say(`The metadata document of ${client_id} was fetched`, {
      client: client_id,
      'kept for': `${keptFor} s`,
      took: `${milliseconds.toFixed(1)} ms`,
    }),
  'client_document.refused': ({ client_id, description }) =>
    say(`The metadata document of ${client_id} was refused`, { client: client_id, why: description }),
  'key.created': ({ kid, alg }) => say('A signing key was created', { kid, alg }),
  'state.imported': ({ by }) => say('The state of another sandbox was imported', { by }),
  'sandbox.reset': resetWords,
  'configuration.changed': configurationWords,
  'configuration.reloaded': reloadWords,
  'configuration.refused': refusedWords,
  'issuer.created': issuerWords,
  'issuer.ended': issuerWords,
  'clock.changed': clockChangeWords,
  'fault.applied': faultWords,
  'response.held': ({ endpoint, status, location }) =>
    say('A breakpoint holds the response', { endpoint, status: String(status), location }),
  'response.continued': ({ endpoint, by }) => say(continuations[by], { endpoint }),
  'fault.armed': faultWords,
  'fault.disarmed': faultWords,
};

/** The types of events of the core. */
export const coreEventTypes: readonly string[] = Object.keys(words);

const continuations: Readonly<Record<EventOf<'response.continued'>['by'], string>> = {
  call: 'The held response continued',
  breakpoint: 'The held response continued, because the breakpoint was removed',
  time: 'The held response continued, because its time was over',
  gone: 'The client closed the connection while its response was held',
};

function registrationFacts({ client_id, redirect_uris, scope }: Omit<EventOf<'client.registered'>, 'type'>) {
  return { client: client_id, redirect_uris: redirect_uris.join(', '), scope: scope || 'none' };
}

const acceptors = { api: 'the sample backend', userinfo: 'UserInfo' } as const;

const sources = { pushed: 'a request pushed before', request_object: 'a signed request object' } as const;

/** The QR code of the verification page. The address is a path, because this server may have a different host name outside. */
function qrOf(verificationUri: string): string {
  const { pathname, search } = new URL(verificationUri);
  return `${pathname}/qr${search}`;
}

const tokenNames = { access: 'An access token', id: 'An ID token', refresh: 'A refresh token' } as const;

const revocations: Readonly<Record<EventOf<'token.revoked'>['reason'], string>> = {
  code_replayed: 'A code was used twice, so every token issued for it was revoked',
  refresh_token_reused: 'A replaced refresh token was used again, so its whole family was revoked',
  revoked_by_client: 'The client revoked a token, and every token of the same authorization with it',
  revoked_by_owner: 'Revoked in the sandbox, together with every token of the same authorization',
  session_ended: 'The session ended, so tokens without offline_access were revoked',
};

/** Makes the words of an event. */
export type Describe = (event: SandboxEvent) => EventWords;

/** An event in words; `added` are those of the events that extensions add. */
export function describe(event: SandboxEvent, added: Partial<WordsOf<EventType>> = {}): EventWords {
  const own: Partial<WordsOf<EventType>> = words;
  const wordsFor = (own[event.type] ?? added[event.type]) as Describe | undefined;
  return wordsFor?.(event) ?? say(event.type, {});
}

export function problemOf(event: ErrorReturned) {
  const { error, reason, description, sent, expected } = event;
  return {
    error,
    reason,
    description,
    sent,
    expected,
    ...fixFor(reason),
  };
}

/** An answer, also where the client or a fault closed the connection. */
function answerWords(event: EventOf<'request.completed' | 'page.served'>): EventWords {
  const { method, path, status, milliseconds } = event;
  const facts = { took: `${milliseconds.toFixed(1)} ms` };
  if (status === clientClosedRequest) {
    return say(`The client hung up before ${method} ${path} was answered (${status})`, facts);
  }
  if (status === connectionDropped) return say(`A fault closed the connection of ${method} ${path} (${status})`, facts);
  return say(`${method} ${path} was answered with ${status}`, facts);
}

function faultWords(event: EventOf<'fault.applied' | 'fault.armed' | 'fault.disarmed'>): EventWords {
  if (event.type === 'fault.disarmed') {
    return say(`The fault ${event.fault} is over`, { id: event.faultId, 'affected requests': String(event.met) });
  }
  const whom = { endpoint: event.endpoint, client: event.client_id, user: event.sub };
  if (event.type === 'fault.armed') {
    const times = event.times === 'always' ? 'each' : String(event.times);
    const facts = { id: event.faultId, ...whom, requests: times, by: `the ${event.by}` };
    return say(`The fault ${event.fault} is armed`, facts);
  }
  return say(`Fault: ${event.fault}, on purpose`, { id: event.faultId, ...whom });
}

function logoutWords({
  client_id,
  channel,
  url,
  status,
  milliseconds,
  failure,
}: EventOf<'logout.notified'>): EventWords {
  const took = milliseconds === undefined ? undefined : `${milliseconds.toFixed(1)} ms`;
  const facts = { url, answer: status?.toString(), took, failure };
  const how = channel === 'front' ? ' by an iframe in the browser' : '';
  return say(
    failure === undefined
      ? `Client ${client_id} was notified of the logout${how}`
      : `Client ${client_id} was not notified of the logout`,
    facts,
  );
}

const rules: Readonly<Record<LoginRule, string>> = {
  click: 'a click',
  password: 'a password',
  next_login: 'nextLogin, which names the next user',
  sandbox_login: 'the parameter sandbox_login',
  login_hint: 'login_hint, with AUTO_LOGIN=hint',
  client: 'auto_login of the client',
  environment: 'AUTO_LOGIN',
  control: 'a call that signs in without a browser',
};

function loginWords({ sub, amr, client_id, by, edited = [], silently }: EventOf<'login.succeeded'>): EventWords {
  const facts = {
    client: client_id,
    amr: amr.join(', '),
    by: by === undefined ? undefined : rules[by],
    'claims set for this sign-in': edited.join(', '),
    'asked again': silently ? 'no: the rule signed the user in despite prompt=login' : undefined,
  };
  return say(`${sub} signed in`, facts);
}

const choosers: Readonly<Record<EventOf<'answer.replaced'>['by'], string>> = {
  login_screen: 'somebody on the sign-in page',
  next_login: rules.next_login,
  control: rules.control,
};

function replacedWords({ client_id, choice, by }: EventOf<'answer.replaced'>): EventWords {
  const title = choice === 'no_answer' ? 'got no response, on purpose' : 'got a code with a wrong state, on purpose';
  return say(`Client ${client_id} ${title}`, { client: client_id, 'chosen by': choosers[by] });
}
