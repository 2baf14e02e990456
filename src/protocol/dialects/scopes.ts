import type { AuthorizationServer } from '../authorization-server.ts';
import { formatScope, parseScope } from '../scope.ts';
import type { ScopeForm } from './dialect-data.ts';

/** The scopes of a request in our names, separated by spaces; undefined for none. */
export function ourScopes(
  { scopes: known }: Pick<AuthorizationServer, 'scopes'>,
  form: ScopeForm | undefined,
  sent: string | undefined,
): string | undefined {
  if (form === undefined) return sent;
  const { names = {}, separator, adds = [], dropsUnknown, drops = [] } = form;
  const text = separator === undefined ? sent : sent?.replaceAll(separator.trim(), ' ');
  const named = parseScope(text).map(scope => (Object.hasOwn(names, scope) ? (names[scope] ?? scope) : scope));
  const kept = named.filter(scope => !drops.includes(scope) && (!dropsUnknown || known.has(scope)));
  const added = adds.filter(rule => rule.with?.some(scope => kept.includes(scope)) ?? true);
  return formatScope([...new Set([...kept, ...added.map(({ scope }) => scope)])]);
}

/** Our scopes as the provider writes them; undefined for none. */
export function spokenScopes(form: ScopeForm | undefined, scopes: readonly string[]): string | undefined {
  const { names = {}, separator = ' ' } = form ?? {};
  const spoken = new Map(Object.entries(names).map(([theirs, ours]) => [ours, theirs]));
  return scopes.length === 0 ? undefined : scopes.map(scope => spoken.get(scope) ?? scope).join(separator);
}
