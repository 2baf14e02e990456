import { addTo } from '../../base/text/add-to.ts';
import { isRecord } from '../../base/text/record.ts';
import type { ClientEntry, GrantType, SandboxConfig, SigningAlg } from '../../sandbox/config/sandbox-config.ts';
import { type Budget, createBudget } from './budget.ts';
import { configOf, type Drafted, type DraftedScope } from './drafts.ts';
import type { ExportFile } from './imported.ts';
import {
  at,
  type ExportPart,
  flagIn,
  ignores,
  leftOut,
  listIn,
  loses,
  numberIn,
  reads,
  recordsIn,
  tell,
  tellLost,
  textIn,
  textsIn,
  type UseTable,
} from './members.ts';
import { addressMembers, keptUris } from './redirect-uris.ts';

const code = 'code of the tenant is not run: put the claims that it adds into `claims` and `access_token_claims`';
const pages = 'the sandbox has pages of its own';
const admin = 'settings of the tenant have no counterpart';
// The resources of auth0-deploy-cli, by their names in tenant.yaml.
const tenantUses: UseTable = {
  ...reads('clients resourceServers clientGrants'),
  roles: { lost: 'roles belong to users here: write them as `claims.roles`' },
  ...loses(
    'identity brokering is not served: users sign in here',
    'connections databases selfServiceProfiles connectionProfiles',
  ),
  actions: { lost: '`onToken: { auth0Action }` runs an Action: see docs/token-claims.md' },
  ...loses(code, 'triggers rules rulesConfigs hooks forms flows flowVaultConnections actionModules'),
  ...loses(pages, 'branding pages themes prompts emailTemplates emailProvider customDomains screenRenderers'),
  organizations: { lost: 'organizations belong to users here: write them as `claims.organizations`' },
  ...loses('second factors are not asked for', 'guardianFactors guardianFactorProviders guardianFactorTemplates'),
  ...loses('second factors are not asked for', 'guardianPolicies guardianPhoneFactorSelectedProvider'),
  ...loses('second factors are not asked for', 'guardianPhoneFactorMessageTypes riskAssessment phoneProviders'),
  ...loses(admin, 'tenant attackProtection logStreams migrations networkACLs tokenExchangeProfiles phoneTemplates'),
  ...loses(admin, 'userAttributeProfiles supplementalSignals eventStreams rateLimitPolicies'),
};

const apiUses: UseTable = {
  ...reads('identifier scopes'),
  ...ignores('id name is_system subject_type_authorization allow_offline_access'),
  ...ignores('skip_consent_for_verifiable_first_party_clients enforce_policies signing_secret client'),
  ...ignores('verification_location'),
  authorization_policy: { lost: 'a client may call each API' },
  token_lifetime: { lost: '`access_token_lifetime` of the clients is the lifetime of tokens' },
  token_lifetime_for_web: { lost: '`access_token_lifetime` of the clients is the lifetime of tokens' },
  signing_alg: { lost: 'tokens are signed by SIGNING_ALG', usual: 'RS256' },
  token_dialect: {
    lost: "`preset: { name: 'auth0', token_dialect: '…' }` gives all tokens a form",
    usual: 'access_token',
  },
};

const grantUses: UseTable = {
  ...reads('client_id audience'),
  ...ignores('id subject_type'),
  ...loses('a client may ask for all scopes: `scope` of the client limits them', 'scope allow_all_scopes'),
};

/** Whether it is a tenant as the deploy CLI writes it. */
export function isTenant(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const isNamed = (member: unknown, name: string) => Array.isArray(member) && isRecord(member[0]) && name in member[0];
  return (
    isNamed(value.resourceServers, 'identifier') ||
    isNamed(value.clients, 'callbacks') ||
    isNamed(value.clients, 'app_type')
  );
}

/**
 * Turns the tenant of a deploy file into clients and scopes.
 * @throws ExportTooLarge
 */
export function importAuth0Tenant(found: ExportPart): SandboxConfig {
  tellLost(found, tenantUses, 'a tenant');
  const apis = apisOf(found);
  const clients = recordsIn(at(found, 'clients')).flatMap(each => auth0Client(each, apis));
  const scopes = recordsIn(at(found, 'resourceServers')).flatMap(scopesOf);
  return configOf(found, { clients, scopes });
}

function apisOf(found: ExportPart): Auth0Apis {
  const own = recordsIn(at(found, 'resourceServers')).flatMap(each => {
    tellLost(each, apiUses, 'an API');
    return textIn(at(each, 'identifier')) ?? [];
  });
  const granted = new Map<string, string[]>();
  for (const each of recordsIn(at(found, 'clientGrants'))) {
    tellLost(each, grantUses, 'a grant of a client');
    const [client, audience] = [textIn(at(each, 'client_id')), textIn(at(each, 'audience'))];
    if (client !== undefined && audience !== undefined) addTo(granted, client, audience);
  }
  // without the tenant's management API
  return { own: own.filter(each => !each.endsWith('/api/v2/')), granted, budget: createBudget() };
}

function scopesOf(found: ExportPart): readonly DraftedScope[] {
  return recordsIn(at(found, 'scopes')).flatMap(each => {
    const name = textIn(at(each, 'value'));
    const description = textIn(at(each, 'description'));
    return name === undefined
      ? []
      : [{ found: each, name, entry: { ...(description !== undefined && { description }) } }];
  });
}

const folders: Readonly<Record<string, string>> = {
  clients: 'clients',
  'resource-servers': 'resourceServers',
  grants: 'clientGrants',
  'client-grants': 'clientGrants',
};

/** Puts the files of a tenant in the form of folders together: `clients/My App.json`, `resource-servers/My API.json`. */
export function withTenantFiles(files: readonly ExportFile[]): readonly ExportFile[] {
  const isPart = ({ name }: ExportFile) => Object.hasOwn(folders, folderOf(name) ?? '');
  if (!files.some(isPart)) return files;
  const members = new Map<string, unknown[]>();
  for (const { name, value } of files) {
    const folder = folderOf(name);
    if (folder === undefined && name !== 'tenant.json') continue;
    const member =
      folder === undefined ? 'tenant' : (folders[folder] ?? folder.replace(/-./g, mark => mark.slice(1).toUpperCase()));
    members.set(member, [...(members.get(member) ?? []), value]);
  }
  const alone = files.filter(({ name }) => folderOf(name) === undefined && name !== 'tenant.json');
  return [{ name: 'tenant', value: Object.fromEntries(members) }, ...alone];
}

function folderOf(name: string): string | undefined {
  const parts = name.split(/[/\\]/);
  return parts.length < 2 ? undefined : parts[0];
}

interface Auth0Apis {
  readonly own: readonly string[];
  /** The identifiers of the APIs that a client may call without a user, by the name or the id of that client. */
  readonly granted: ReadonlyMap<string, readonly string[]>;
  readonly budget: Budget;
}

const organizations = 'with the preset auth0 the parameter `organization` of a request chooses one';

const clientUses: UseTable = {
  ...reads('client_id name client_secret app_type grant_types callbacks allowed_logout_urls web_origins'),
  ...reads('allowed_origins jwt_configuration token_endpoint_auth_method refresh_token logo_uri oidc_logout'),
  ...reads('initiate_login_uri require_pushed_authorization_requests'),
  ...ignores('description tenant global is_first_party oidc_conformant sso sso_disabled cross_origin_auth'),
  ...ignores('cross_origin_authentication callback_url_template is_token_endpoint_ip_header_trusted signing_keys'),
  ...ignores('cross_origin_loc async_approval_notification_channels resource_server_identifier external_client_id'),
  express_configuration: { lost: 'identity brokering is not served' },
  token_exchange: { lost: 'the grant `urn:ietf:params:oauth:grant-type:token-exchange` of the client switches it on' },
  token_vault_privileged_access: { lost: 'tokens of other providers are not kept' },
  client_metadata: { lost: 'metadata of clients is in no token' },
  allowed_clients: { lost: 'delegation is not served' },
  client_aliases: { lost: 'SAML is not served' },
  addons: { lost: 'add-ons such as SAML are not served' },
  custom_login_page: { lost: pages },
  custom_login_page_on: { lost: pages, usual: true },
  form_template: { lost: pages },
  native_social_login: { lost: 'identity brokering is not served' },
  mobile: { lost: 'links into native apps are not served' },
  organization_usage: { lost: organizations, usual: 'deny' },
  organization_require_behavior: { lost: organizations, usual: 'no_prompt' },
  encryption_key: { lost: 'write `jwks` to the client to use its keys' },
  client_authentication_methods: { lost: 'write `jwks` to the client to use its keys' },
  require_proof_of_possession: { lost: '`dpop_bound_access_tokens: true` of the client demands it' },
};

const tokenUses: UseTable = {
  ...reads('alg lifetime_in_seconds'),
  ...ignores('secret_encoded scopes'),
};

const oneLifetime = 'refresh tokens have one lifetime: `refresh_token_lifetime`';
const refreshUses: UseTable = {
  ...reads('rotation_type token_lifetime'),
  ...ignores('expiration_type infinite_token_lifetime infinite_idle_token_lifetime'),
  idle_token_lifetime: { lost: oneLifetime },
  leeway: { lost: 'REFRESH_TOKEN_GRACE forgives a second use' },
};

const grants: Readonly<Record<string, GrantType>> = {
  authorization_code: 'authorization_code',
  refresh_token: 'refresh_token',
  implicit: 'implicit',
  client_credentials: 'client_credentials',
  password: 'password',
  'http://auth0.com/oauth/grant-type/password-realm': 'password',
  'urn:ietf:params:oauth:grant-type:device_code': 'urn:ietf:params:oauth:grant-type:device_code',
  'urn:openid:params:grant-type:ciba': 'urn:openid:params:grant-type:ciba',
  'urn:ietf:params:oauth:grant-type:token-exchange': 'urn:ietf:params:oauth:grant-type:token-exchange',
};

function auth0Client(found: ExportPart, apis: Auth0Apis): readonly Drafted<ClientEntry>[] {
  const name = textIn(at(found, 'name'));
  const client_id = textIn(at(found, 'client_id')) ?? name;
  if (client_id === undefined) return leftOut(found, 'it has neither `client_id` nor `name`');
  // the default client of each tenant
  if (flagIn(at(found, 'global')) === true) return leftOut(found, 'it is the global client of the tenant');
  tellLost(found, clientUses, 'a client');
  tellLost(at(found, 'jwt_configuration'), tokenUses, 'the tokens of a client');
  tellLost(at(found, 'refresh_token'), refreshUses, 'the refresh tokens of a client');
  if (textIn(at(found, 'client_id')) === undefined)
    tell(found, 'the export has no `client_id`, so it is the name: write that of the app');
  const grant_types = grantsOf(found);
  const lifetime = numberIn(at(at(found, 'jwt_configuration'), 'lifetime_in_seconds'));
  const entry: ClientEntry = {
    client_id,
    ...(name !== undefined && name !== client_id && { client_name: name }),
    ...secretOf(found, client_id),
    grant_types,
    ...addresses(found, grant_types),
    ...accessOf(found, name, client_id, apis),
    ...(lifetime !== undefined && lifetime > 0 && { id_token_lifetime: lifetime }),
    ...optionsOf(found),
  };
  return [{ found, entry }];
}

function grantsOf(found: ExportPart): readonly GrantType[] {
  const usual: readonly GrantType[] =
    textIn(at(found, 'app_type')) === 'non_interactive' ? ['client_credentials'] : ['authorization_code'];
  const isPublic = hasNoSecret(found);
  const named = listIn(at(found, 'grant_types')).flatMap(each => {
    const name = textIn(each) ?? '';
    const known = Object.hasOwn(grants, name) ? grants[name] : undefined;
    if (known === undefined) tell(each, 'a grant that the sandbox does not have');
    if (isPublic && known === 'client_credentials')
      tell(each, 'left out: a client without a secret has no tokens of its own');
    return known === undefined || (isPublic && known === 'client_credentials') ? [] : [known];
  });
  return named.length === 0 ? usual : [...new Set(named)];
}

function hasNoSecret(found: ExportPart): boolean {
  const method = textIn(at(found, 'token_endpoint_auth_method'));
  return method === 'none' || (method === undefined && ['spa', 'native'].includes(textIn(at(found, 'app_type')) ?? ''));
}

function secretOf(found: ExportPart, client_id: string): Pick<ClientEntry, 'client_secret'> {
  if (hasNoSecret(found)) return {};
  const text = textIn(at(found, 'client_secret'));
  if (text !== undefined) return { client_secret: text };
  const meaning = 'the export has no secret: `client_secret` is the name of the client with `-secret`';
  tell(found, meaning);
  return { client_secret: `${client_id}-secret` };
}

function addresses(found: ExportPart, all: readonly GrantType[]): ReturnType<typeof addressMembers> {
  const login = keptUris(listIn(at(found, 'callbacks')));
  const logout = keptUris(listIn(at(found, 'allowed_logout_urls')));
  const origins = [...new Set([...textsIn(at(found, 'web_origins')), ...textsIn(at(found, 'allowed_origins'))])];
  const plain = origins.filter(origin => !origin.includes('*')).map(origin => origin.replace(/\/$/, ''));
  if (plain.length < origins.length)
    tell(at(found, 'allowed_origins'), 'a pattern cannot be kept: write each origin to `web_origins`');
  const isNeeded = all.includes('authorization_code') || all.includes('implicit');
  return addressMembers({ login, logout, origins: plain }, { place: at(found, 'callbacks'), isNeeded });
}

/** The API of a client: those of its grants, or the only one of the tenant. Grants name the client by its name. */
function accessOf(
  found: ExportPart,
  name: string | undefined,
  client_id: string,
  { own, granted, budget }: Auth0Apis,
): Pick<ClientEntry, 'audience'> {
  const named = [...new Set([name ?? '', client_id])].flatMap(each => granted.get(each) ?? []);
  budget.spend(named.length);
  const audience = [...new Set(named.length > 0 ? named : own.length === 1 ? own : [])];
  if (audience.length === 0 && own.length > 1)
    tell(found, 'has no `audience`, because the tenant has several APIs: name one');
  return audience.length === 0 ? {} : { audience };
}

function optionsOf(found: ExportPart): Partial<ClientEntry> {
  const refresh = at(found, 'refresh_token');
  const rotation = textIn(at(refresh, 'rotation_type'));
  const lifetime = numberIn(at(refresh, 'token_lifetime'));
  const logo = textIn(at(found, 'logo_uri'));
  const initiate = textIn(at(found, 'initiate_login_uri'));
  const [back, another] = listIn(at(at(found, 'oidc_logout'), 'backchannel_logout_urls'));
  if (another !== undefined) tell(another, 'a client has one address for back-channel logout: the first');
  const logout = back && textIn(back);
  const alg = textIn(at(at(found, 'jwt_configuration'), 'alg')) ?? 'RS256';
  return {
    ...(rotation !== undefined && { refresh_token_rotation: rotation === 'rotating' }),
    ...(lifetime !== undefined && lifetime > 0 && lifetime <= 31_536_000 && { refresh_token_lifetime: lifetime }),
    ...(logo !== undefined && { logo_uri: logo }),
    ...(initiate !== undefined && { initiate_login_uri: initiate }),
    ...(logout !== undefined && { backchannel_logout_uri: logout }),
    // whether it is an algorithm is checked with the whole entry
    ...(alg !== 'RS256' && { id_token_signed_response_alg: alg as SigningAlg }),
    ...(flagIn(at(found, 'require_pushed_authorization_requests')) === true && {
      require_pushed_authorization_requests: true,
    }),
  };
}
