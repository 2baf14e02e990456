import type { ControlCalls } from '../../client/remote/control-calls.ts';
import type { Issuer } from '../../sandbox/extension.ts';
import type { IssuerMembers } from '../../sandbox/sandbox-members.ts';
import type { ClientReport } from './report.ts';

declare module '../../sandbox/sandbox-members.ts' {
  interface IssuerMembers {
    /**
     * Report on all clients, or on the named one, made from the log.
     * @throws TypeError for an unknown client
     */
    report(options?: { readonly client?: string }): Promise<ClientReport>;
  }
}

/** The report of an issuer in this process. */
export const reportHere = ({ server, config, events }: Issuer): IssuerMembers => ({
  async report(options = {}) {
    const { issuerReport } = await import('./issuer-report.ts');
    await events.caughtUp();
    const report = await issuerReport({ server, config, events }, options);
    const { client } = options;
    if (client === undefined || report.clients.length + report.unseen.length > 0) return report;
    const known = [...server.clients.keys()].join(', ');
    throw new TypeError(`report: unknown client: found ${client}, expected one of ${known}`);
  },
});

/** The report of an issuer that runs elsewhere. */
export const reportThere = (calls: ControlCalls): IssuerMembers => ({
  async report({ client } = {}) {
    const query = client === undefined ? '' : `?${new URLSearchParams({ client })}`;
    return (await calls({ name: 'report', method: 'GET', path: `/report${query}` })).content as ClientReport;
  },
});
