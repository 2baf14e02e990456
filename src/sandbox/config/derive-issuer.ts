import type { IssuerConfig } from './config.ts';
import type { Document } from './documents.ts';
import { issuerMembers, unknownOfIssuer } from './issuers.ts';
import { ConfigError, type ConfigProblem } from './problem.ts';
import type { SettingSources } from './setting-values.ts';
import type { Setting } from './settings.ts';

/**
 * Makes the configuration of an issuer created at run time: `content`, and the first issuer's values for all other
 * members. Problems call the content `name`.
 * @throws ConfigError listing every problem
 */
export async function deriveIssuer(
  name: string,
  content: Readonly<Record<string, unknown>>,
  table: readonly Setting[],
  read: (document: Document) => Promise<{ readonly problems: readonly ConfigProblem[]; build(): IssuerConfig }>,
): Promise<IssuerConfig> {
  const document = { name, content, isOverride: true } as const;
  const { problems, build } = await read(document);
  // all members except those that name files of this machine
  const members = issuerMembers(table).filter(each => each !== 'keysFile');
  const all = [...unknownOfIssuer(document, members), ...problems];
  if (all.length > 0) throw new ConfigError(all);
  return build();
}

/** The sources for an issuer that is alone: only settings of the whole sandbox are taken from what the user set. */
export function aloneIn({
  overrides,
  flags = {},
  env = {},
  file,
  table,
  cwd,
  providers,
}: SettingSources): (own: Document) => SettingSources {
  const whole = table.filter(({ isWhole }) => isWhole === true);
  const names = new Set(whole.map(({ name }) => name));
  const sources = {
    table,
    cwd,
    providers,
    flags: picked(flags, new Set(whole.map(({ flag }) => flag))),
    env: picked(env, new Set(whole.map(each => each.env))),
    file: file && { ...file, content: picked(file.content, names) },
  };
  const given = picked(overrides?.content ?? {}, names);
  return own => ({ ...sources, overrides: { ...own, content: { ...given, ...own.content } } });
}

function picked<V>(values: Readonly<Record<string, V>>, names: ReadonlySet<string | undefined>): Record<string, V> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name)));
}
