import * as v from 'valibot';
import { scopeToken } from '../../protocol/scope.ts';
import { accessTokenClaimsRule } from './claims.ts';
import type { Finding } from './problem.ts';
import { applyRules, entry, jsonObject, list, readDraft, text } from './schema.ts';

export const scopeMembers = {
  description: v.exactOptional(text),
  claims: v.exactOptional(list(text, 'claim names')),
  access_token_claims: v.exactOptional(jsonObject),
};
export const scopeSchema = entry(scopeMembers);

/** All problems of an entry of `scopes`. */
export function checkScope(name: string, raw: unknown): Finding[] {
  const draft = readDraft(scopeSchema, typeof raw === 'string' ? { description: raw } : raw);
  const expected = 'a scope of visible ASCII characters without " and \\ (RFC 6749 §3.3)';
  const syntax = scopeToken.test(name) ? [] : [{ path: [], expected }];
  // In the short form the description is the scope itself.
  const findings = typeof raw === 'string' ? draft.findings.map(found => ({ ...found, path: [] })) : draft.findings;
  return [...syntax, ...findings, ...applyRules(draft, [accessTokenClaimsRule])];
}
