import { editDistance } from '../base/text/nearest.ts';
import type { AuthorizationServer } from './authorization-server.ts';

/** Clients that told themselves what they are. */
const strangers: readonly string[] = ['registration', 'metadata_document'];

/** Identifiers of the APIs that the configuration names: those of the sandbox, and the audiences of clients, rules and keys. */
export function configuredResources(server: AuthorizationServer): readonly string[] {
  const { clients, protectedResources, tokenRules, dropIns } = server;
  return [
    ...protectedResources.map(({ resource }) => resource),
    ...[...clients.values()].flatMap(client => (strangers.includes(client.origin) ? [] : client.audience)),
    ...(tokenRules?.templates ?? []).flatMap(({ audience = [] }) => audience),
    ...Object.keys(dropIns?.accessTokenKeys ?? {}),
  ];
}

/** The configured identifier that was probably meant: one that is spelt differently, or with a letter too many, too few or swapped. */
export function meantResource(sent: string, configured: readonly string[]): string | undefined {
  return (
    configured.find(each => spelling(each) === spelling(sent)) ?? configured.find(each => isOneLetterOff(each, sent))
  );
}

/** Without what people get wrong: scheme, case, usual port, slash at the end. */
function spelling(uri: string): string {
  return uri
    .toLowerCase()
    .replace(/^https?:/, '')
    .replace(/^(\/\/[^/]+):(80|443)(?=\/|$)/, '$1')
    .replace(/\/+$/, '');
}

const longest = 200;

/** A replaced letter and a digit are no typing error: `api-a` and `api-b`, and `v1` and `v11`, may both exist. */
function isOneLetterOff(one: string, other: string): boolean {
  if (one.length > longest || Math.abs(one.length - other.length) > 1 || editDistance(one, other) !== 1) return false;
  if (one.length === other.length) return [...one].sort().join('') === [...other].sort().join('');
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  const place = [...long].findIndex((letter, index) => letter !== short[index]);
  return /[a-z]/i.test(long[place] ?? '');
}
