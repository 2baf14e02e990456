import type { IssuerConfig } from './config.ts';
import type { Document } from './documents.ts';
import { issuerMembers, unknownMembers } from './issuers.ts';
import { ConfigError, type ConfigProblem } from './problem.ts';

/** Members that an issuer created at run time may set: all except those that name files of this machine. */
export const derivedMembers: readonly string[] = issuerMembers.filter(name => name !== 'keysFile');

/**
 * Makes the configuration of an issuer created at run time: `content`, and the first issuer's values for all other
 * members. Problems call the content `name`.
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
