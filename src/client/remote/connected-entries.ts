import type { SandboxEntries } from '../../sandbox/control/library-entries.ts';
import type { ControlCalls } from './control-calls.ts';

/** Entries of a sandbox that runs elsewhere. */
export function createConnectedEntries<T extends object>(
  calls: ControlCalls,
  kind: 'clients' | 'users' | 'scopes' | 'resources',
): SandboxEntries<T> {
  const entryIn = (content: unknown) => (content as { readonly entry: T }).entry;
  const placeOf = (id: string) => `/${kind}/${encodeURIComponent(id)}`;
  async function change(name: string, method: 'POST' | 'PUT' | 'PATCH', path: string, body: unknown): Promise<T> {
    return entryIn((await calls({ name: `${kind}.${name}`, method, path, body })).content);
  }
  return {
    async list() {
      const { content } = await calls({ name: `${kind}.list`, method: 'GET', path: `/${kind}` });
      return (content as Readonly<Record<string, readonly unknown[]>>)[kind]?.map(entryIn) ?? [];
    },
    async get(id) {
      const call = { name: `${kind}.get`, method: 'GET', path: placeOf(id), mayBeMissing: true } as const;
      const { status, content } = await calls(call);
      return status === 404 ? undefined : entryIn(content);
    },
    create: entry => change('create', 'POST', `/${kind}`, entry),
    replace: (id, entry) => change('replace', 'PUT', placeOf(id), entry),
    patch: (id, members) => change('patch', 'PATCH', placeOf(id), members),
    delete: async id => void (await calls({ name: `${kind}.delete`, method: 'DELETE', path: placeOf(id) })),
    revert: id => change('revert', 'POST', `${placeOf(id)}/revert`, {}),
  };
}
