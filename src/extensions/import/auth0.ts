import { addTo } from '../../base/text/add-to.ts';
import { isRecord } from '../../base/text/record.ts';
import type { SandboxConfig } from '../../sandbox/config/sandbox-config.ts';
import { type Auth0Apis, auth0Client } from './auth0-client.ts';
import { createBudget } from './budget.ts';
import { configOf, type DraftedScope } from './drafts.ts';
import type { ExportFile } from './imported.ts';
import { at, type ExportPart, ignores, loses, reads, recordsIn, tellLost, textIn, type UseTable } from './members.ts';

const code = 'code of the tenant is not run: put the claims that it adds into `claims` and `access_token_claims`';
const pages = 'the sandbox has pages of its own';
const admin = 'settings of the tenant have no counterpart';
// The resources of auth0-deploy-cli, by their names in tenant.yaml.
const tenantUses: UseTable = {
  ...reads('clients resourceServers clientGrants'),
  roles: { lost: 'roles belong to users here: write them as `claims.roles`' },
  ...loses(
    'identity brokering is not served: users log in here',
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
