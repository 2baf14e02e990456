import { type Lazy, lazily } from '../base/lazily.ts';
import type { Application } from '../server/http/app.ts';
import { onFirstVisit } from '../server/http/on-first-visit.ts';
import type { Route } from '../server/http/route.ts';
import type { Guard } from './control/api/control-gate.ts';
import type { Operation } from './control/api/operation.ts';
import type {
  Extension,
  Issuer,
  Modules,
  PublicRoutes,
  RouteTools,
  RunningExtensions,
  Whole,
  WholeSandbox,
} from './extension.ts';
import type { NamedEntries } from './replica.ts';
import type { IssuerMembers, SandboxMembers } from './sandbox-members.ts';

/** `issuer` is read when an extension is loaded, because the extensions are a part of it. */
export function createRunningExtensions(all: readonly Extension[], issuer: () => Issuer): RunningExtensions {
  const running = new Map<Extension, Lazy<unknown>>();
  const begun = new Set<Extension>();
  const tell = (error: unknown) => issuer().sandbox.log.error(error, 'sandbox');

  function of<Running>(extension: Extension<Running>): Lazy<Running> {
    const one = running.get(extension) ?? lazily(() => load(extension));
    running.set(extension, one);
    return one as Lazy<Running>; // this extension has made it
  }
  async function load<Running>(extension: Extension<Running>): Promise<Running> {
    begun.add(extension);
    return (await extension.load?.(issuer())) as Running; // without `load` it is undefined
  }
  async function endOne(extension: Extension): Promise<void> {
    await extension.end?.(await of(extension).get());
  }
  return {
    all,
    of,
    async start() {
      const asked = all.filter(extension => extension.isAsked?.(issuer().config) === true);
      await Promise.all(asked.map(extension => of(extension).get().catch(tell)));
    },
    shared: () => all.flatMap(extension => sharedOf(extension, of(extension))),
    endStreams() {
      for (const extension of begun) {
        const current = of(extension).current();
        if (current !== undefined) extension.endStreams?.(current);
      }
    },
    async end() {
      await Promise.all([...begun].map(extension => endOne(extension).catch(tell)));
    },
  };
}

function sharedOf<Running>(extension: Extension<Running>, running: Lazy<Running>): readonly NamedEntries[] {
  const entries = extension.shared?.(running);
  return entries === undefined ? [] : [{ name: extension.name, ...entries }];
}

/** Who may enter, besides those who know CONTROL_TOKEN: who made the issuer decides, or an extension. */
export async function guardOf(issuer: Issuer): Promise<Guard | undefined> {
  if (issuer.owner?.guard !== undefined) return issuer.owner.guard;
  const { all, of } = issuer.extensions;
  const guards = await Promise.all(all.map(each => each.guard?.(issuer, of(each))));
  return guards.find(guard => guard !== undefined);
}

/** What extensions tell a program of a sandbox. */
export async function membersOf(first: Issuer): Promise<SandboxMembers> {
  const { all, of } = first.extensions;
  const members = await Promise.all(all.map(each => each.members?.(first, of(each)) ?? {}));
  return Object.assign({}, ...members);
}

/** What a program can call on an issuer by its extensions. */
export function handlesOf(issuer: Issuer): IssuerMembers {
  return Object.assign({}, ...issuer.extensions.all.map(each => each.handle?.(issuer)));
}

/** What extensions answer to everybody. */
export function applicationsOf(issuer: Issuer, tools: RouteTools): readonly Application[] {
  return offeredRoutes(issuer).map(({ path, name, load }) => ({
    path,
    name,
    handler: onFirstVisit(() => load(issuer, tools)),
  }));
}

/** Those that lists of endpoints have. */
export function listedRoutesOf(issuer: Issuer): readonly Route[] {
  return offeredRoutes(issuer).filter(({ methods }) => methods.length > 0);
}

function offeredRoutes(issuer: Issuer): readonly PublicRoutes[] {
  return issuer.extensions.all
    .flatMap(({ routes = [] }) => routes)
    .filter(({ isOffered }) => isOffered?.(issuer) ?? true);
}

/** The operations that extensions offer for an issuer. Each loads its extension with its first call. */
export async function operationsOf(issuer: Issuer): Promise<readonly Operation[]> {
  const { all, of } = issuer.extensions;
  const offered = all.filter(({ isOffered }) => isOffered?.(issuer) ?? true);
  return (await Promise.all(offered.map(each => boundOperations(each, of)))).flat();
}

async function boundOperations<Running>(
  extension: Extension<Running>,
  of: RunningExtensions['of'],
): Promise<readonly Operation[]> {
  const operations = (await extension.operations?.()) ?? [];
  return operations.map(operation => ({
    ...operation,
    run: async (input, controlled) => operation.run(input, controlled, await of(extension).get()),
  }));
}

/** What the extensions run for a whole sandbox, as one. */
export async function createWhole({ extensions }: Modules, sandbox: WholeSandbox): Promise<Whole> {
  const loaded = await Promise.all(extensions.map(each => each.whole?.(sandbox)));
  const parts = loaded.filter(part => part !== undefined);
  const correlation = parts.find(part => part.correlation !== undefined)?.correlation;
  return {
    correlation,
    watch(events) {
      for (const part of parts) part.watch?.(events);
    },
    // the first in the list is the first to see a request
    before: (next, first) => parts.reduceRight((inner, part) => part.before?.(inner, first) ?? inner, next),
    around: (next, issuer) => parts.reduceRight((inner, part) => part.around?.(inner, issuer) ?? inner, next),
    outbound: outbound => parts.reduceRight((inner, part) => part.outbound?.(inner) ?? inner, outbound),
    async begin(issuers) {
      for (const part of parts) await part.begin?.(issuers);
    },
    ended(issuer, path) {
      for (const part of parts) part.ended?.(issuer, path);
    },
    async close(signal) {
      for (const part of parts) await part.close?.(signal);
    },
  };
}
