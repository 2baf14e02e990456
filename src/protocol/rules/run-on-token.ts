import { isRecord } from '../../base/text/record.ts';
import { OAuthError } from '../errors.ts';
import { reservedClaims } from '../protocol-claims.ts';
import type { OnToken, OnTokenEvent, RuleContext } from '../token-rule.ts';

type Members = Readonly<Record<string, unknown>>;

/** The function of a configuration, and what is done with it. */
interface OnTokenCall {
  readonly onToken: OnToken;
  /** Seconds. */
  readonly timeout: number;
  readonly tellFailure: ((error: unknown) => void) | undefined;
}

/**
 * The claims that `onToken` adds to a token.
 * @throws access_denied for a token that it denies; server_error where it fails, takes too long or sets something else
 */
export async function claimsByOnToken(
  { onToken, timeout, tellFailure }: OnTokenCall,
  context: RuleContext,
  token: OnTokenEvent['token'],
): Promise<Members> {
  const denials: string[] = [];
  const event = eventOf(context, token, reason => denials.push(reason));
  try {
    const returned = await inTime(timeout, async () => onToken(event));
    if (denials.length === 0) return checked(returned);
  } catch (error) {
    if (denials.length === 0) {
      tellFailure?.(error);
      const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      const firstLine = message.split('\n', 1)[0]?.slice(0, 200) ?? '';
      throw new OAuthError('server_error', 'on_token_failed', `onToken failed: ${firstLine}`, { cause: error });
    }
  }
  // also where the function caught the exception of deny
  throw new OAuthError('access_denied', 'on_token_denied', denials[0] || 'onToken denied the token');
}

function eventOf(context: RuleContext, token: OnTokenEvent['token'], denied: (reason: string) => void): OnTokenEvent {
  function deny(reason: string): never {
    denied(String(reason));
    throw new Error(`onToken denied the token: ${reason}`);
  }
  // the objects of the context are those of the running configuration
  return { ...structuredClone(context), token, deny };
}

async function inTime<T>(seconds: number, work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const words = `it took longer than ${seconds === 1 ? '1 second' : `${seconds} seconds`} (ON_TOKEN_TIMEOUT)`;
    timer = setTimeout(() => reject(new Error(words)), seconds * 1000);
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The claims as JSON has them. */
function checked(returned: unknown): Members {
  if (returned === undefined || returned === null) return {};
  if (!isRecord(returned)) throw new TypeError('it must return an object with claims, or nothing');
  const claims: unknown = JSON.parse(JSON.stringify(returned));
  if (!isRecord(claims)) throw new TypeError('it must return an object with claims, or nothing');
  const name = Object.keys(claims).find(each => reservedClaims.includes(each));
  if (name !== undefined) throw new TypeError(`it must not set ${name}: the server sets ${name} itself`);
  return claims;
}
