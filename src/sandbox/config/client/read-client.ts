import type { RegisteredClient } from '../../../protocol/clients/client.ts';
import type { ClientDefaults } from '../config.ts';
import { registeredClient } from '../entry-defaults.ts';
import { formatPath, show } from '../problem.ts';
import type { ClientEntry } from './client-config.ts';
import { checkClient } from './client-rules.ts';

interface Problem {
  readonly member: string;
  readonly sent?: string;
  readonly expected: string;
}

/** Reads a client from metadata received at run time, by the rules and defaults of an entry of `clients`. */
export function readRegisteredClient(
  metadata: Readonly<Record<string, unknown>>,
  origin: RegisteredClient['origin'],
  defaults: ClientDefaults,
): { readonly client: RegisteredClient } | { readonly problems: readonly Problem[] } {
  const findings = checkClient(metadata);
  if (findings.length === 0) {
    // checked right above
    return { client: { ...registeredClient(metadata as unknown as ClientEntry, defaults), origin } };
  }
  const problems = findings.map(({ path, value, expected }) => ({
    member: formatPath(path).replace(/^\./, ''),
    ...(value === undefined ? {} : { sent: show(value) }),
    expected,
  }));
  return { problems };
}
