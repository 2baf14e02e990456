import { grantTypes } from '../config/client/client-config.ts';
import type { TokenRule } from '../config/sandbox-config.ts';
import { scopeToken } from '../oauth/scope.ts';

/** The condition of a mapping. Without a member: each token. `user`: the tokens of the user that the mapping names. */
export type Condition = Pick<TokenRule, 'client' | 'scope' | 'grant' | 'audience' | 'when'> | 'user';

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
  if (/^\^?(?:\*|\.[*+])\$?$/.test(match)) return anyOf(parameter, grant);
  const values = plainValues(match);
  if (values === undefined) return undefined;
  // such as a code, which nobody knows before; the mapping then describes a user
  if (grant !== undefined) return 'user';
  switch (parameter) {
    case 'client_id':
    case 'clientId':
      return { client: oneOrAll(values) };
    case 'scope':
      return values.every(value => scopeToken.test(value)) ? { scope: oneOrAll(values) } : undefined;
    case 'audience':
    case 'resource':
      return { audience: oneOrAll(values) };
    case 'grant_type':
      return values.every(isGrant) ? { grant: oneOrAll(values) } : undefined;
    default:
      return undefined;
  }
}

/** Each token request has a client and a grant. */
function anyOf(parameter: string, grant: string | undefined): Condition | undefined {
  if (['client_id', 'clientId', 'grant_type'].includes(parameter)) return {};
  if (grant !== undefined) return { grant };
  return /^\w+$/.test(parameter) && !hidden.test(parameter) ? { when: `request.${parameter}` } : undefined;
}

/** The values of a text that is no pattern, or of alternatives: `(orders|billing)`. */
function plainValues(match: string): readonly string[] | undefined {
  const values = match
    .replace(/^\^/, '')
    .replace(/\$$/, '')
    .replace(/^\(([^()]*)\)$/, '$1')
    .split('|');
  return values.every(value => /^[\w.:/@ -]+$/.test(value)) ? values : undefined;
}

function oneOrAll(values: readonly string[]): string | readonly string[] {
  const [first = '', ...others] = values;
  return others.length === 0 ? first : values;
}

/** A refresh belongs to the grant that it continues. */
function isGrant(name: string): boolean {
  return name !== 'refresh_token' && grantTypes.some(each => each === name);
}
