import { isRecord } from '../../base/text/record.ts';
import type { ParsedObject } from '../../protocol/json-parameter.ts';
import { checkTokenRule } from '../../sandbox/config/token-rule-entry.ts';

/** The claim that a template stands for. */
interface ClaimToWrite {
  readonly name: string;
  /** Without anything personal. */
  readonly value: unknown;
  /** In the sample. */
  readonly original: unknown;
  /** The client of the sample. */
  readonly client: string | undefined;
}

/** Words of a vendor that are the same in each token. */
const words = ['typ', 'ver', 'version', 'token_use', 'token_type', 'gty', 'idtyp', 'azpacr', 'appidacr', 'hd', 'tid'];

/** A placeholder for a value that belongs to the client or to the request, or the word itself; undefined for other claims. */
export function givenTemplate({ name, value, original, client }: ClaimToWrite): unknown {
  if (client !== undefined && original === client) return '${client.client_id}';
  if (name === 'scp' && Array.isArray(original) && scopesIn({ scope: original }).length > 0) return '${scopes}';
  return words.includes(name) ? value : undefined;
}

/** `${user.email}` if the user has the claim as `isIt` wants it; undefined if not, or if no path can name the claim. */
export function userTemplate(name: string, user: ParsedObject, isIt: (value: unknown) => boolean): string | undefined {
  if (!Object.hasOwn(user, name) || !isIt(user[name])) return undefined;
  if (/^[^\s.[\]{}!]+$/.test(name)) return `\${user.${name}}`;
  return /^[^\]}]+$/.test(name) ? `\${user[${name}]}` : undefined;
}

/** Whether a rule may set these claims. */
export function isRule(claims: ParsedObject): boolean {
  return checkTokenRule({ claims }, { clients: [], scopes: [], audiences: [] }).length === 0;
}

/** The client of a token, by the claim of each vendor. */
export function clientOf({ claims = {} }: { readonly claims?: ParsedObject }, kind: string): string | undefined {
  const { azp, client_id, cid, appid, aud } = claims;
  const named = [azp, client_id, cid, appid].find(id => typeof id === 'string');
  if (typeof named === 'string') return named;
  const [first] = [aud].flat();
  return kind === 'id_token' && typeof first === 'string' ? first : undefined;
}

/** The scopes of a token, as a text or a list. */
export function scopesIn(claims: unknown): readonly string[] {
  if (!isRecord(claims)) return [];
  const { scope = claims.scp } = claims;
  const words = typeof scope === 'string' ? scope.split(' ') : Array.isArray(scope) ? scope.map(String) : [];
  return words.filter(word => word !== '').slice(0, 100);
}
