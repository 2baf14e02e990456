import type { IssuerConfig } from '../config/config.ts';
import type { EffectiveSetting } from '../config/effective-settings.ts';

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

/** Lists that another configuration may bring. */
const lists = [
  ...(['clients', 'users', 'scopes', 'collections', 'authorizationDetailsTypes', 'trustedIssuers'] as const),
  ...(['acrValues', 'apiAudience'] as const),
] as const;

/** Values that it may bring. */
const values = [
  ...(['watch', 'requireSignedRequests', 'dpopNonce', 'registrationToken', 'clientDefaults', 'scopeClaim'] as const),
  ...(['codeLifetime', 'idTokenLifetime', 'refreshTokenLifetime', 'sessionLifetime', 'pushedRequestLifetime'] as const),
  ...(['deviceCodeLifetime', 'pollInterval', 'autoLogin', 'autoLoginPrompt', 'apiClockSkew', 'apiTokenCheck'] as const),
] as const;

/**
 * The configuration of an issuer that runs. Whoever has it, or one of its lists, sees what the file says now: they are the same
 * objects for as long as the issuer lives, and `bring` alone changes what is in them.
 */
export function createRunningConfig(config: IssuerConfig): IssuerConfig {
  const running: Mutable<IssuerConfig> = { ...config };
  for (const name of lists) own(running, name);
  return running;
}

/** Everything that can become other while the issuer runs is as in `next` from now on. */
export function bring(running: IssuerConfig, next: IssuerConfig, settings: readonly EffectiveSetting[]): void {
  for (const name of lists) {
    const list = running[name] as unknown[]; // its own copy, made above
    list.splice(0, list.length, ...next[name]);
  }
  for (const name of values) assign(running, name, next[name]);
  assign(running, 'settings', async () => settings);
}

/** A list that nobody else puts anything into. */
function own<Name extends (typeof lists)[number]>(running: Mutable<IssuerConfig>, name: Name): void {
  running[name] = [...running[name]] as unknown as IssuerConfig[Name];
}

function assign<Name extends keyof IssuerConfig>(
  running: Mutable<IssuerConfig>,
  name: Name,
  value: IssuerConfig[Name] | undefined,
): void {
  if (value === undefined) delete running[name];
  else running[name] = value as IssuerConfig[Name];
}
