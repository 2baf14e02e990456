import type { AnyMembers } from '../../base/text/record.ts';
import type { RegisteredClient } from '../../protocol/clients/client.ts';
import type { Feature } from '../../protocol/feature.ts';
import type { OnTokenEvent } from '../../protocol/token-rule.ts';

/** The names of providers. Each adds its own, so that the type of a configuration file has them. */
// biome-ignore lint/suspicious/noEmptyInterface: providers add members
export interface ProviderNames {}

export type PresetName = keyof ProviderNames;

/** Functions that `onToken` may have in the form of a provider, by member. Providers add theirs. */
// biome-ignore lint/suspicious/noEmptyInterface: providers add members
export interface TokenActions {}

/** The form of a preset in a file: a name, or a name with options. */
export type PresetEntry = PresetName | ({ readonly name: PresetName } & Readonly<Record<string, string>>);

/** The provider whose wire an issuer speaks. */
export interface PresetChoice {
  readonly name: PresetName;
  /** All options of the provider. */
  readonly options: Readonly<Record<string, string>>;
}

/** What a configuration must know of a provider before it is loaded. */
export interface ProviderTraits {
  readonly name: PresetName;
  /** The options, with their defaults. */
  readonly options: Readonly<Record<string, string>>;
  /** The forms of options that are not simple names: what they match, and words for it. */
  readonly forms?: Readonly<Record<string, readonly [form: RegExp, expected: string]>>;
  /** An option with a value, which the help shows. */
  readonly example?: string;
  /** Only tokens are imitated, and no API of the provider. */
  readonly isShape?: true;
  /** Members of each client of the issuer, unless its entry has them. */
  readonly clientDefaults?: Partial<RegisteredClient>;
  /** Precedes the `sub` of each user in the configuration, unless it has a `|`. */
  readonly subjectPrefix?: string;
  /** Access tokens are signed by a key of their own. */
  readonly accessKey?: true;
  /** Scopes that are offered even if no client names them. */
  readonly scopes?: readonly string[];
  /** Features that are on without a client of the configuration that needs them, because clients come at run time. */
  readonly features?: readonly Feature[];
  /** Features that the provider does not have. They are off unless the setting `features` has them. */
  readonly without?: readonly Feature[];
  /** Every access token has the same `aud`, whatever a client and a request say. */
  readonly hasFixedAudience?: true;
  /** Lifetimes in seconds, unless the setting itself says otherwise. */
  readonly settings?: { readonly accessTokenLifetime?: number; readonly idTokenLifetime?: number };
  /** The form that `onToken` may have besides a function of ours. It needs no preset. */
  readonly action?: ActionTrait;
  /** Paths that only this provider has, so that a request to one tells which preset was meant. */
  readonly paths: readonly string[];
}

/** A function of `onToken` that a provider runs. */
export interface ActionTrait {
  /** The member that has it. */
  readonly member: keyof TokenActions;
  /** What the provider calls it. */
  readonly title: string;
  /** Loads what runs it for one token and returns its claims. */
  load(): Promise<(action: TokenActions[keyof TokenActions], token: OnTokenEvent) => Promise<AnyMembers>>;
}

/** The provider of a choice; undefined without a choice. */
export function chosenOf<Known extends ProviderTraits>(
  providers: readonly Known[],
  choice: Pick<PresetChoice, 'name'> | undefined,
): Known | undefined {
  return choice && providers.find(({ name }) => name === choice.name);
}
