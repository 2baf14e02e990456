import { defined } from '../../base/defined.ts';
import type { ChangedBy } from '../../base/events/change.ts';
import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import type { RegisteredClient } from '../../protocol/clients/client.ts';
import { isSameJson } from '../../protocol/json-parameter.ts';
import type { TokenRule, TokenRules } from '../../protocol/token-rule.ts';
import type { Path } from '../config/problem.ts';
import { checkTokenRule } from '../config/token-rule-entry.ts';
import { type ControlParts, tell } from './control-parts.ts';
import { problemsOf } from './outcome.ts';
import { refusedInput } from './refusal.ts';

/** The rules for claims that are in effect. */
export function currentRules({ tokenRules }: AuthorizationServer): readonly TokenRule[] {
  return tokenRules?.templates ?? [];
}

/**
 * Replaces the rules for claims, checked like those of a configuration file. They count from the next token on.
 * @throws invalid_request with every problem
 */
export function replaceRules(
  parts: Pick<ControlParts, 'server' | 'events'>,
  sent: unknown,
  by: ChangedBy,
): readonly TokenRule[] {
  const { server } = parts;
  const before = currentRules(server);
  const next = checkedRules(server, sent);
  putRules(server, next);
  const members = Array.from({ length: Math.max(before.length, next.length) }, (_, index) => index)
    .filter(index => !isSameJson(before[index], next[index]))
    .map(index => `tokenClaims[${index}]`);
  if (members.length === 0) return next;
  const told = { what: 'rules', subject: 'tokenClaims', change: 'changed', members, by } as const;
  tell(parts, { type: 'configuration.changed', ...told });
  return next;
}

/** Puts rules into effect, beside `onToken` of the configuration. */
export function putRules(server: AuthorizationServer, templates: readonly TokenRule[]): void {
  // `server` is shared by reference; mutate it in place so that every holder sees the new rules
  Object.assign(server, { tokenRules: rulesBeside(server, templates) });
}

/** A server with other rules, for a preview; the same one without `templates`. */
export function withRules(server: AuthorizationServer, templates?: readonly TokenRule[]): AuthorizationServer {
  if (templates === undefined) return server;
  const { tokenRules: _, ...others } = server;
  return { ...others, ...defined({ tokenRules: rulesBeside(server, templates) }) };
}

function rulesBeside({ tokenRules }: AuthorizationServer, templates: readonly TokenRule[]): TokenRules | undefined {
  const { onToken, timeout = 0 } = tokenRules ?? {}; // the time is only for onToken
  return templates.length === 0 && onToken === undefined ? undefined : { templates, timeout, ...defined({ onToken }) };
}

/** @throws invalid_request with every problem */
export function checkedRules(
  {
    clients,
    scopes,
  }: { readonly clients: ReadonlyMap<string, RegisteredClient>; readonly scopes: ReadonlyMap<string, unknown> },
  sent: unknown,
): readonly TokenRule[] {
  const path: Path = ['tokenClaims'];
  if (!Array.isArray(sent)) throw refusedInput(problemsOf([{ path, value: sent, expected: 'a list of rules' }]));
  const all = [...clients.values()];
  const ids = all.map(({ client_id }) => client_id);
  const audiences = [...ids, ...all.flatMap(({ audience }) => audience)];
  const known = { clients: ids, scopes: [...scopes.keys()], audiences };
  const findings = sent.flatMap((rule, index) =>
    checkTokenRule(rule, known).map(found => ({ ...found, path: [...path, index, ...found.path] })),
  );
  if (findings.length > 0) throw refusedInput(problemsOf(findings));
  return structuredClone(sent); // the caller may change its list later
}
