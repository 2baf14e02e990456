import type { AuthorizationServer } from '../authorization-server.ts';
import { configuredResources } from '../configured-resources.ts';
import { fillTemplate } from './claim-rules.ts';
import type { DialectData } from './dialect-data.ts';

const added = new WeakMap<AuthorizationServer, Set<string>>();

/** Identifiers of APIs that programs have added. The set can be changed. */
export function addedResources(server: AuthorizationServer): Set<string> {
  const found = added.get(server) ?? new Set();
  added.set(server, found);
  return found;
}

/** Identifiers of all APIs: those of the provider, of the sandbox and of the clients, and those that programs have added. */
export function knownResources(
  server: AuthorizationServer,
  { resources = [], options }: Pick<DialectData, 'resources' | 'options'>,
): readonly string[] {
  const { issuer } = server;
  return [
    ...resources.map(template => String(fillTemplate(template, { issuer, options }))),
    ...configuredResources(server),
    ...addedResources(server),
  ];
}
