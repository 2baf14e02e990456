import * as v from 'valibot';
import { defined } from '../../../defined.ts';
import { type Answer, jsonAnswer } from '../../../http/answer.ts';
import { createEntries, type Entries, type EntryChanged } from '../../entries.ts';
import { type EntryKind, entryKinds } from '../../entry.ts';
import type { Controlled } from '../controlled.ts';
import { type Operation, operation } from '../operation.ts';
import { refusedInput, takenEntry, unknownEntry } from '../refusal.ts';

/** How entries of a kind are called in the API. */
export interface EntryNames {
  readonly kind: EntryKind;
  /** `Client`, for the names of operations. */
  readonly name: string;
  /** `/clients` */
  readonly path: string;
  /** Of an entry, as `clients.config.ts` has it. */
  readonly schema: v.GenericSchema;
}

/** List, read, create, replace, patch, delete and revert: the same for whatever has entries. */
export function entryOperations(names: EntryNames): readonly Operation[] {
  return [...readingOperations(names), ...changingOperations(names), ...endingOperations(names)];
}

const line = v.object({
  where: v.pipe(v.string(), v.description('`clients.config.ts`, or `JSON`')),
  code: v.pipe(v.string(), v.description('What one writes there to keep it')),
});
const changed = v.pipe(v.boolean(), v.description('Whether it differs from the configuration of the start'));

/** What every change answers. */
function outcomeSchema({ kind }: EntryNames) {
  return v.object({
    [entryKinds[kind].id]: v.string(),
    entry: v.optional(
      v.pipe(v.record(v.string(), v.unknown()), v.description('Without defaults; absent once deleted')),
    ),
    changed,
    lines: v.array(line),
    notes: v.pipe(v.array(v.string()), v.description('What came with it, in sentences')),
  });
}

function entriesOf({ kind }: EntryNames, { control }: Controlled): Entries {
  return createEntries(control, kind, 'api');
}

function readingOperations(names: EntryNames): Operation[] {
  const { kind, name, path } = names;
  const shown = { [entryKinds[kind].id]: v.string(), changed, entry: v.record(v.string(), v.unknown()) };
  const factsOf = (entries: Entries, id: string) => ({
    [entryKinds[kind].id]: id,
    changed: entries.isChanged(id),
    entry: entries.get(id),
  });
  return [
    operation({
      name: `list${name}s`,
      method: 'GET',
      path,
      summary: `List all ${kind}s, as one would write them into clients.config.ts`,
      answers: {
        200: { description: `All ${kind}s`, schema: v.object({ [path.slice(1)]: v.array(v.object(shown)) }) },
      },
      async run(_input, controlled) {
        const entries = entriesOf(names, controlled);
        return jsonAnswer(200, { [path.slice(1)]: entries.ids().map(id => factsOf(entries, id)) });
      },
    }),
    operation({
      name: `get${name}`,
      method: 'GET',
      path: `${path}/{${entryKinds[kind].id}}`,
      summary: `Read a ${kind}, and the lines that keep it`,
      answers: {
        200: { description: `The ${kind}`, schema: v.object({ ...shown, lines: v.array(line) }) },
        404: { description: `There is no such ${kind}` },
      },
      async run({ path: place }, controlled) {
        const entries = entriesOf(names, controlled);
        const id = idIn(names, place, entries);
        const code = (form?: 'json') => controlled.control.configurationLines(kind, id, form);
        const lines = [
          { where: 'clients.config.ts', code: code() },
          { where: 'JSON', code: code('json') },
        ];
        return jsonAnswer(200, { ...factsOf(entries, id), lines });
      },
    }),
  ];
}

function changingOperations(names: EntryNames): Operation[] {
  const { kind, name, path, schema } = names;
  const one = `${path}/{${entryKinds[kind].id}}`;
  const answered = { description: `The ${kind} as it is now`, schema: outcomeSchema(names) };
  const refused = { description: 'What is wrong with it, member by member; nothing was changed' };
  const taken = {
    description: `Another ${kind} has its ${entryKinds[kind].id}${kind === 'user' ? ' or username' : ''}`,
  };
  return [
    operation({
      ...{ name: `create${name}`, method: 'POST', path, body: schema, checksBody: true },
      summary: `Make a ${kind}, by the rules of clients.config.ts`,
      answers: { 201: answered, 400: refused, 409: taken },
      async run({ body }, controlled) {
        const entries = entriesOf(names, controlled);
        return outcome(names, entries, await entries.create(body), 201);
      },
    }),
    operation({
      ...{ name: `replace${name}`, method: 'PUT', path: one, body: schema, checksBody: true },
      summary: `Replace a ${kind}: what is not said goes back to its default; one that is not there is made`,
      answers: {
        200: answered,
        201: { ...answered, description: `The ${kind}, which is new` },
        400: refused,
        409: taken,
      },
      async run({ body, path: place }, controlled) {
        const entries = entriesOf(names, controlled);
        const id = place[entryKinds[kind].id] ?? '';
        const isNew = entries.get(id) === undefined;
        return outcome(names, entries, await entries.replace(id, body), isNew ? 201 : 200);
      },
    }),
    operation({
      ...{ name: `patch${name}`, method: 'PATCH', path: one, body: schema, checksBody: true },
      summary: `Replace members of a ${kind}; null returns one to its default (RFC 7396)`,
      answers: { 200: answered, 400: refused, 404: { description: `There is no such ${kind}` }, 409: taken },
      async run({ body, path: place }, controlled) {
        const entries = entriesOf(names, controlled);
        return outcome(names, entries, await entries.patch(idIn(names, place, entries), body), 200);
      },
    }),
  ];
}

function endingOperations(names: EntryNames): Operation[] {
  const { kind, name, path } = names;
  const one = `${path}/{${entryKinds[kind].id}}`;
  const answered = { description: `What became of the ${kind}`, schema: outcomeSchema(names) };
  return [
    operation({
      ...{ name: `delete${name}`, method: 'DELETE', path: one },
      summary: `Delete a ${kind}, and end what was given to it`,
      answers: { 200: answered, 404: { description: `There is no such ${kind}` } },
      async run({ path: place }, controlled) {
        const entries = entriesOf(names, controlled);
        return outcome(names, entries, await entries.delete(idIn(names, place, entries)), 200);
      },
    }),
    operation({
      ...{ name: `revert${name}`, method: 'POST', path: `${one}/revert` },
      summary: `Make a ${kind} what it was at the start; one that was deleted comes back`,
      answers: { 200: answered, 400: { description: `The configuration has no such ${kind}` } },
      async run({ path: place }, controlled) {
        const entries = entriesOf(names, controlled);
        return outcome(names, entries, await entries.revert(place[entryKinds[kind].id] ?? ''), 200);
      },
    }),
  ];
}

/** @throws invalid_request with 404 */
function idIn({ kind }: EntryNames, place: Readonly<Record<string, string>>, entries: Entries): string {
  const id = place[entryKinds[kind].id] ?? '';
  if (entries.get(id) === undefined) throw unknownEntry(kind, id, entries.ids());
  return id;
}

function outcome({ kind }: EntryNames, entries: Entries, came: EntryChanged, status: 200 | 201): Answer {
  if (!came.ok) throw came.isTaken === true ? takenEntry(came.faults) : refusedInput(came.faults);
  const { id, lines, notes } = came;
  const entry = entries.get(id);
  const body = { [entryKinds[kind].id]: id, ...defined({ entry }) };
  return jsonAnswer(status, { ...body, changed: entries.isChanged(id), lines, notes });
}
