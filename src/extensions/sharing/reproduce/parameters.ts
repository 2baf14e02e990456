import { CommandFailure } from '../../../client/cli/command.ts';
import { js } from '../../../dashboard/snippets/snippets.ts';
import { redacted } from '../../../record/flows/redaction-text.ts';
import type { FileRequest } from '../session-schema.ts';
import { passwordOf, secretOf } from './issuer-config.ts';

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

/** Writes a value as an expression; the address of the recorded issuer becomes that of the issuer of the test. */
export function literalFor(issuer: string): (text: string) => string {
  return text => {
    const parts = issuer === '' ? [text] : text.split(issuer);
    const written = parts.flatMap((part, index) => [...(index === 0 ? [] : ['issuer.issuer']), js(part)]);
    return written.length === 1 ? js(text) : written.filter(part => part !== "''").join(' + ');
  };
}

/** A code or token that a step of the test gets, as an expression. */
interface Made {
  readonly tokenId: string;
  /** The value in the file, redacted. */
  readonly token: string;
  readonly type: 'code' | 'access' | 'refresh' | 'id';
  readonly expression: string;
}

/** Knows which variable of the test has the code or token that a request sent. */
export function createMadeValues() {
  const made: Made[] = [];
  return {
    add: (value: Made) => void made.push(value),
    /** By its claims, which a redacted JWT keeps; by the events of its request; or else the newest of its type. */
    of(type: Made['type'], sent: string, request: FileRequest): string | undefined {
      const alike = made.filter(each => each.type === type);
      const ids = idsIn(request);
      const byValue = sent === redacted ? undefined : alike.findLast(({ token }) => token === sent);
      return (byValue ?? alike.findLast(({ tokenId }) => ids.has(tokenId)) ?? alike.at(-1))?.expression;
    },
  };
}

export type MadeValues = ReturnType<typeof createMadeValues>;

/** The codes and tokens that the events of a request name as sent. */
function idsIn({ events }: FileRequest): ReadonlySet<string> {
  const ids = events.flatMap(event => {
    if (event === undefined) return [];
    if (event.type === 'token.issued') return event.parentTokenId ?? [];
    if (event.type === 'token.used') return event.tokenId;
    return event.type === 'error.returned' || event.type === 'token.introspected' ? (event.about ?? []) : [];
  });
  return new Set(ids);
}
