import { version } from '../../package.ts';
import type { Config } from '../../sandbox/config/config.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { ProgramModules } from './command.ts';

interface Start extends Pick<ProgramModules, 'extensions'> {
  readonly seconds: number;
  readonly isTerminal: boolean;
}

/** Says where a sandbox is that has started: lines for a person, or one line of JSON for a log collector. */
export async function announcement(
  config: Config,
  sandbox: Sandbox,
  { extensions, seconds, isTerminal }: Start,
): Promise<string> {
  const { url, issuer, issuers, tls } = sandbox;
  const announced = extensions.flatMap(each => each.announced?.(sandbox, config) ?? []);
  const isPretty = config.logFormat === 'pretty' || (config.logFormat === 'auto' && isTerminal);
  const ready = `Grantbox ${version} is ready after ${Math.round(seconds * 1000)} ms. Not for production: nothing here checks a real identity.`;
  const facts = {
    dashboard: config.dashboard !== 'off' ? `${issuer}/dashboard` : 'off',
    issuer,
    ...Object.assign({}, ...announced.map(({ facts }) => facts)),
    ...(tls?.ca === undefined ? {} : { tls: howToTrust(url + new URL(issuer).pathname.replace(/\/$/, '')) }),
    users: config.users.map(user => user.username).join('  '),
    clients: clientsIn(config),
    api: config.collections.map(({ name }) => `${issuer}/api/${name}`).join('  '),
    ...(issuers.size === 0 ? {} : { issuers: [...issuers.values()].map(each => each.issuer).join('  ') }),
    ...(isLoopback(config.host)
      ? {}
      : { open: `listens on ${config.host}: anyone who can connect can sign in as any user` }),
  };
  if (!isPretty) return JSON.stringify({ level: 30, time: new Date().toISOString(), msg: ready, ...facts });
  const lines = Object.entries(facts).map(([name, value]) => `  ${name.padEnd(10)} ${value}`);
  const more = await Promise.all(announced.map(each => each.lines()));
  return [ready, ...lines, ...more.flat()].join('\n');
}

/**
 * The CA is regenerated on every start, so the first download is over an untrusted connection (`-k`). `url` includes
 * the issuer path.
 */
function howToTrust(url: string): string {
  const file = 'grantbox-ca.pem';
  return `curl -k ${url}/tls/ca.pem -o ${file}, then NODE_EXTRA_CA_CERTS=${file} or curl --cacert ${file}`;
}

function clientsIn({ clients, readyClients: { added } }: Config): string {
  const own = clients.map(({ client_id }) => client_id).filter(id => !added.includes(id));
  return [...own, ...(added.length === 0 ? [] : [`and ${added.length} ready clients`])].join('  ');
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}
