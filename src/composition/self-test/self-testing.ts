import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import type { Issuer } from '../issuer.ts';
import type { DeferredListener } from '../listeners.ts';
import { byPath } from '../listeners.ts';
import type { SelfTestReport } from './self-test.ts';

export interface SelfTesting {
  /** Tries all that the metadata promises. Loaded when it is first asked for. */
  run(): Promise<SelfTestReport>;
  /** @throws SelfTestError where the metadata lies */
  demand(): Promise<SelfTestReport>;
}

const header = 'x-grantbox-self-test';

/** The self-test of the issuers behind a door; the first one serves the paths that belong to no other. */
export function createSelfTesting(door: DeferredListener, issuers: readonly Issuer[]): SelfTesting {
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

  async function run(): Promise<SelfTestReport> {
    const { selfTest } = await import('./self-test.ts');
    const tested = issuers.map(issuer => issuer.tested);
    return selfTest(tested, divert, (issuer, listener) =>
      together(issuers.map(each => (each.issuer === issuer ? { ...each, listener } : each))),
    );
  }

  return {
    run,
    async demand() {
      const report = await run();
      if (report.lies.length === 0) return report;
      const { SelfTestError } = await import('./self-test.ts');
      throw new SelfTestError(report);
    },
  };
}

/** All issuers as one listener: each has what is under its path, and the first the rest. */
export function together([first, ...others]: readonly Pick<Issuer, 'issuer' | 'listener'>[]): RequestListener {
  const paths = others.map(({ issuer, listener }) => [new URL(issuer).pathname, listener] as const);
  return first === undefined ? () => {} : byPath(first.listener, new Map(paths));
}
