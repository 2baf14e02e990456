// Parts of a configuration that few have. Their readers are loaded only if there is one, to keep the start fast.
import { resolve } from 'node:path';
import { isRecord } from '../../base/text/record.ts';
import type { Extension } from '../extension.ts';
import type { AddedDocuments, WrittenDocuments } from './added-documents.ts';
import type { Config } from './config.ts';
import { type Document, type Located, placed } from './documents.ts';
import type { IssuerDocuments, IssuerSources } from './issuers.ts';
import { type ConfigProblem, show, toProblem } from './problem.ts';
import { isShipped, type RegistrationEntries } from './registration.ts';
import { readSetting, type SettingSources } from './setting-values.ts';
import type { SettingValues } from './settings.ts';
import type { EntriesInUse } from './without-effect.ts';

/** The documents with those that extensions add. */
export async function addedTo(written: WrittenDocuments, extensions: readonly Extension[]): Promise<AddedDocuments> {
  const { documents, again } = written;
  let all: AddedDocuments = { documents, again, imported: [], problems: [], notes: [] };
  for (const extension of extensions) {
    const added = await extension.documents?.({ ...written, documents: all.documents, again: all.again });
    if (added === undefined) continue;
    all = {
      ...added,
      imported: [...all.imported, ...added.imported],
      problems: [...all.problems, ...added.problems],
      notes: [...all.notes, ...added.notes],
    };
  }
  return all;
}

/** The problems of clients, users and the other entries. A test checks those that come with Grantbox, not each start. */
export async function checkEntries(
  entries: RegistrationEntries,
  sources: SettingSources,
  values: SettingValues,
): Promise<readonly ConfigProblem[]> {
  const { offeredScopes: _, ...located } = entries;
  const all: readonly Located[] = Object.values(located).flat();
  const isBuiltIn = all.every(entry => isShipped(entry) && entry.replaced === undefined);
  if (isBuiltIn && values.autoLogin === undefined) return [];
  const { checkRegistration } = await import('./client/check-registration.ts');
  return checkRegistration(entries, sources, values);
}

/** A document with the files of its logos read. */
export async function withLogos(
  document: Document | undefined,
): Promise<{ readonly document: Document | undefined; readonly problems: readonly ConfigProblem[] }> {
  if (document === undefined || !mayHaveLogos(document.content)) return { document, problems: [] };
  const { embedLogos } = await import('./embed-logos.ts');
  return embedLogos(document);
}

function mayHaveLogos({ branding, clients, issuers }: Document['content']): boolean {
  if (branding !== undefined || issuers !== undefined) return true;
  return Array.isArray(clients) && clients.some(client => isRecord(client) && client.branding !== undefined);
}

/** The further issuers. */
export async function issuersIn(documents: readonly Document[], sources: IssuerSources): Promise<IssuerDocuments> {
  if (documents.every(({ content }) => content.issuers === undefined)) return { issuers: [], problems: [] };
  const { readIssuers } = await import('./issuers.ts');
  const { value: issuer } = readSetting('issuer', sources);
  const first = issuer === undefined ? '' : new URL(issuer).pathname.replace(/\/$/, '');
  return readIssuers(documents, first, sources);
}

/** The user's own entries without effect, for people; absent if every entry comes with Grantbox. */
export function withoutEffectIn(
  parts: EntriesInUse,
  file: Document | undefined,
): (() => Promise<readonly string[]>) | undefined {
  if ([...parts.entries.clients, ...parts.entries.users].every(isShipped)) return undefined;
  return async () => {
    const { entriesWithoutEffect } = await import('./without-effect.ts');
    const found = entriesWithoutEffect(parts);
    return found.map(({ source, words }) => `${placed({ source, expected: '' }, file).source}: ${words}`);
  };
}

/** The keys of the file that a setting names. */
export async function readKeys(
  sources: SettingSources,
  { keysFile, signingAlg }: SettingValues,
  cwd = '',
): Promise<{ keys: Config['keys']; problems: readonly ConfigProblem[] }> {
  if (keysFile === undefined) return { keys: [], problems: [] };
  const { source = '', folder = cwd } = readSetting('keysFile', sources);
  const { readKeysFile } = await import('./keys-file.ts');
  const { keys, findings } = readKeysFile(resolve(folder, keysFile), signingAlg);
  const problems = findings.map(finding =>
    finding.path.length === 0
      ? { source, value: show(keysFile), expected: finding.expected }
      : toProblem(keysFile, finding),
  );
  return { keys, problems };
}
