import type { AnyMembers } from '../../base/text/record.ts';
import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import { isPublic, type RegisteredClient } from '../../protocol/clients/client.ts';
import type { WrittenFor } from '../../protocol/dialect.ts';
import type { ClaimRule } from '../../protocol/dialects/claim-rules.ts';
import type { DialectData, MetadataForm } from '../../protocol/dialects/dialect-data.ts';
import { formatScope } from '../../protocol/scope.ts';
import type { TestUser } from '../../protocol/users/user.ts';
import { loggedInUser } from '../../protocol/users/user-claims.ts';
import type { PresetDialect } from '../../sandbox/provider.ts';
import { errors, finishError } from './errors.ts';
import { directGroups, groupId, principalId, principalName, tenantId, userObjectId, withParents } from './ids.ts';
import { addressOf, firstVersionIssuer } from './places.ts';
import { graph, graphPermissions, heard, resourceScope } from './scopes.ts';

/** The wire of a tenant. With the option `version`, it is that of the endpoints of version 1.0. */
export function dialect(): PresetDialect {
  return {
    identifier: '${issuer}/v2.0',
    otherIdentifiers: ['${issuer}/'],
    metadata,
    forms,
    facts: factsOf,
    heard,
    openScopes: graphPermissions,
    ownSectors: true,
    loginName: principalName,
    accessTokenType: 'JWT',
    redirectUriNeeded: true,
    errors,
    finishError,
  };
}

/** Claims of the user that both kinds of tokens have, but for tokens of Graph. */
const groups: readonly ClaimRule[] = [
  { when: ['user', '!facts.graph'], claims: { roles: '${user.claims.roles}', groups: '${facts.groups}' } },
  { when: ['facts.has_groups', '!facts.graph'], claims: { hasgroups: true } },
  {
    when: ['facts.groups_endpoint', '!facts.graph'],
    claims: { _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: '${facts.groups_endpoint}' } } },
  },
];

const names = {
  name: '${user.claims.name}',
  given_name: '${user.claims.given_name}',
  family_name: '${user.claims.family_name}',
};

const common = { oid: '${facts.oid}', tid: '${facts.tid}', uti: '${facts.uti}' };

const accessTokenRules: readonly ClaimRule[] = [
  { claims: { aud: '${facts.aud}', ...common, scp: '${facts.scp}' } },
  // the pairwise `sub` of an application is the object id of its service principal
  { when: 'facts.app', claims: { sub: '${facts.oid}', idtyp: 'app' } },
  {
    when: '!facts.first',
    claims: { azp: '${client.client_id}', azpacr: '${facts.azpacr}', ver: '2.0' },
  },
  { when: ['user', '!facts.first'], claims: { name: names.name, preferred_username: '${facts.upn}' } },
  {
    when: 'facts.first',
    claims: {
      iss: '${facts.first_issuer}',
      appid: '${client.client_id}',
      appidacr: '${facts.azpacr}',
      ver: '1.0',
    },
  },
  {
    when: ['user', 'facts.first'],
    claims: { acr: '1', amr: ['pwd'], ...names, unique_name: '${facts.upn}', upn: '${facts.upn}' },
  },
  ...groups,
];

const idTokenRules: readonly ClaimRule[] = [
  { claims: { ...common, nbf: '${token.iat}', name: names.name, ver: '2.0' } },
  { when: '!facts.first_endpoint', claims: { preferred_username: '${facts.upn}' } },
  { when: ['user', 'scope.email'], claims: { email: '${user.claims.email}' } },
  { when: 'facts.front', claims: { at_hash: '${token.at_hash}' } },
  {
    when: 'facts.first_endpoint',
    claims: {
      iss: '${facts.first_issuer}',
      ver: '1.0',
      amr: ['pwd'],
      ...names,
      unique_name: '${facts.upn}',
      upn: '${facts.upn}',
    },
  },
  ...groups,
];

const forms: DialectData['forms'] = {
  accessToken: {
    omit: ['client_id', 'scope', 'jti', 'auth_time', 'acr', 'amr', 'aud'],
    rules: accessTokenRules,
  },
  idToken: { omit: ['azp', 'acr', 'amr', 'at_hash'], rules: idTokenRules },
  userinfo: {
    omit: ['preferred_username', 'email_verified'],
    rules: [
      { when: 'scope.profile', claims: { ...names, picture: '${facts.address}/v1.0/me/photo/$value' } },
      { when: 'scope.email', claims: { email: '${user.claims.email}' } },
    ],
  },
  tokenResponse: {
    omit: ['scope'],
    rules: [
      {
        claims: {
          scope: '${facts.scope}',
          ext_expires_in: '${token.expires_in}',
          client_info: '${facts.client_info}',
        },
      },
      // numbers are texts there
      { when: 'facts.first_endpoint', claims: { resource: '${facts.aud}', '...': '${facts.times}' } },
    ],
  },
};

/** The metadata of a tenant, version 2.0, as recordings of login.microsoftonline.com have it. */
const metadata: MetadataForm = {
  add: {
    token_endpoint_auth_methods_supported: ['client_secret_post', 'private_key_jwt', 'client_secret_basic'],
    response_modes_supported: ['query', 'fragment', 'form_post'],
    subject_types_supported: ['pairwise'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
    request_uri_parameter_supported: false,
    userinfo_endpoint: '${origin}/oidc/userinfo',
    http_logout_supported: true,
    // without those that no token here has: cloud_instance_name, msgraph_host, acr and the hashes of the front channel
    claims_supported: [
      'sub',
      'iss',
      'aud',
      'exp',
      'iat',
      'auth_time',
      'nonce',
      'preferred_username',
      'name',
      'tid',
      'ver',
      'email',
    ],
    tenant_region_scope: 'EU',
    cloud_instance_name: '${host}',
    cloud_graph_host_name: '${host}',
    msgraph_host: '${host}',
  },
  omit: [
    'grant_types_supported',
    'code_challenge_methods_supported',
    'authorization_response_iss_parameter_supported',
    'token_endpoint_auth_signing_alg_values_supported',
    'request_parameter_supported',
    'ui_locales_supported',
    'service_documentation',
    'frontchannel_logout_session_supported',
    'tls_client_certificate_bound_access_tokens',
    'mtls_endpoint_aliases',
    'claim_types_supported',
    'prompt_values_supported',
    'claims_parameter_supported',
    'id_token_encryption_alg_values_supported',
    'id_token_encryption_enc_values_supported',
    'userinfo_signing_alg_values_supported',
    'userinfo_encryption_alg_values_supported',
    'userinfo_encryption_enc_values_supported',
    'acr_values_supported',
  ],
};

type About = WrittenFor<AuthorizationServer>;
/** Values that the forms of tokens use and only code can compute. */
function factsOf(about: About, members: AnyMembers): object {
  const { server, client, authorization } = about;
  const { sub, edited } = authorization;
  const user = sub === undefined ? undefined : loggedInUser(server, { sub, ...(edited && { edited }) });
  const target = targetOf(about);
  return {
    tid: tenantId(server),
    oid: user === undefined ? principalId(server, client.client_id) : userObjectId(server, user),
    app: user === undefined,
    azpacr: authenticationOf(client),
    uti: typeof members.jti === 'string' ? Buffer.from(members.jti).toString('base64url').slice(-22) : undefined,
    first_issuer: firstVersionIssuer(server),
    address: addressOf(server),
    front: isFrontChannel(about),
    first_endpoint: server.dialect?.options.version === '1.0',
    times: timesOf(about, members),
    ...target,
    // a resource asks for tokens of version 1.0 by its scopes, and Graph always does
    first: target.aud === graph.appId || members.ver === '1.0',
    graph: target.aud === graph.appId && 'client_id' in members, // only an access token has that member
    ...(user && ofUser(about, user)),
  };
}

function ofUser(about: About, user: TestUser): object {
  const { server } = about;
  const upn = principalName(server, user);
  return { upn, client_info: clientInfo(about, user), ...groupFacts(about, user) };
}

/** The one resource of a token, and its scopes: those of the first scope that has a resource. */
function targetOf({ scopes, resources = [], client, authorization: { sub } }: About) {
  const [requested] = resources;
  const own = scopes.flatMap(scope => ({ scope, ...resourceScope(scope) })).filter(({ name }) => name !== undefined);
  const [first] = own;
  // without any scope of a resource, the token of a user is for Graph
  const resource = requested ?? (first === undefined && sub !== undefined ? graph.appId : first?.resource);
  const granted = own.filter(each => each.resource === resource);
  const openId = scopes.filter(each => resourceScope(each) === undefined && each !== 'offline_access');
  const before = resource === graph.appId ? openId : [];
  // scopes without a resource are not of this platform, so the answer has all of them
  return {
    aud: resource ?? client.audience[0] ?? client.client_id,
    scp: sub === undefined ? undefined : formatScope([...before, ...granted.map(({ name = '' }) => name)]),
    scope: formatScope(resource === undefined ? scopes : [...before, ...granted.map(({ scope }) => scope)]),
  };
}

/** Lifetimes as the first version of the token endpoint writes them. */
function timesOf({ server }: About, { expires_in }: AnyMembers): object {
  const now = server.clock();
  const texts = { expires_in, ext_expires_in: expires_in, expires_on: now + Number(expires_in), not_before: now };
  return Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, String(value)]));
}

/** `0` for a public client, `1` for a secret, `2` for a certificate or a signed assertion. */
function authenticationOf(client: RegisteredClient): string {
  if (isPublic(client)) return '0';
  return client.client_secret === undefined ? '2' : '1';
}

/** The name that SDKs have for an account: base64url of `{uid, utid}`, if they ask for it. */
function clientInfo({ server, asked }: About, user: TestUser): string | undefined {
  if (asked === undefined || !('values' in asked) || asked.values.get('client_info') !== '1') return undefined;
  const names = { uid: userObjectId(server, user), utid: tenantId(server) };
  return Buffer.from(JSON.stringify(names)).toString('base64url');
}

function isFrontChannel({ asked }: About): boolean {
  return asked !== undefined && !('values' in asked);
}

/** Most groups that a token has: in the front channel it travels in an address. */
const mostGroups = { token: 200, frontChannel: 5 };

/**
 * The groups of a user, nested ones included. A token without room for them says where they are; the claim `group_overage`
 * of a user has the same effect with few groups.
 */
function groupFacts(about: About, user: TestUser): object {
  const { server } = about;
  const groups = withParents(directGroups(user)).map(path => groupId(server, path));
  const most = isFrontChannel(about) ? mostGroups.frontChannel : mostGroups.token;
  const isOver = user.claims.group_overage === true || groups.length > most;
  if (!isOver) return groups.length === 0 ? {} : { groups };
  if (isFrontChannel(about)) return { has_groups: true };
  return { groups_endpoint: `${addressOf(server)}/v1.0/users/${userObjectId(server, user)}/getMemberObjects` };
}
