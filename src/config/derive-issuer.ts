import type { IssuerConfig } from './config.ts';
import type { Document } from './documents.ts';
import { issuerMembers, unknownMembers } from './issuers.ts';
import { ConfigError, type ConfigProblem } from './problem.ts';

/** Members an issuer created at run time may set: all but those that name files of this machine. */
export const derivedMembers: readonly string[] = issuerMembers.filter(name => name !== 'keysFile');

/**
 * The configuration of an issuer that is made at run time: what `content` says, and the first issuer's for the rest. `name` is
 * what problems call it.
 * @throws ConfigError listing every problem
 */
export async function deriveIssuer(
  name: string,
  content: Readonly<Record<string, unknown>>,
  read: (document: Document) => Promise<{ readonly problems: readonly ConfigProblem[]; build(): IssuerConfig }>,
): Promise<IssuerConfig> {
  const document = { name, content, isOverride: true } as const;
  const { problems, build } = await read(document);
  const all = [...unknownMembers(document, derivedMembers), ...problems];
  if (all.length > 0) throw new ConfigError(all);
  return build();
}
