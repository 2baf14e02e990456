import type { RequestListener } from 'node:http';
import {
  type AuthorizationServer,
  defaultPaths,
  type EndpointPaths,
  type GrantHandler,
} from '../protocol/authorization-server.ts';
import type { Dialect } from '../protocol/dialect.ts';
import { fillTemplate } from '../protocol/dialects/claim-rules.ts';
import { createDialect } from '../protocol/dialects/create-dialect.ts';
import { asJson, type ErrorForm } from '../server/http/error-replies.ts';
import type { EndpointRoute } from '../server/http/route.ts';
import { discoveryRoutes } from '../server/http/routes.ts';
import type { Unserved } from '../server/http/unknown-path.ts';
import type { PageIds } from '../server/http/views.ts';
import type { Config, IssuerConfig } from './config/config.ts';
import { chosenOf, type PresetChoice } from './config/provider-traits.ts';
import type { AnswerHeaders, Management, Provider, ProviderPreset } from './provider.ts';

/** A preset of one issuer. */
export interface LoadedPreset {
  /** The name of the provider. */
  readonly title: string;
  readonly dialect: Dialect<AuthorizationServer>;
  readonly paths: EndpointPaths;
  readonly grants: readonly GrantHandler[];
  readonly unserved: readonly Unserved[];
  readonly form: ErrorForm | undefined;
  readonly headers: AnswerHeaders | undefined;
  /** The hosts of the provider. */
  readonly hosts: readonly string[];
  readonly pageIds: PageIds | undefined;
  readonly management: Management | undefined;
  /** Beginnings of the paths of the management API. */
  managedPaths(issuer: string): readonly string[];
  /** Leads those paths and the aliases to an issuer, unless one before it has them: issuers share some. */
  takePaths(paths: Map<string, RequestListener>, issuer: IssuerAt): void;
  /** The issuer at an address: the address itself if it ends with the path of the issuer already. */
  issuerAt(address: string): string;
  /** The address of an issuer: the issuer without its own path. */
  addressOf(issuer: string): string;
  /** The usual routes with those of the preset, which take the place of usual ones with their path. */
  withRoutes(usual: readonly EndpointRoute[], base: string): readonly EndpointRoute[];
}

interface IssuerAt {
  readonly server: Pick<AuthorizationServer, 'issuer'>;
  readonly listener: RequestListener;
}

/** The presets of a configuration, by the configuration of their issuer. */
export type LoadedPresets = ReadonlyMap<IssuerConfig, LoadedPreset>;

/** Loads the presets that the issuers of a configuration chose. */
export async function loadPresets(config: Config, providers: readonly Provider[]): Promise<LoadedPresets> {
  const all = [config, ...config.issuers.map(each => each.config)];
  const chosen = all.flatMap(each => (each.preset === undefined ? [] : [[each, each.preset] as const]));
  return new Map(
    await Promise.all(chosen.map(async ([each, choice]) => [each, await loadPreset(choice, providers)] as const)),
  );
}

/** Loads one preset. Only a choice of another list of providers has none of these, and is refused with a TypeError. */
export async function loadPreset(choice: PresetChoice, providers: readonly Provider[]): Promise<LoadedPreset> {
  const { name, options } = choice;
  const preset = await chosenOf(providers, choice)?.load();
  if (preset === undefined) throw new TypeError(`no provider is called ${name}`);
  const own = typeof preset.paths === 'function' ? preset.paths(options) : fillTemplate(preset.paths, { options });
  // a path stays text when its options are filled in
  const paths = { ...defaultPaths, ...(own as Partial<EndpointPaths>) };
  const issuerPath = preset.issuerPath?.(options) ?? '';
  const addressOf = (issuer: string) => issuer.slice(0, issuer.length - issuerPath.length);
  const dialect = createDialect({ name, options, ...preset.dialect(options) }, addressOf);
  const belowAddress = (issuer: string, paths: readonly string[] = []) => {
    const base = new URL(addressOf(issuer)).pathname.replace(/\/$/, '');
    return paths.map(path => base + path);
  };
  const managedPaths = (issuer: string) => belowAddress(issuer, preset.management?.paths(options));
  return {
    title: preset.title,
    dialect,
    paths,
    grants: preset.grants ?? [],
    unserved: preset.unserved ?? [],
    form: preset.unservedForm ?? preset.form?.(asJson),
    headers: preset.headers,
    hosts: preset.hosts ?? [],
    pageIds: preset.pageIds,
    management: preset.management,
    managedPaths,
    takePaths(paths, { server: { issuer }, listener }) {
      const all = [...managedPaths(issuer), ...belowAddress(issuer, preset.aliases?.(options))];
      for (const path of all) if (!paths.has(path)) paths.set(path, listener);
    },
    issuerAt: address => (address.endsWith(issuerPath) ? address : address + issuerPath),
    addressOf,
    withRoutes: (usual, base) =>
      formed(
        replaced([...usual, ...discoveryAt(dialect, base)], preset.routes?.({ base, options, paths }) ?? []),
        preset,
      ),
  };
}

/** Any origin: only the path of an identifier counts. */
const here = 'http://localhost';

/** OIDC Discovery §4 starts at the issuer identifier. One on another host has its documents below the path of the issuer. */
function discoveryAt(dialect: LoadedPreset['dialect'], base: string): readonly EndpointRoute[] {
  const { origin, pathname } = new URL(dialect.identifier(`${here}${base}`));
  const path = (origin === here ? pathname : base + pathname).replace(/\/$/, '');
  return path === base ? [] : discoveryRoutes(path);
}

/** The routes with the form of errors that the preset has. */
function formed(routes: readonly EndpointRoute[], preset: ProviderPreset): readonly EndpointRoute[] {
  return preset.form === undefined
    ? routes
    : routes.map(each => ({ ...each, form: preset.form?.(each.form) ?? each.form }));
}

function replaced(usual: readonly EndpointRoute[], own: readonly EndpointRoute[]): readonly EndpointRoute[] {
  return [...usual.filter(({ path }) => own.every(each => each.path !== path)), ...own];
}
