import type { SnippetClient, SnippetFacts } from '../../dashboard/snippets/facts.ts';
import { discoveryPath } from '../../dashboard/snippets/words.ts';
import type { PresetChoice } from '../../sandbox/config/provider-traits.ts';
import { loadPreset } from '../../sandbox/presets.ts';
import type { Provider } from '../../sandbox/provider.ts';
import type { Variant } from './init-variants.ts';

/** The snippets of the SDKs of a provider, by the kind of application. */
interface Sdks extends Partial<Record<NonNullable<Variant['kind']>, string>> {
  /** The last segment of the path to which the SDK for servers returns. */
  readonly callback?: string;
  /** True if an SDK speaks HTTPS only. */
  readonly needsTls?: true;
}

const sdksOf: Readonly<Record<string, Sdks>> = {
  keycloak: { browser: 'keycloak' },
  entra: { browser: 'msal-browser', service: 'msal-node', needsTls: true },
  auth0: { browser: 'auth0', api: 'auth0-api' },
  okta: { browser: 'okta', api: 'okta-api' },
  cognito: { browser: 'cognito', api: 'cognito-api', needsTls: true },
  google: { server: 'google-auth-js', callback: 'google' },
  github: { server: 'github-auth-js', callback: 'github' },
  'github-app': { server: 'github-auth-js', callback: 'github' },
  apple: { server: 'apple-auth-js', callback: 'apple' },
  'github-actions': { service: 'actions-core' },
};

/** The variants that a file gets if none is named: those with an SDK of the provider, if they exist. */
export function usualVariants(preset?: PresetChoice): readonly string[] {
  const { server, browser, service } = (preset && sdksOf[preset.name]) ?? {};
  if (server !== undefined) return ['nextjs'];
  return service !== undefined && browser === undefined ? ['machine'] : ['react', 'machine'];
}

/** The variants for a sandbox that speaks like a provider, with the SDKs of that provider where they exist. */
export async function withPreset(
  chosen: readonly Variant[],
  preset: PresetChoice,
  providers: readonly Provider[],
): Promise<readonly Variant[]> {
  const { callback, needsTls, ...snippets }: Sdks = sdksOf[preset.name] ?? {};
  const facts = await presetFacts(preset, providers, needsTls ? 'https://localhost:9000' : 'http://localhost:9000');
  return chosen.map(variant => {
    const sdk = variant.kind && snippets[variant.kind];
    const { web, api } = variant.facts;
    const spoken: Variant = {
      ...variant,
      facts: {
        ...variant.facts,
        ...facts,
        ...(api && { api: { ...api, url: `${facts.issuer}/api/tasks` } }),
        ...(web && sdk !== undefined && callback !== undefined && { web: returningTo(web, callback) }),
      },
    };
    if (sdk === undefined) return spoken;
    const { leadIn: _, ...rest } = spoken;
    // the command that calls an API stays
    return { ...rest, sdk, application: [sdk, ...variant.application.slice(1)] };
  });
}

async function presetFacts(preset: PresetChoice, providers: readonly Provider[], address: string) {
  const { issuerAt, dialect, paths } = await loadPreset(preset, providers);
  const issuer = issuerAt(address);
  const iss = dialect.identifier(issuer);
  const at = {
    token: issuer + paths.token,
    jwks: issuer + paths.jwks,
    authorize: issuer + paths.authorize,
    discovery: address + discoveryPath(issuer, iss),
  };
  const provider = { ...preset, address, accessTokenType: dialect.accessTokenType };
  return { issuer, iss, at, behind: at, provider } satisfies Partial<SnippetFacts>;
}

/** Auth.js has the name of the provider in the path. */
function returningTo(client: SnippetClient, callback: string): SnippetClient {
  return { ...client, redirectUri: new URL(callback, client.redirectUri).href };
}
