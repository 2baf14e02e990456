import type { Feature } from '../../protocol/feature.ts';
import { autoLoginFindings, loginNamesOf } from './client/auto-login.ts';
import { checkClient } from './client/client-rules.ts';
import type { Finding } from './problem.ts';
import { mutualTlsFindings } from './tls.ts';
import { unmetDemandsOf } from './unmet-demands.ts';

/** The configuration around an entry that its checks depend on. */
export interface Surroundings {
  readonly features: ReadonlySet<Feature>;
  /** Users as entries: `auto_login` names one of them. */
  readonly users: readonly unknown[];
}

/** All problems of an entry of `clients`: in the entry itself, and together with the rest of the configuration. */
export function checkClientAmong(raw: unknown, { features, users }: Surroundings): Finding[] {
  return [
    ...checkClient(raw),
    ...unmetDemandsOf(raw, feature => !features.has(feature)),
    ...(features.has('mtls') ? [] : mutualTlsFindings(raw)), // without HTTPS it is off
    ...autoLoginFindings(raw, users.flatMap(loginNamesOf)),
  ];
}
