import { defined } from '../base/defined.ts';
import type { Modules, Whole, WholeSandbox } from './extension.ts';

/** What the extensions run for a whole sandbox, as one. */
export async function createWhole({ extensions }: Modules, sandbox: WholeSandbox): Promise<Whole> {
  const loaded = await Promise.all(extensions.map(each => each.whole?.(sandbox)));
  const parts = loaded.filter(part => part !== undefined);
  const correlation = parts.find(part => part.correlation !== undefined)?.correlation;
  return {
    ...defined({ correlation }),
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
