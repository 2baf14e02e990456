import * as v from 'valibot';
import { defined } from '../../../../base/defined.ts';
import { flatMapInPieces, inTurns } from '../../../../base/turns.ts';
import { parseScope } from '../../../../protocol/scope.ts';
import { jsonAnswer } from '../../../../server/http/answer.ts';
import { clientSchema } from '../../../config/client/client-schema.ts';
import { collectionMembers } from '../../../config/collection-entry.ts';
import { scopeMembers } from '../../../config/scope-entry.ts';
import { userSchema } from '../../../config/user-entry.ts';
import { described, optional, text } from '../../described.ts';
import { createEntries, type Entries, type EntryChanged } from '../../entries.ts';
import { type EntryKind, entryKinds } from '../../entry.ts';
import { linesFor } from '../../outcome.ts';
import { refusedInput, takenEntry, unknownEntry } from '../../refusal.ts';
import type { Controlled } from '../controlled.ts';
import { type Operation, type OperationInput, operation } from '../operation.ts';

const claims = v.record(v.string(), v.unknown());

/** Preview of the claims in a user's tokens. */
const userClaims = operation({
  name: 'getUserClaims',
  method: 'GET',
  path: '/users/{sub}/claims',
  summary: 'Preview the claims of a user at a client, without issuing a token',
  query: v.strictObject({
    client: text('A `client_id`'),
    scope: optional(v.string(), 'Space-delimited scopes. Default: all scopes of the client'),
  }),
  answers: {
    200: {
      description: 'Claims for each token; a token that would not be issued is absent',
      schema: v.object({ access: claims, id: v.optional(claims), userinfo: v.optional(claims) }),
    },
    404: { description: 'No user has this `sub`' },
  },
  async run({ path: { sub = '' }, query }, { server, control }) {
    const user = server.users.get(sub);
    if (user === undefined) throw unknownEntry('user', sub, server.users.keys());
    const client = server.clients.get(query.client);
    if (client !== undefined) {
      const { origins: _, ...tokens } = await control.preview(client, user, parseScope(query.scope ?? client.scope));
      return jsonAnswer(200, tokens);
    }
    const expected = `one of ${[...server.clients.keys()].join(', ')}`;
    throw refusedInput([{ member: 'client', sent: query.client, expected }]);
  },
});

const line = v.object({
  where: text('`clients.config.ts`, or `JSON`'),
  code: text('The lines that keep the change'),
});
const changed = described(v.boolean(), 'True if it differs from the configuration at the start');

/** Names of one kind of entry in the API. */
interface EntryNames {
  readonly kind: EntryKind;
  /** `Client`, for the names of operations. */
  readonly name: string;
  /** `/clients` */
  readonly path: string;
  /** Schema of an entry, as in `clients.config.ts`. */
  readonly schema: v.GenericSchema;
}

/** Clients, users, scopes and collections, while the sandbox runs. Rows of collections stay where fields and seed do. */
export const entryOperations = [
  ...operationsOf({ kind: 'client', name: 'Client', path: '/clients', schema: clientSchema }),
  ...operationsOf({ kind: 'user', name: 'User', path: '/users', schema: userSchema }),
  userClaims,
  ...operationsOf({ kind: 'scope', name: 'Scope', path: '/scopes', schema: named(scopeMembers) }),
  ...operationsOf({ kind: 'collection', name: 'Resource', path: '/resources', schema: named(collectionMembers) }),
];

function named(members: v.ObjectEntries): v.GenericSchema {
  return v.strictObject({ name: v.string(), ...members });
}

/** List, read, create, replace, patch, delete and revert, for every kind of entry. */
function operationsOf(names: EntryNames): readonly Operation[] {
  return [...readingOperations(names), ...changingOperations(names), ...endingOperations(names)];
}

/** Answer to every change. */
function outcomeSchema({ kind }: EntryNames) {
  return v.object({
    [entryKinds[kind].id]: v.string(),
    entry: optional(v.record(v.string(), v.unknown()), 'The entry without defaults; absent if it was deleted'),
    changed,
    lines: v.array(line),
    notes: described(v.array(v.string()), 'Further effects of the change, as sentences'),
  });
}

function entriesOf({ kind }: EntryNames, { control }: Controlled): Entries {
  return createEntries(control, kind, 'api');
}

function readingOperations(names: EntryNames): Operation[] {
  const { kind, name, path } = names;
  const { id: idName } = entryKinds[kind];
  const shown = { [idName]: v.string(), changed, entry: v.record(v.string(), v.unknown()) };
  const factsOf = (entries: Entries, id: string) => ({
    [idName]: id,
    changed: entries.isChanged(id),
    entry: entries.get(id),
  });
  return [
    operation({
      name: `list${name}s`,
      method: 'GET',
      path,
      summary: `List all ${kind}s, as in clients.config.ts`,
      answers: {
        200: { description: `All ${kind}s`, schema: v.object({ [path.slice(1)]: v.array(v.object(shown)) }) },
      },
      async run(_input, controlled) {
        const entries = entriesOf(names, controlled);
        const all = await inTurns(flatMapInPieces(entries.ids(), id => [factsOf(entries, id)]));
        return jsonAnswer(200, { [path.slice(1)]: all.filter(({ entry }) => entry !== undefined) });
      },
    }),
    operation({
      name: `get${name}`,
      method: 'GET',
      path: `${path}/{${idName}}`,
      summary: `Read a ${kind}, and the lines for clients.config.ts`,
      answers: {
        200: { description: `The ${kind}`, schema: v.object({ ...shown, lines: v.array(line) }) },
        404: missing(kind),
      },
      async run(input, controlled) {
        const entries = entriesOf(names, controlled);
        const id = idIn(names, input, entries);
        return jsonAnswer(200, { ...factsOf(entries, id), lines: linesFor(kind, id, entries.get(id)) });
      },
    }),
  ];
}

function changingOperations(names: EntryNames): Operation[] {
  const { kind, name, path, schema } = names;
  const { id: idName } = entryKinds[kind];
  const one = `${path}/{${idName}}`;
  const answered = { description: `The ${kind} after the change`, schema: outcomeSchema(names) };
  const refusals = {
    400: { description: 'The members that are not valid; nothing was changed' },
    409: { description: `A different ${kind} has the same ${idName}${kind === 'user' ? ' or username' : ''}` },
  };
  const checked = { changes: true, body: schema, checksBody: true } as const;
  return [
    operation({
      ...checked,
      name: `create${name}`,
      method: 'POST',
      path,
      summary: `Create a ${kind}, with the members of clients.config.ts`,
      answers: { 201: answered, ...refusals },
      run: changing(names, async (entries, { body }) => [await entries.create(body), 201]),
    }),
    operation({
      ...checked,
      name: `replace${name}`,
      method: 'PUT',
      path: one,
      summary: `Replace a ${kind}: absent members return to their defaults; a new ${kind} is created`,
      answers: { 200: answered, 201: { ...answered, description: `The ${kind}, which was created` }, ...refusals },
      run: changing(names, async (entries, { path: { [idName]: id = '' }, body }) => {
        const isNew = entries.get(id) === undefined;
        return [await entries.replace(id, body), isNew ? 201 : 200];
      }),
    }),
    operation({
      ...checked,
      name: `patch${name}`,
      method: 'PATCH',
      path: one,
      summary: `Change members of a ${kind}; null returns a member to its default (RFC 7396)`,
      answers: { 200: answered, 404: missing(kind), ...refusals },
      run: changing(names, async (entries, input) => [
        await entries.patch(idIn(names, input, entries), input.body),
        200,
      ]),
    }),
  ];
}

function endingOperations(names: EntryNames): Operation[] {
  const { kind, name, path } = names;
  const { id: idName } = entryKinds[kind];
  const one = `${path}/{${idName}}`;
  const answered = { description: `The result for the ${kind}`, schema: outcomeSchema(names) };
  return [
    operation({
      name: `delete${name}`,
      method: 'DELETE',
      path: one,
      changes: true,
      summary: `Delete a ${kind}, and end its codes, tokens and sign-ins`,
      answers: { 200: answered, 404: missing(kind) },
      run: changing(names, async (entries, input) => [await entries.delete(idIn(names, input, entries)), 200]),
    }),
    operation({
      name: `revert${name}`,
      method: 'POST',
      path: `${one}/revert`,
      changes: true,
      summary: `Restore a ${kind} to its configuration at the start, even if it was deleted`,
      answers: { 200: answered, 400: { description: `The configuration has no ${kind} with this name` } },
      run: changing(names, async (entries, { path: { [idName]: id = '' } }) => [await entries.revert(id), 200]),
    }),
  ];
}

function missing(kind: EntryKind) {
  return { description: `No ${kind} has this name` };
}

/** @throws invalid_request with 404 */
function idIn({ kind }: EntryNames, { path }: OperationInput, entries: Entries): string {
  const { [entryKinds[kind].id]: id = '' } = path;
  if (entries.get(id) === undefined) throw unknownEntry(kind, id, entries.ids());
  return id;
}

/** An operation that changes an entry: it answers with what came of that. */
function changing(
  names: EntryNames,
  change: (entries: Entries, input: OperationInput) => Promise<readonly [EntryChanged, 200 | 201]>,
): Operation['run'] {
  return async (input, controlled) => {
    const entries = entriesOf(names, controlled);
    const [came, status] = await change(entries, input);
    if (!came.ok) throw came.isTaken === true ? takenEntry(came.problems) : refusedInput(came.problems);
    const { id, lines, notes } = came;
    const body = { [entryKinds[names.kind].id]: id, ...defined({ entry: entries.get(id) }) };
    return jsonAnswer(status, { ...body, changed: entries.isChanged(id), lines, notes });
  };
}
