import * as v from 'valibot';
import { isRecord } from '../../../base/text/record.ts';
import { described, optional } from '../../../sandbox/control/described.ts';
import { maskedEntry } from '../masked.ts';
import { listIn, members, tool } from '../tool.ts';

/** A kind of entry that agents can list and change. */
interface EntryWords {
  /** `client` */
  readonly kind: 'client' | 'user';
  /** The member with its id. */
  readonly id: 'client_id' | 'sub';
  /** The usual members, for the agent. */
  readonly usual: string;
  readonly example: v.ObjectEntries;
}

const client: EntryWords = {
  kind: 'client',
  id: 'client_id',
  usual:
    'client_name, client_secret, token_endpoint_auth_method (none for a public client), grant_types, redirect_uris, post_logout_redirect_uris, scope, access_token_lifetime, require_consent',
  example: {
    client_id: v.string(),
    redirect_uris: v.optional(v.array(v.string())),
    grant_types: v.optional(v.array(v.string())),
    scope: optional(v.string(), 'Space-separated'),
  },
};
const user: EntryWords = {
  kind: 'user',
  id: 'sub',
  usual: 'username, password, claims (an object: name, email, email_verified, roles, …)',
  example: { sub: v.string(), claims: v.optional(members) },
};

const entry = v.looseObject({
  changed: described(v.boolean(), 'True if it differs from the configuration at the start'),
  entry: optional(members, 'As in clients.config.ts, without defaults; secrets are [redacted]'),
});
const outcome = v.looseObject({
  ...entry.entries,
  notes: described(v.array(v.string()), 'Further effects'),
});

/** Clients and users. */
export const entryTools = [client, user].flatMap(words => [listing(words), ...changing(words)]);

function listing({ kind, id }: EntryWords) {
  return tool({
    name: `list_${kind}s`,
    title: `List ${kind}s`,
    description: `Lists the ${kind}s of the sandbox as clients.config.ts has them, without secrets.`,
    effect: 'reads',
    input: v.strictObject({ [id]: optional(v.string(), `Only this ${kind}`) }),
    output: v.object({ [`${kind}s`]: v.array(entry) }),
    async run({ [id]: wanted }, sandbox) {
      const found = listIn(await sandbox.ask({ path: `/${kind}s` }), `${kind}s`);
      const shown = found.filter(each => wanted === undefined || each[id] === wanted);
      if (wanted !== undefined && shown.length === 0) {
        const known = found.map(each => String(each[id])).join(', ');
        throw new TypeError(`unknown ${kind} ${JSON.stringify(wanted)}: expected one of ${known}`);
      }
      return { [`${kind}s`]: shown.map(maskedEntry) };
    },
  });
}

function changing({ kind, id, usual, example }: EntryWords) {
  const pathOf = (value: string) => `/${kind}s/${encodeURIComponent(value)}`;
  const named: v.ObjectEntries = { [id]: v.string() };
  const idIn = (input: Readonly<Record<string, unknown>>) => String(input[id]);
  return [
    tool({
      name: `create_${kind}`,
      title: `Create a ${kind}`,
      description: `Creates a ${kind}, in memory. Members are those of clients.config.ts: ${usual}. Write it into that file to keep it.`,
      effect: 'adds',
      input: v.looseObject(example),
      output: outcome,
      run: async (body, sandbox) => told(await sandbox.ask({ method: 'POST', path: `/${kind}s`, body })),
    }),
    tool({
      name: `change_${kind}`,
      title: `Change a ${kind}`,
      description: `Changes members of a ${kind}, in memory; null returns a member to its default. Takes effect on the next request.`,
      effect: 'replaces',
      isRepeatable: true,
      input: v.strictObject({ ...named, members: described(members, `The members to change: ${usual}`) }),
      output: outcome,
      run: async (input, sandbox) =>
        told(await sandbox.ask({ method: 'PATCH', path: pathOf(idIn(input)), body: input.members })),
    }),
    tool({
      name: `delete_${kind}`,
      title: `Delete a ${kind}`,
      description: `Deletes a ${kind}, in memory, and ends its codes, tokens and sign-ins.`,
      effect: 'replaces',
      input: v.strictObject(named),
      output: outcome,
      run: async (input, sandbox) => told(await sandbox.ask({ method: 'DELETE', path: pathOf(idIn(input)) })),
    }),
  ];
}

/** The outcome of a change, without the lines for clients.config.ts, which quote secrets. */
function told(content: unknown): object {
  if (!isRecord(content)) return {};
  const { lines: _, entry: after, ...facts } = content;
  return { ...facts, ...(after === undefined ? {} : { entry: maskedEntry(after) }) };
}
