import type { Issuer } from '../extension.ts';

interface Explained {
  readonly config: Pick<Issuer['config'], 'dashboard'>;
  readonly server: Pick<Issuer['server'], 'issuer'>;
}

/** The address at which the dashboard explains a request; undefined where there is no dashboard. */
export function explanationAt({ config, server }: Explained, requestId: string): string | undefined {
  return config.dashboard === 'off' ? undefined : `${server.issuer}/dashboard/problems/${requestId}`;
}
