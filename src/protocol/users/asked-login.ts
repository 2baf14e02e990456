import { hash } from 'node:crypto';
import type { AuthorizationServer } from '../authorization-server.ts';
import type { RequestParameters } from '../parameters.ts';
import type { AuthorizationRequest } from '../requests/authorization-request.ts';
import type { Session } from './session.ts';

/** Seconds. The browser comes back at once. */
const rememberedFor = 600;

/** Remembers an answered request: it comes again unchanged, because a pushed or signed one cannot lose `prompt=login`. */
export async function rememberAsked(
  server: AuthorizationServer,
  session: Pick<Session, 'id'>,
  parameters: RequestParameters,
  /** `rule`: a rule answered, and the user has seen no page. */
  by: 'user' | 'rule' = 'user',
): Promise<void> {
  await server.store.put(keyOf(session, parameters), by, rememberedFor);
}

/** True if a login has answered this request for this session. Only this session saw the page. */
export async function wasAsked(
  server: AuthorizationServer,
  session: Pick<Session, 'id'>,
  parameters: RequestParameters,
  by: 'user' | 'anybody' = 'user',
): Promise<boolean> {
  const asked = await server.store.get<'user' | 'rule'>(keyOf(session, parameters));
  return asked === 'user' || (asked === 'rule' && by === 'anybody');
}

/** Called once the request is answered, so that the same request asks again next time. */
export function forgetAsked(
  server: AuthorizationServer,
  session: Pick<Session, 'id'>,
  parameters: RequestParameters,
): Promise<void> {
  return server.store.delete(keyOf(session, parameters));
}

function keyOf(
  { id }: Pick<Session, 'id'>,
  { values, resources }: RequestParameters,
): readonly ['asked_login', string] {
  return ['asked_login', hash('sha256', JSON.stringify([id, [...values], resources]), 'base64url')];
}

/** The request without the parameters that a login has already answered. */
export function onceAsked({
  login_hint: _hint,
  id_token_hint: _token,
  ...asked
}: AuthorizationRequest): AuthorizationRequest {
  const { max_age, ...rest } = asked;
  const prompt = asked.prompt.filter(value => value === 'none');
  return { ...rest, prompt, ...(max_age ? { max_age } : {}) };
}
