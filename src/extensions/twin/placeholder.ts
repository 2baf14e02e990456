import { checkTokenRule } from '../../sandbox/config/token-rule-entry.ts';
import { scopesIn } from './draft-features.ts';
import type { SampleMembers } from './samples.ts';

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
export function userTemplate(name: string, user: SampleMembers, isIt: (value: unknown) => boolean): string | undefined {
  if (!Object.hasOwn(user, name) || !isIt(user[name])) return undefined;
  if (/^[^\s.[\]{}!]+$/.test(name)) return `\${user.${name}}`;
  return /^[^\]}]+$/.test(name) ? `\${user[${name}]}` : undefined;
}

/** Whether a rule may set these claims. */
export function isRule(claims: SampleMembers): boolean {
  return checkTokenRule({ claims }, { clients: [], scopes: [], audiences: [] }).length === 0;
}
