import { isRecord } from '../../base/text/record.ts';
import { reservedClaims } from '../../protocol/protocol-claims.ts';
import { scopeToken } from '../../protocol/scope.ts';
import { grantTypes } from '../../sandbox/config/client/client-config.ts';
import type { JsonValue } from '../../sandbox/config/json.ts';
import type {
  ClientEntry,
  IssuerEntry,
  SandboxConfig,
  SigningAlg,
  TokenRule,
  UserEntry,
} from '../../sandbox/config/sandbox-config.ts';
import { signingAlgs } from '../../sandbox/config/settings/signing-algs.ts';
import { type ClaimValues, configOf, type Drafted, type DraftedScope, userOf } from './drafts.ts';
import {
  at,
  type ExportPart,
  entriesIn,
  flagIn,
  ignores,
  leftOut,
  lose,
  numberIn,
  reads,
  recordsIn,
  tell,
  tellLost,
  textIn,
  type UseTable,
  valueIn,
} from './members.ts';

// JSON_CONFIG of navikt/mock-oauth2-server, whose class OAuth2Config has the members.
const configUses: UseTable = {
  ...reads('interactiveLogin tokenCallbacks tokenProvider httpServer'),
  ...ignores('rotateRefreshToken'),
  loginPagePath: { lost: 'the sandbox has a sign-in page of its own' },
  staticAssetsPath: { lost: 'files are not served' },
};

const callbackUses: UseTable = reads('issuerId tokenExpiry requestMappings');

const mappingUses: UseTable = {
  ...reads('requestParam match claims'),
  typeHeader: { lost: 'the header `typ` of tokens cannot be chosen', usual: 'JWT' },
};

const providerUses: UseTable = {
  keyProvider: 'read',
  systemTime: { lost: 'freeze the clock by the control API: POST /_sandbox/clock' },
};

const keyUses: UseTable = { algorithm: 'read', initialKeys: { lost: 'write the keys to a file for KEYS_FILE' } };

/** Whether it has any member of the configuration; none of them is required. */
export function isMockConfig(value: unknown): boolean {
  return isRecord(value) && Object.keys(configUses).some(name => Object.hasOwn(value, name));
}

/** Turns the JSON_CONFIG of mock-oauth2-server into issuers with the users of its claims. Like the mock, they accept any client. */
export function importMockOauth2Server(found: ExportPart): SandboxConfig {
  tellLost(found, configUses, 'the configuration');
  const keys = at(at(found, 'tokenProvider'), 'keyProvider');
  tellLost(at(found, 'tokenProvider'), providerUses, 'the token provider');
  tellLost(keys, keyUses, 'the key provider');
  const server = at(found, 'httpServer');
  tellLost(server, { type: 'none', ssl: 'read' }, 'the HTTP server');
  const ssl = at(server, 'ssl');
  if (isRecord(ssl.value)) lose(ssl, 'set TLS=self-signed, or TLS_CERT and TLS_KEY');
  const algorithm = algorithmOf(at(keys, 'algorithm'));
  const isInteractive = flagIn(at(found, 'interactiveLogin')) === true;
  const issuers = new Map<string, IssuerEntry>();
  for (const each of recordsIn(at(found, 'tokenCallbacks'))) {
    const id = textIn(at(each, 'issuerId'));
    if (id === undefined) leftOut(each, 'it has no `issuerId`');
    else if (issuers.has(id)) leftOut(each, 'an earlier one has the same `issuerId`');
    else issuers.set(id, issuerOf(each, isInteractive));
  }
  if (!isInteractive && [...issuers.values()].every(each => each.autoLogin === undefined))
    tell(
      found,
      'no user is signed in without a sign-in page, because no mapping of a sign-in names one: set `autoLogin`',
    );
  return {
    ...(algorithm !== undefined && algorithm !== 'RS256' && { signingAlg: algorithm }),
    anyClient: true,
    anyIssuer: true,
    ...(issuers.size > 0 && { issuers: Object.fromEntries(issuers) }),
  };
}

function algorithmOf(found: ExportPart): SigningAlg | undefined {
  const text = textIn(found);
  const known = signingAlgs.find(each => each === text);
  if (text !== undefined && known === undefined) tell(found, 'left out, because it is not an algorithm');
  return known;
}

function issuerOf(found: ExportPart, isInteractive: boolean): IssuerEntry {
  tellLost(found, callbackUses, 'a token callback');
  const expiry = numberIn(at(found, 'tokenExpiry'));
  const mappings = recordsIn(at(found, 'requestMappings')).map(each => {
    tellLost(each, mappingUses, 'a request mapping');
    return mappingOf(each);
  });
  const users = usersOf(mappings);
  const config = configOf(found, { users, scopes: scopesOf(mappings), clients: clientsOf(mappings) });
  const [user] = config.users ?? [];
  const rules = rulesOf(mappings);
  return {
    ...(expiry !== undefined && expiry > 0 && { accessTokenLifetime: expiry, idTokenLifetime: expiry }),
    ...(!isInteractive && user !== undefined && { autoLogin: user.sub }),
    ...config,
    ...(rules.length > 0 && { tokenClaims: rules }),
  };
}

/** A request mapping of mock-oauth2-server: the claims of tokens whose request has a parameter with a value. */
interface Mapping {
  readonly found: ExportPart;
  /** The condition of a rule here; undefined if no rule can have it. */
  readonly condition: Condition | undefined;
  readonly sub: string | undefined;
  readonly audience: readonly string[];
  readonly claims: ClaimValues;
}

/** Reads a mapping, and tells of what it has that tokens here do not get by a rule. */
function mappingOf(found: ExportPart): Mapping {
  const parameter = textIn(at(found, 'requestParam')) ?? '';
  const match = textIn(at(found, 'match')) ?? '*';
  const written = conditionOf(parameter, match);
  const subject = at(at(found, 'claims'), 'sub');
  const isOfUser = written !== 'user' || typeof subject.value === 'string';
  const condition = isOfUser ? written : conditionOf(parameter, '*');
  if (condition === undefined) {
    leftOut(found, `no rule can ask for ${parameter.slice(0, 60)} = ${match.slice(0, 60)}`);
    return { found, condition, sub: undefined, audience: [], claims: {} };
  }
  const client = typeof condition === 'object' && typeof condition.client === 'string' ? condition.client : undefined;
  return {
    found,
    condition,
    sub: subjectOf(subject, condition),
    audience: audienceOf(at(at(found, 'claims'), 'aud'), client !== undefined),
    claims: claimsOf(at(found, 'claims'), client ?? '${client.client_id}'),
  };
}

/** The user of a login. Where a client acts for itself, it is the subject, as `${clientId}` says, too. */
function subjectOf(found: ExportPart, condition: Condition): string | undefined {
  const value = valueIn(found);
  const isOfClient = typeof condition === 'object' && condition.grant === 'client_credentials';
  if (value === undefined || (isOfClient && value === '${clientId}')) return undefined;
  if (isOfClient) tell(found, 'left out: `sub` of a client that acts for itself is its `client_id`');
  else if (typeof value !== 'string' || /[$*]/.test(value))
    tell(found, 'left out: `sub` is that of the user who signs in');
  else {
    const isOfLogin = condition === 'user' || condition.grant !== undefined;
    if (!isOfLogin) tell(found, 'is the user of a sign-in; `sub` of a client that acts for itself is its `client_id`');
    return value;
  }
  return undefined;
}

function audienceOf(found: ExportPart, isOfClient: boolean): readonly string[] {
  const value = valueIn(found);
  if (value === undefined) return [];
  const texts = [value].flat().filter((each): each is string => typeof each === 'string' && !each.includes('${'));
  if (isOfClient && texts.length === [value].flat().length) return texts;
  tell(found, 'left out: `aud` is the `audience` of the client, or the `resource` of the request');
  return isOfClient ? texts : [];
}

function claimsOf(found: ExportPart, client: string): ClaimValues {
  const own = entriesIn(found).flatMap(([name, part]) => {
    if (name === 'sub' || name === 'aud') return [];
    if (reservedClaims.includes(name)) return leftOut(part, `the sandbox sets \`${name}\` itself`);
    const made = withClient(valueIn(part), client);
    return made === undefined ? leftOut(part, 'it has a template that is not known') : [[name, made] as const];
  });
  return Object.fromEntries(own);
}

/** The claim with the client in place of `${clientId}`; undefined if it has any other template, or one of a rule of ours. */
function withClient(claim: unknown, client: string): JsonValue | undefined {
  const text = JSON.stringify(claim);
  const template = /\$\{client(?:Id|_id)\}/g;
  if (/\$\{|"\$|"\.\.\.|^undefined$/.test(text.replaceAll(template, ''))) return undefined;
  const named = JSON.stringify(client).slice(1, -1);
  return JSON.parse(text.replaceAll(template, () => named)) as JsonValue; // it was JSON
}

/** The users that logins name, with the claims of mappings that belong to one user. */
function usersOf(mappings: readonly Mapping[]): readonly Drafted<UserEntry>[] {
  const bySub = new Map<string, Drafted<UserEntry>>();
  for (const { found, condition, sub, claims } of mappings) {
    if (sub === undefined) continue;
    if (bySub.has(sub) && condition === 'user') leftOut(found, 'an earlier one names the same user');
    if (bySub.has(sub)) continue;
    const own = condition === 'user' ? claims : {};
    bySub.set(sub, { found, entry: userOf({ sub }, own, new Set(Object.keys(own))) });
  }
  return [...bySub.values()];
}

/** The scopes that mappings name, so that a client may ask for them. */
function scopesOf(mappings: readonly Mapping[]): readonly DraftedScope[] {
  return mappings.flatMap(({ found, condition }) => {
    const names = typeof condition === 'object' ? [condition.scope ?? []].flat() : [];
    return names.filter(name => scopeToken.test(name)).map(name => ({ found, name, entry: {} }));
  });
}

/** The clients with an audience of their own. All others are accepted without an entry. */
function clientsOf(mappings: readonly Mapping[]): readonly Drafted<ClientEntry>[] {
  return mappings.flatMap(({ found, condition, audience }) => {
    const client_id = typeof condition === 'object' ? condition.client : undefined;
    if (typeof client_id !== 'string' || audience.length === 0) return [];
    const client_secret = `${client_id}-secret`;
    tell(
      found,
      'the mock accepts any secret, but an `audience` needs a client: its `client_secret` is its id with `-secret`',
    );
    const grant_types = ['authorization_code', 'client_credentials', 'refresh_token'] as const;
    return [{ found, entry: { client_id, client_secret, grant_types, loopback_redirects: true, audience } }];
  });
}

/** Rules of the claims. In the mock only the first mapping counts that fits a request, so that each rule excludes those before. */
function rulesOf(mappings: readonly Mapping[]): readonly TokenRule[] {
  const before: Exclude<Condition, 'user'>[] = [];
  const rules = mappings.flatMap(({ found, condition, claims }): readonly TokenRule[] => {
    if (typeof condition !== 'object') return [];
    if (before.some(each => Object.keys(each).length === 0)) return leftOut(found, 'an earlier one fits each request');
    const excluded = before.flatMap(each => exclusionOf(each, condition));
    before.push(condition);
    const [first, ...others] = [condition.when ?? [], excluded].flat();
    const when = first === undefined ? {} : { when: others.length === 0 ? first : [first, ...others] };
    return Object.keys(claims).length === 0 ? [] : [{ ...condition, ...when, claims }];
  });
  return [...shownClaims(mappings), ...rules];
}

/** Claims of users are in ID tokens and at UserInfo, too, which scopes release here. */
function shownClaims(mappings: readonly Mapping[]): readonly TokenRule[] {
  const ofUsers = mappings.filter(({ condition, sub }) => condition === 'user' && sub !== undefined);
  const names = [...new Set(ofUsers.flatMap(({ claims }) => Object.keys(claims)))].filter(name => !/[\]}]/.test(name));
  const claims = Object.fromEntries(names.map(name => [name, `\${user[${name}]}`]));
  return names.length === 0 ? [] : [{ for: ['idToken', 'userinfo'], claims }];
}

/** The condition of a mapping. Without a member: each token. `user`: the tokens of the user that the mapping names. */
type Condition = Pick<TokenRule, 'client' | 'scope' | 'grant' | 'when'> | 'user';

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
function conditionOf(parameter: string, match: string): Condition | undefined {
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
function exclusionOf(earlier: Exclude<Condition, 'user'>, next: Exclude<Condition, 'user'>): readonly string[] {
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
