import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import type { Issuer } from '../../../sandbox/composition/issuer.ts';
import type { DeferredListener } from '../../../sandbox/composition/listeners.ts';
import { byPath } from '../../../sandbox/composition/listeners.ts';
import type { SelfTestReport } from './self-test.ts';

const header = 'x-grantbox-self-test';

/** Creates the self-test of all issuers behind one listener. The first issuer serves the paths that belong to no other issuer. */
export function createSelfTesting(door: DeferredListener, issuers: readonly Issuer[]) {
  async function divert<T>(
    listener: RequestListener,
    work: (headers: Readonly<Record<string, string>>) => Promise<T>,
  ): Promise<T> {
    const pass = randomUUID();
    const end = door.divert(req => (req.headers[header] === pass ? listener : undefined));
    try {
      return await work({ [header]: pass });
    } finally {
      end();
    }
  }

  /** Tests every promise of the metadata. The modules are loaded by the first call. */
  async function run(): Promise<SelfTestReport> {
    const { selfTest } = await import('./self-test.ts');
    const tested = issuers.map(issuer => issuer.tested);
    return selfTest(tested, divert, (issuer, listener) =>
      together(issuers.map(each => (each.issuer === issuer ? { ...each, listener } : each))),
    );
  }

  return {
    run,
    /** @throws SelfTestError if the metadata is wrong */
    async demand(): Promise<SelfTestReport> {
      const report = await run();
      if (report.lies.length === 0) return report;
      const { SelfTestError } = await import('./self-test.ts');
      throw new SelfTestError(report);
    },
  };
}

type Together = Pick<Issuer, 'issuer' | 'listener'> & Partial<Pick<Issuer, 'tested'>>;

/** Combines all issuers into one listener: each serves the requests below its path, the first one the rest. */
export function together(issuers: readonly Together[]): RequestListener {
  const [first, ...others] = issuers;
  const paths = new Map(others.map(({ issuer, listener }) => [new URL(issuer).pathname, listener]));
  for (const each of issuers) each.tested?.preset?.takePaths(paths, each);
  return first === undefined ? () => {} : byPath(first.listener, paths);
}
