import { inTurnHere, type RunInTurn } from '../control/replica-turn.ts';
import type { ShortLivedConfig, ShortLivedOptions } from '../control/short-lived.ts';
import type { Issuer } from '../create-issuer.ts';
import type { RunningShortLived } from '../issuers/short-lived.ts';
import type { SandboxIssuer, ShortLivedIssuer } from './sandbox-issuer.ts';

/** The handle of one issuer for callers in this process. */
export function handleOf({
  issuer,
  events,
  clock,
  clients,
  users,
  scopes,
  resources,
  nextLogin,
  issueToken,
  login,
  faults,
  tokenClaims,
  rotateKeys,
  reset,
  core: { server, config },
}: Issuer): SandboxIssuer {
  const report = async (options?: { readonly client?: string }) => {
    const { issuerReport } = await import('../../extensions/report/issuer-report.ts');
    await events.caughtUp();
    const report = await issuerReport({ server, config, events }, options);
    const { client } = options ?? {};
    if (client === undefined || report.clients.length + report.unseen.length > 0) return report;
    throw new TypeError(
      `report: unknown client: found ${client}, expected one of ${[...server.clients.keys()].join(', ')}`,
    );
  };
  const entries = { clients, users, scopes, resources };
  const calls = { nextLogin, issueToken, login, faults, tokenClaims, report, rotateKeys, reset };
  return { issuer, events, clock, ...entries, ...calls };
}

/** Makes the handles of a sandbox, and runs calls that change several issuers. */
export interface HandleMaker {
  handle(issuer: Issuer): SandboxIssuer;
  readonly inTurn: RunInTurn;
  /** Runs work that one replica does for all, or leaves it to the one that is at it, or to a later call while the engine is away. */
  alone(work: () => Promise<void>): Promise<void>;
}

/** Those of a process without replicas, where each call is at once known everywhere. */
export const handlesHere: HandleMaker = {
  handle: handleOf,
  inTurn: inTurnHere,
  alone: work => work(),
};

/** Makes one more, as a caller in this process sees it. */
export function shortLivedHandle(
  issuers: () => Promise<RunningShortLived>,
  { handle, inTurn }: Pick<HandleMaker, 'handle' | 'inTurn'>,
  config: ShortLivedConfig = {},
  options: ShortLivedOptions = {},
): Promise<ShortLivedIssuer> {
  return inTurn(async () => {
    const { issuer, told, stop: end } = await (await issuers()).createHere(config, options);
    const stop = () => inTurn(async () => end());
    return { ...handle(issuer), ...told, stop, [Symbol.asyncDispose]: stop };
  });
}
