import type { AuthorizationServer, EndpointPaths, GrantHandler } from '../protocol/authorization-server.ts';
import type { DialectData } from '../protocol/dialects/dialect-data.ts';
import type { ErrorForm } from '../server/http/error-replies.ts';
import type { Handler } from '../server/http/request-context.ts';
import type { EndpointRoute } from '../server/http/route.ts';
import type { Unserved } from '../server/http/unknown-path.ts';
import type { PageIds } from '../server/http/views.ts';
import type { ProviderTraits } from './config/provider-traits.ts';
import type { ManagedIssuer } from './managed-issuer.ts';

/**
 * A provider to imitate: a folder of `providers/`, and a line of `providers/all.ts`. The core knows none by its name. The facts are
 * there from the start on; all else is loaded when an issuer chooses the provider.
 */
export interface Provider extends ProviderTraits {
  readonly sdks?: ProviderSdks;
  load(): Promise<ProviderPreset>;
}

/** The snippets of the SDKs of a provider, by the kind of app. */
export interface ProviderSdks {
  readonly browser?: string;
  readonly server?: string;
  readonly api?: string;
  readonly service?: string;
  /** The last segment of the path to which the SDK for servers returns. */
  readonly callback?: string;
  /** An SDK speaks HTTPS only. */
  readonly needsTls?: true;
}

/** What a provider changes: data over the one protocol core. */
export interface ProviderPreset {
  /** The name of the provider for people, such as `Keycloak`. */
  readonly title: string;
  /** The path of the issuer below the address of the sandbox, without a slash at the end; absent: the address itself. */
  issuerPath?(options: PresetOptions): string;
  /** Other paths below the address of the sandbox at which `routes` answers, too. */
  aliases?(options: PresetOptions): readonly string[];
  dialect(options: PresetOptions): PresetDialect;
  /** Paths below the issuer, as templates of `options` or made from them; the others are the usual ones. */
  readonly paths: Partial<EndpointPaths> | ((options: PresetOptions) => Partial<EndpointPaths>);
  /** Grants that only this provider has, or has in place of a usual one. */
  readonly grants?: readonly GrantHandler[];
  /** Endpoints that only this provider has, or has in place of a usual one. `base` is the path of the issuer. */
  routes?(place: PresetPlace): readonly EndpointRoute[];
  /**
   * The hosts of the provider, which SDKs with fixed hosts ask. They are accepted, and are in a certificate that the sandbox
   * makes itself, only while the preset is on.
   */
  readonly hosts?: readonly string[];
  /** The form of the errors of `unserved`; absent: as `form` makes it. */
  readonly unservedForm?: ErrorForm;
  /** Ids on the pages that tests of apps select. */
  readonly pageIds?: PageIds;
  /** The API by which programs change users and clients; absent: there is none. */
  readonly management?: Management;
  /** Makes the headers that each answer of an issuer has. */
  readonly headers?: AnswerHeaders;
  /** The form of errors in place of a usual one. */
  form?(usual: ErrorForm): ErrorForm;
  /** Paths of this provider that the sandbox does not offer, each with the nearest one that it does. */
  readonly unserved?: readonly Unserved[];
}

/** A dialect without what the configuration chose. */
export type PresetDialect = Omit<DialectData, 'name' | 'options'>;

/** `clock` has Unix seconds, and `limit` is `RATE_LIMIT`. The result is called once per request. */
export type AnswerHeaders = (
  clock: () => number,
  limit: number,
) => (requestId: string) => Readonly<Record<string, string>>;

/** The management API of a provider, such as Keycloak's admin REST API. */
export interface Management {
  /** The beginnings of its paths, below the address of the sandbox: that of one issuer is first, then those that issuers share. */
  paths(options: PresetOptions): readonly string[];
  /** A request header that only its calls have. They come to the address of the sandbox itself. */
  readonly header?: string;
  /** Loads it, with the first call. */
  load(): Promise<(issuer: ManagedIssuer) => Handler>;
}

export type PresetOptions = Readonly<Record<string, string>>;

/** The issuer that a preset was chosen for. */
export interface PresetPlace {
  /** The path of the issuer. */
  readonly base: string;
  readonly options: PresetOptions;
  readonly paths: AuthorizationServer['paths'];
}
