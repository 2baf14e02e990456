import { scopeToken } from '../../protocol/scope.ts';
import { grantTypes } from '../../sandbox/config/client/client-config.ts';
import type { TokenRule } from '../../sandbox/config/sandbox-config.ts';

/** The condition of a mapping. Without a member: each token. `user`: the tokens of the user that the mapping names. */
export type Condition = Pick<TokenRule, 'client' | 'scope' | 'grant' | 'when'> | 'user';

/** Grants by the parameter that only their token requests have. */
const grantsOf: Readonly<Record<string, string>> = {
  code: 'authorization_code',
  code_verifier: 'authorization_code',
  subject: 'authorization_code',
  assertion: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
  subject_token: 'urn:ietf:params:oauth:grant-type:token-exchange',
  username: 'password',
  password: 'password',
};

/** Parameters that rules cannot see: they hold secrets. Those of a refresh belong to the grant that it continues. */
const hidden = /secret|password|verifier|assertion|token|^code$/;

/**
 * The condition of a rule for the requests whose parameter has the value: the value itself, `*` or a regular expression.
 * Undefined if rules cannot say it.
 */
export function conditionOf(parameter: string, match: string): Condition | undefined {
  const grant = Object.hasOwn(grantsOf, parameter) ? grantsOf[parameter] : undefined;
  const name = parameter === 'clientId' ? 'client_id' : parameter;
  if (/^\^?(?:\*|\.[*+])\$?$/.test(match)) return anyOf(name, grant);
  // such as a code, which nobody knows before; the mapping then describes a user
  if (grant !== undefined) return 'user';
  const values = plainValues(match);
  return (values && byMember(name, values)) ?? byValue(name, match);
}

/** Each token request has a client and a grant. */
function anyOf(parameter: string, grant: string | undefined): Condition | undefined {
  if (['client_id', 'grant_type'].includes(parameter)) return {};
  if (grant !== undefined) return { grant };
  return isShown(parameter) ? { when: `request.${parameter}` } : undefined;
}

function byMember(parameter: string, values: readonly string[]): Condition | undefined {
  const [first = '', ...others] = values;
  const value = others.length === 0 ? first : values;
  if (parameter === 'client_id') return { client: value };
  if (parameter === 'scope' && values.every(each => scopeToken.test(each))) return { scope: value };
  return parameter === 'grant_type' && values.every(isGrant) ? { grant: value } : undefined;
}

function byValue(parameter: string, match: string): Condition | undefined {
  const compared = isExpression(match) ? `~${match}` : `=${match}`;
  if (parameter === 'client_id') return { when: `client.client_id${compared}` };
  if (parameter === 'grant_type') return undefined;
  return isShown(parameter) ? { when: `request.${parameter}${compared}` } : undefined;
}

/** Conditions for the requests that an earlier condition does not fit. Two clients or two grants exclude each other anyway. */
export function exclusionOf(earlier: Exclude<Condition, 'user'>, next: Exclude<Condition, 'user'>): readonly string[] {
  const none = (values: TokenRule['client'], path: string) => [values ?? []].flat().map(value => `!${path}=${value}`);
  return [
    ...(next.client === undefined ? none(earlier.client, 'client.client_id') : []),
    ...(next.grant === undefined ? none(earlier.grant, 'grant.type') : []),
    ...none(earlier.scope, 'scopes'),
    ...[earlier.when ?? []].flat().map(when => `!${when}`),
  ];
}

function isShown(parameter: string): boolean {
  return /^\w+$/.test(parameter) && !hidden.test(parameter);
}

/** The mock compares a text that is no regular expression as it is. */
function isExpression(text: string): boolean {
  try {
    return /[\\^$.*+?()[\]{}|]/.test(text) && new RegExp(text) !== undefined;
  } catch {
    return false;
  }
}

/** The values of a text that is no pattern, or of alternatives: `(orders|billing)`. */
function plainValues(match: string): readonly string[] | undefined {
  const values = match
    .replace(/^\^/, '')
    .replace(/\$$/, '')
    .replace(/^\(([^()]*)\)$/, '$1')
    .split('|');
  return values.every(value => /^[\w.:/@-]+$/.test(value)) ? values : undefined;
}

/** A refresh belongs to the grant that it continues. */
function isGrant(name: string): boolean {
  return name !== 'refresh_token' && grantTypes.some(each => each === name);
}
