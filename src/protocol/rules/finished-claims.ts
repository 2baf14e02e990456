import { defined } from '../../base/defined.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import type { WrittenClaims, WrittenFor } from '../dialect.ts';
import type { RuledKind } from '../token-rule.ts';
import { claimsByRule } from './claims-by-rule.ts';

type Members = Readonly<Record<string, unknown>>;

/** Claims with those of a preset and of rules. */
export interface FinishedClaims<Own extends Members> {
  /** In our own form, which this server reads. */
  readonly own: Own;
  /** In the form of the preset, which clients read. */
  readonly written: Own;
  /** For the log: the claims that the preset set, and those that rules set. */
  readonly origins: { readonly written?: WrittenClaims; readonly ruled?: Readonly<Record<string, string>> };
}

/**
 * Finishes the claims of a token or an answer: first the form of the preset, and then the rules, which see the claims of
 * the preset. All that issues, mints or previews claims uses this function.
 */
export async function finishedClaims<Own extends Members>(
  kind: RuledKind,
  about: WrittenFor<AuthorizationServer>,
  usual: Own,
): Promise<FinishedClaims<Own>> {
  const { dialect, tokenRules } = about.server;
  const spoken = dialect?.write(kind, about, usual) ?? usual;
  const written = dialect?.written(usual, spoken);
  if (tokenRules === undefined) return { own: usual, written: spoken, origins: defined({ written }) };
  const { claims, by } = await claimsByRule(tokenRules, kind, about, spoken);
  const ruled = Object.keys(by).length === 0 ? undefined : by;
  return { own: { ...usual, ...claims }, written: { ...spoken, ...claims }, origins: defined({ written, ruled }) };
}
