import type { GenericSchema } from 'valibot';
import type { EventLog } from '../../base/events/event-log.ts';
import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import { OAuthError } from '../../protocol/errors.ts';
import { randomId } from '../../protocol/random.ts';
import type { TokenRule } from '../../protocol/token-rule.ts';
import { checked } from './api/checked.ts';
import type { AskedIssuer } from './known-user.ts';
import { type LoginAnswer, logInByCall } from './login.ts';
import type { LoginRequest } from './login-request.ts';
import { loginRequest } from './login-schema.ts';
import { type MintedToken, mintToken } from './mint.ts';
import type { CheckedMint, MintRequest } from './mint-request.ts';
import { mintRequest } from './mint-schema.ts';
import { replaceRules } from './token-claims.ts';

/** The issuer a caller in this process asks. */
export interface Called {
  readonly server: AuthorizationServer;
  readonly events: EventLog;
}

/**
 * `mintToken` for a caller in this process.
 * @throws TypeError, in one sentence
 */
export function issueTokenHere(called: Called, request: MintRequest): Promise<MintedToken> {
  return inOneSentence('issueToken', () => mintChecked(called, request));
}

/**
 * The same for a request that may be anything.
 * @throws OAuthError, with every problem
 */
export async function mintChecked(called: Called, request: object): Promise<MintedToken> {
  return mintToken(partsOf(called), checkedCall<CheckedMint>(mintRequest, request));
}

/**
 * `login` for a caller in this process.
 * @throws TypeError, in one sentence
 */
export function loginHere(called: Called, request: LoginRequest): Promise<LoginAnswer> {
  return inOneSentence('login', async () => {
    const read = checkedCall<LoginRequest>(loginRequest, request);
    return logInByCall(partsOf(called), read);
  });
}

/**
 * `replaceRules` for a caller in this process.
 * @throws TypeError, in one sentence
 */
export function replaceRulesHere(called: Called, rules: readonly TokenRule[]): Promise<readonly TokenRule[]> {
  return inOneSentence('tokenClaims.replace', async () => replaceRules(called, rules, 'library'));
}

/** A call gets its own id, as a request does, so that its events are grouped. */
function partsOf({ server, events }: Called): AskedIssuer {
  const id = `call_${randomId().replaceAll('-', '').slice(0, 12)}`;
  return { server, emit: fact => void events.append(fact, id) };
}

/** Members that are there and undefined are as good as left out. */
function checkedCall<T>(schema: GenericSchema, request: object): T {
  const isObject = typeof request === 'object' && request !== null;
  const said = isObject
    ? Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined))
    : request;
  return checked(schema, said) as T; // what the schema lets through
}

async function inOneSentence<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    const { description } = error;
    const { sent, expected } = error.details;
    const found = sent === undefined || description.includes(sent) ? '' : `: found ${sent}`;
    const wanted = expected === undefined || description.includes(expected) ? '' : `, expected ${expected}`;
    throw new TypeError(`${name}: ${description}${found}${wanted}`, { cause: error });
  }
}
