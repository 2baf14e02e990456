import type { ShortLivedConfig, ShortLivedOptions } from '../control/short-lived.ts';
import type { Issuer } from './issuer.ts';
import type { SandboxIssuer, ShortLivedIssuer } from './sandbox-issuer.ts';
import type { RunningShortLived } from './short-lived.ts';

/** What a caller in this process may do with one issuer. */
export function handleOf({
  issuer,
  events,
  clock,
  clients,
  users,
  nextLogin,
  issueToken,
  login,
  faults,
  rotateKeys,
  reset,
  tested: { server, config },
}: Issuer): SandboxIssuer {
  const report = async (options?: { readonly client?: string }) => {
    const { issuerReport } = await import('../report/issuer-report.ts');
    return issuerReport({ server, config, events }, options);
  };
  return { issuer, events, clock, clients, users, nextLogin, issueToken, login, faults, report, rotateKeys, reset };
}

/** Makes one more, as a caller in this process sees it. */
export async function shortLivedHandle(
  issuers: RunningShortLived,
  config: ShortLivedConfig = {},
  options: ShortLivedOptions = {},
): Promise<ShortLivedIssuer> {
  const { issuer, told } = await issuers.createHere(config, options);
  const stop = async () => void issuers.delete(told.id);
  return { ...handleOf(issuer), ...told, stop, [Symbol.asyncDispose]: stop };
}
