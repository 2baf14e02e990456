import type { JsonGeneralNames } from '@peculiar/x509';
import { inAddressBytes } from './address-bytes.ts';
import { createCertificateAuthority } from './certificate-authority.ts';
import type { CertifiedKey } from './certified-key.ts';
import { nameConstraints } from './name-constraints.ts';

/** A certificate for this server, and the CA it is of. */
export interface SelfSigned {
  readonly server: CertifiedKey;
  /** The CA certificate that browsers and tools are told to trust, PEM. It can vouch for our hosts only. */
  readonly ca: string;
}

/** The names every sandbox answers to. */
const ownHosts = ['localhost', '127.0.0.1', '::1'];

/** What `TLS=self-signed` makes on start, in memory only: a CA for the hosts of this sandbox, and its server certificate. */
export async function createSelfSigned(furtherHosts: readonly string[], now: Date): Promise<SelfSigned> {
  const hosts = [...new Set([...ownHosts, ...furtherHosts.map(withoutBrackets)])];
  const authority = await createCertificateAuthority({
    commonName: 'Grantbox local CA',
    now,
    extensions: [nameConstraints(hosts)],
  });
  const server = await authority.issue({
    subject: 'CN=localhost',
    names: hosts.flatMap(toNames),
    usage: 'server',
    now,
  });
  return { server, ca: authority.certificate };
}

/** `localhost` comes with every name below it: they are all loopback (RFC 6761 §6.3), and all answered. */
function toNames(host: string): JsonGeneralNames {
  if (inAddressBytes(host) !== undefined) return [{ type: 'ip', value: host }];
  const names: JsonGeneralNames = [{ type: 'dns', value: host }];
  return host === 'localhost' ? [...names, { type: 'dns', value: '*.localhost' }] : names;
}

function withoutBrackets(host: string): string {
  return host.toLowerCase().replace(/^\[(.*)\]$/, '$1');
}
