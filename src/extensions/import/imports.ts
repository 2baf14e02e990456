import { resolve } from 'node:path';
import { isRecord } from '../../base/text/record.ts';
import type { AddedDocuments, WrittenDocuments } from '../../sandbox/config/added-documents.ts';
import type { Document, Located } from '../../sandbox/config/documents.ts';
import { type ConfigProblem, show } from '../../sandbox/config/problem.ts';
import { readOwn, readSetting, type ValueSources } from '../../sandbox/config/setting-values.ts';
import { arranged } from './arrange.ts';
import { importMark, type NamedExport } from './read-files.ts';
import { type Import, readImports } from './read-imports.ts';
import { importSettings } from './settings.ts';

/** Reads the exports that the setting `import` names, and adds their clients, users and issuers to those of the user. */
export async function importedDocuments({ sources, documents, again, cwd }: WrittenDocuments): Promise<AddedDocuments> {
  const { value: names, source = '', folder = cwd } = readOwn(importSettings, 'import', sources);
  const named = names.map(name => ({ name, path: resolve(folder, name), env: sources.env ?? {} }));
  const watched = watching(named, again);
  const read = await Promise.all(named.map(readImports));
  const imports = read.flatMap(each => each.imports);
  const { own, beside } = arranged(imports, placeIn(sources));
  const imported = own.map(({ name, config }) => ({ name, content: { ...config } }));
  const lists = (['clients', 'users'] as const).map(member => joinedList(member, sources, documents, imported));
  const weak = imported.map(({ name, content: { scopes } }) => ({ name, content: { scopes } }));
  return {
    documents: [strong(lists, withIssuers(documents, imported, beside)), ...documents, ...weak],
    imported,
    problems: [
      ...read.flatMap(({ problems }, index) =>
        problems.map(problem => ({ source, value: show(names[index]), expected: `an export: ${problem}` })),
      ),
      ...repeated(documents, imported, beside),
    ],
    notes: [
      ...[...own, ...beside.map(({ each }) => each)].map(({ name, notes }) => notesOf(name, notes)),
      ...read.map(({ skipped }, index) => notesOf(names[index] ?? '', skipped)),
    ].filter(({ notes }) => notes.length > 0),
    again: watched,
  };
}

/** The parts of an imported file that the configuration does not have, one line each. */
function notesOf(file: string, notes: readonly string[]): AddedDocuments['notes'][number] {
  return { file, told: `${file} was imported without these parts`, notes, command: `grantbox import ${file}` };
}

/** A change of an imported file reads the configuration again, too. */
function watching(
  named: readonly NamedExport[],
  again: WrittenDocuments['again'],
): NonNullable<WrittenDocuments['again']> {
  const marks = () => named.map(each => importMark(each.path));
  const path = again?.path ?? named[0]?.path ?? '';
  const mark = [again?.mark, ...marks()].join('\n');
  const look = () => [again?.look(), ...marks()].join('\n');
  return { path, mark, look, read: again?.read ?? (async () => ({ problems: [] })) };
}

function placeIn(sources: ValueSources) {
  const { value: issuer } = readSetting('issuer', sources);
  const base = issuer === undefined ? '' : new URL(issuer).pathname.replace(/\/$/, '');
  return { hasPreset: readSetting('preset', sources).source !== undefined, base };
}

interface JoinedList {
  readonly member: 'clients' | 'users';
  /** Absent where nothing was imported, or where the user's value is not a list, which is told elsewhere. */
  readonly list?: readonly Located[];
}

/** The list of the user, or none in place of the built-in one, and the imported ones. */
function joinedList(
  member: JoinedList['member'],
  sources: ValueSources,
  documents: readonly Document[],
  imported: readonly Document[],
): JoinedList {
  const added = imported.filter(({ content }) => content[member] !== undefined);
  const [own] = documents.filter(({ content }) => content[member] !== undefined);
  const { value: variable } = readSetting(member, sources);
  const isOfVariable = variable !== undefined && own?.isOverride !== true;
  const first = isOfVariable ? { name: `environment ${member.toUpperCase()}`, content: { [member]: variable } } : own;
  const all = [...(first === undefined ? [] : [first]), ...added];
  if (added.length === 0 || all.some(({ content }) => !Array.isArray(content[member]))) return { member };
  const list = all.flatMap(({ name, content }) =>
    (content[member] as readonly unknown[]).map((raw, index) => {
      const path = isOfVariable && name === first?.name ? [index] : [member, index];
      return { document: name, path, raw };
    }),
  );
  return { member, list };
}

/** The document that holds all lists. It ranks above the variables, whose lists it has. */
function strong(lists: readonly JoinedList[], issuers: Pick<Document, 'name' | 'content'>): Document {
  const joined = lists.flatMap(({ member, list }) => (list === undefined ? [] : [[member, list] as const]));
  const places = new Map<string, readonly Located[]>(joined);
  return {
    name: issuers.name,
    content: {
      ...issuers.content,
      ...Object.fromEntries(joined.map(([name, list]) => [name, list.map(each => each.raw)])),
    },
    isOverride: true,
    entryAt: (member, index) => places.get(member)?.[index] ?? { document: issuers.name, path: [member, index] },
  };
}

/** The issuers of the user and the imported ones, under the name of the user's document. */
function withIssuers(
  documents: readonly Document[],
  imported: readonly Document[],
  beside: readonly { readonly path: string; readonly each: Import }[],
): Pick<Document, 'name' | 'content'> {
  const own = documents.find(({ content }) => content.issuers !== undefined);
  const paths = beside.map(({ path, each }) => [path, each.config] as const);
  const added = [...imported.flatMap(({ content }) => entriesIn(content.issuers)), ...paths];
  const name = own?.name ?? 'import';
  if (added.length === 0 || (own !== undefined && !isRecord(own.content.issuers))) return { name, content: {} };
  return { name, content: { issuers: Object.fromEntries([...entriesIn(own?.content.issuers), ...added]) } };
}

/** An issuer that two documents have. The second would replace the first. */
function repeated(
  documents: readonly Document[],
  imported: readonly Document[],
  beside: readonly { readonly path: string; readonly each: Import }[],
): readonly ConfigProblem[] {
  const own = documents.find(({ content }) => content.issuers !== undefined);
  const written = [...(own === undefined ? [] : [own]), ...imported].flatMap(({ name, content }) =>
    entriesIn(content.issuers).map(([path]) => ({ name, path: path.replace(/^\//, '') })),
  );
  const seen = new Map<string, string>();
  return [...written, ...beside.map(({ path, each: { name } }) => ({ name, path }))].flatMap(({ name, path }) => {
    const other = seen.get(path);
    seen.set(path, name);
    return other === undefined ? [] : [{ source: name, expected: `an issuer that ${other} does not have: /${path}` }];
  });
}

function entriesIn(value: unknown): readonly (readonly [string, unknown])[] {
  return isRecord(value) ? Object.entries(value) : [];
}
