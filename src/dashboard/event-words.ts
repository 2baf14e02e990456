import {
  clientClosedRequest,
  type ErrorReturned,
  type EventOf,
  type EventType,
  type SandboxEvent,
} from '../events/event.ts';
import { fixFor } from '../http/views.ts';

/** An event in words, for the page of its request. */
export interface EventWords {
  readonly title: string;
  readonly facts: readonly (readonly [name: string, value: string])[];
  /** The dashboard's page about it. */
  readonly tokenId?: string;
}

/** A refusal with its repair. */
export interface Problem {
  readonly error: string;
  readonly reason: string;
  readonly description: string;
  readonly sent?: string;
  readonly expected?: string;
  readonly fix?: string;
  readonly rfc?: string;
}

type Facts = Readonly<Record<string, string | undefined>>;

/** One entry per type of event; the compiler asks for a new one. */
const words: { readonly [T in EventType]: (event: EventOf<T>) => EventWords } = {
  'request.completed': event => say(answerWords(event), { took: `${event.milliseconds.toFixed(1)} ms` }),
  'client.authenticated': ({ client_id, method }) =>
    method === 'none'
      ? say(`Client ${client_id} named itself; it is public, so nothing proves it`, { method })
      : say(`Client ${client_id} proved who it is`, { method }),
  'token.requested': event =>
    say(`Client ${event.client_id} asked for tokens`, {
      grant_type: event.grant_type,
      scope: event.scope ?? 'none asked for',
      ignored: event.ignored.join(', '),
    }),
  'authorization.requested': event =>
    say(`Client ${event.client_id} asked for a login`, {
      response_type: event.response_type,
      response_mode: event.response_mode,
      redirect_uri: event.redirect_uri,
      scope: event.scope ?? 'none asked for',
      prompt: event.prompt,
      PKCE: event.code_challenge_method ?? 'not used',
      ignored: event.ignored.join(', '),
    }),
  'login.succeeded': ({ sub, amr, client_id }) => say(`${sub} signed in`, { client: client_id, amr: amr.join(', ') }),
  'code.issued': event => ({
    ...say(`A code was issued${event.sub === undefined ? '' : ` for ${event.sub}`}`, {
      client: event.client_id,
      redirect_uri: event.redirect_uri,
    }),
    tokenId: event.tokenId,
  }),
  'token.issued': event => ({
    ...say(`${tokenNames[event.tokenType]} was issued for ${event.sub ?? event.client_id}`, {
      client: event.client_id,
      scope: event.scope ?? 'none',
    }),
    tokenId: event.tokenId,
  }),
  'token.revoked': ({ client_id, reason }) => say(revocations[reason], { client: client_id }),
  'session.ended': ({ sub, client_id }) => say(`The session of ${sub} ended`, { client: client_id }),
  'error.returned': event =>
    say('It was refused', { error: event.error, reason: event.reason, client: event.client_id, 'told as': event.form }),
  'key.created': ({ kid, alg }) => say('A signing key was made', { kid, alg }),
  'sandbox.reset': () => say('The sandbox was reset', {}),
};

function answerWords({ method, path, status }: EventOf<'request.completed'>): string {
  if (status === clientClosedRequest) return `The client hung up before ${method} ${path} was answered (${status})`;
  return `${method} ${path} was answered with ${status}`;
}

const tokenNames = { access: 'An access token', id: 'An ID Token', refresh: 'A refresh token' } as const;

const revocations: Readonly<Record<EventOf<'token.revoked'>['reason'], string>> = {
  code_replayed: 'A code was used twice, so everything it gave was revoked',
  refresh_token_reused: 'A replaced refresh token was used again, so its whole family was revoked',
};

export function describe(event: SandboxEvent): EventWords {
  const wordsFor = words[event.type] as (event: SandboxEvent) => EventWords;
  return wordsFor(event);
}

export function problemOf(event: ErrorReturned): Problem {
  const { error, reason, description, sent, expected } = event;
  return {
    error,
    reason,
    description,
    ...(sent === undefined ? {} : { sent }),
    ...(expected === undefined ? {} : { expected }),
    ...fixFor(reason),
  };
}

function say(title: string, facts: Facts): EventWords {
  const told = Object.entries(facts).filter(
    (fact): fact is [string, string] => fact[1] !== undefined && fact[1] !== '',
  );
  return { title, facts: told };
}
