import { isDeeperThan, type ParsedObject } from '../json-parameter.ts';
import { readJsonObject } from '../json-text.ts';
import { reservedClaims } from '../protocol-claims.ts';

/** A fault in typed claims, with its line. */
export interface ClaimsFault {
  readonly line: number;
  readonly reason: string;
}

/** A claim that cannot be set, and why; the name is empty for a fault of the claims together. */
interface ObjectFault {
  readonly name: string;
  readonly reason: string;
}

/** Characters as JSON, levels of nesting, and number of claims of one login. Tokens carry the claims in headers. */
export const mostClaims = { length: 8192, levels: 10, count: 100 } as const;

/** Claims of the protocol that say how a user logged in. */
export const claimsOfTheLogin: readonly string[] = ['acr', 'amr'];

/**
 * False for a claim that the server sets itself: overriding one would make a token that no server could have issued. A
 * configured user may have one, such as `may_act`; a login neither changes nor removes it.
 */
export function mayBeTyped(name: string): boolean {
  return !reservedClaims.includes(name) || claimsOfTheLogin.includes(name);
}

/** The claims in a JSON text, or the first fault. */
export function readTypedClaims(text: string): { readonly claims: ParsedObject } | { readonly fault: ClaimsFault } {
  if (text.length > mostClaims.length) {
    const reason = `the text has ${text.length} characters; the limit is ${mostClaims.length}`;
    return { fault: { line: 1, reason } };
  }
  const read = readJsonObject(text, mostClaims.levels);
  if ('reason' in read) return { fault: { line: read.line, reason: read.reason } };
  const wrong = claimsFault(read.value);
  if (wrong === undefined) return { claims: read.value };
  return { fault: { line: read.lines.get(wrong.name) ?? 1, reason: wrong.reason } };
}

/** The first claim that cannot be set, and why; for claims that came as an object. */
function claimsFault(claims: ParsedObject): ObjectFault | undefined {
  const names = Object.keys(claims);
  const tooMany = names[mostClaims.count];
  if (tooMany !== undefined)
    return { name: tooMany, reason: `there are too many claims; the limit is ${mostClaims.count}` };
  for (const name of names) {
    const reason = nameFault(name) ?? valueFault(name, claims[name]);
    if (reason !== undefined) return { name, reason };
  }
  return undefined;
}

/** Like `claimsFault`, and also checks the size; for claims that came as an object and not as text. */
export function claimsObjectFault(claims: ParsedObject): ObjectFault | undefined {
  if (isDeeperThan(claims, mostClaims.levels)) {
    return { name: '', reason: `claims are nested deeper than ${mostClaims.levels} levels` };
  }
  const { length } = JSON.stringify(claims);
  if (length > mostClaims.length) {
    return { name: '', reason: `claims are ${length} characters long as JSON; the limit is ${mostClaims.length}` };
  }
  return claimsFault(claims);
}

function nameFault(name: string): string | undefined {
  if (name === '') return 'a claim needs a name';
  if (name === '__proto__') return '__proto__ cannot be the name of a claim';
  if (mayBeTyped(name)) return undefined;
  return `${name} cannot be set here: the server sets this claim itself`;
}

/** `acr` and `amr` become those of the login, so they need the form of OIDC Core §2. */
function valueFault(name: string, value: unknown): string | undefined {
  if (name === 'acr' && !(isText(value) && value.length <= 200)) {
    return 'acr is text of 1 to 200 characters, such as "1"';
  }
  if (name !== 'amr' || (Array.isArray(value) && value.length > 0 && value.length <= 20 && value.every(isText))) {
    return undefined;
  }
  return 'amr is a list of 1 to 20 texts, such as ["pwd", "otp"]';
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
