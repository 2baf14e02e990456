import { CommandFailure } from '../../../client/cli/command.ts';
import { redacted } from '../../../record/flows/redaction-text.ts';
import type { FileRequest } from '../session-schema.ts';
import { passwordOf, secretOf } from './issuer-config.ts';
import type { MadeValues } from './values.ts';

/** The reason of the refusal of a request; undefined if it was not refused. */
export function refusalOf({ events }: FileRequest) {
  const refusals = events.flatMap(event => (event?.type === 'error.returned' ? [event] : []));
  return refusals.findLast(({ form }) => form !== 'cors') ?? refusals.at(-1);
}

/** The parts from which the expressions of the parameters of one request are made. */
export interface SentParameters {
  readonly request: FileRequest;
  readonly client: string;
  /** The variable with the verifier of the login. */
  readonly verifier: string;
  readonly made: MadeValues;
  readonly literal: (text: string) => string;
}

/** Parameters whose values the client of the test signs with a key that no file has. */
const signed: ReadonlySet<string> = new Set(['client_assertion', 'request', 'assertion']);

/** Codes and tokens by the parameter that sends them. */
const tokenIn: Readonly<Record<string, 'code' | 'access' | 'refresh' | 'id'>> = {
  code: 'code',
  refresh_token: 'refresh',
  id_token_hint: 'id',
  subject_token: 'access',
  token: 'access',
  access_token: 'access',
};

type Write = (value: string, sent: SentParameters, reason: string) => string;

/** Values that the test makes, by parameter. */
const writers: Readonly<Record<string, Write>> = {
  code_verifier: (_value, { verifier }, reason) => (reason === 'pkce_mismatch' ? 'wrongVerifier' : verifier),
  code_challenge: (_value, { verifier }) => `s256(${verifier})`,
  request_uri: (value, { made, request, literal }) => made.of('code', value, request) ?? literal(value),
  client_secret: (_value, { client, literal }, reason) =>
    literal(isSecretWrong(reason) ? 'a wrong secret' : secretOf(client)),
  password: (_value, { request, literal }, reason) =>
    literal(reason === 'login_failed' ? 'a wrong password' : passwordOf(userIn(request))),
};

/**
 * The expression of a parameter: its value, or what the sandbox of the test makes in place of a redacted one.
 * @throws CommandFailure for a value that only the client could make
 */
export function expressionOf(name: string, value: string, sent: SentParameters): string {
  const { request, made, literal } = sent;
  if (signed.has(name) && value.includes(redacted))
    throw new CommandFailure(`the client signed ${name} with a key that the file does not have`);
  const write = Object.hasOwn(writers, name) ? writers[name] : undefined;
  if (write !== undefined && value !== '') return write(value, sent, refusalOf(request)?.reason ?? '');
  const type = Object.hasOwn(tokenIn, name) ? tokenIn[name] : undefined;
  if (type === undefined || value === '') return literal(value.replaceAll(redacted, 'a redacted value'));
  return made.of(type, value, request) ?? literal(`a ${name} that nobody issued`);
}

export function isSecretWrong(reason: string): boolean {
  return reason === 'client_secret_wrong';
}

function userIn({ request }: FileRequest): string {
  return new URLSearchParams(request.body?.text ?? '').get('username') ?? '';
}
