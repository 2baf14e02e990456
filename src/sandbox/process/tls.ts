import { defined } from '../../base/defined.ts';
import type { ClientAuthority, ClientCertificateOptions } from '../../server/tls/client-authority.ts';
import type { CertifiedKey, TlsServerOptions } from '../../server/tls/tls-options.ts';
import type { Config } from '../config/config.ts';
import { isEveryAddress } from '../config/own-url.ts';

/** TLS settings of one sandbox. */
export interface Tls {
  readonly options: TlsServerOptions;
  /** The CA certificate to trust, PEM; absent where the server certificate was configured. */
  readonly ca?: string;
  /** Issues client certificates; absent without mutual TLS, and where the trusted CAs were configured. */
  readonly clients?: ClientAuthority;
}

/** Certificates for tests. */
export interface SandboxTls {
  /** The CA certificate to trust, PEM; for `NODE_EXTRA_CA_CERTS` or the `ca` of an agent. */
  readonly ca?: string;
  /** Issues a new client certificate that `tls_client_auth` trusts, with its private key, PEM. */
  clientCertificate?(options?: ClientCertificateOptions): Promise<CertifiedKey>;
}

/** The TLS material for tests; empty if the server certificate and the client CA were configured. */
export function sandboxTls(tls: Tls | undefined): { readonly tls?: SandboxTls } {
  if (tls?.ca === undefined && tls?.clients === undefined) return {};
  const { ca, clients } = tls;
  return {
    tls: {
      ...defined({ ca }),
      ...(clients === undefined ? {} : { clientCertificate: clients.issue }),
    },
  };
}

/** Certificates, created or from the configuration; undefined for plain HTTP, which does not load this code. `hosts` are those of providers. */
export async function createTls(config: Config, hosts: readonly string[]): Promise<Tls | undefined> {
  const { tls, features } = config;
  if (tls === undefined) return undefined;
  const asksForCertificates = features.mtls !== false;
  const now = new Date(); // the real time: peers that check certificates use it, and no test can move it
  const { server, ca } = tls.kind === 'files' ? { server: tls, ca: undefined } : await selfSigned(config, hosts, now);
  const clients = asksForCertificates && tls.clientCa === undefined ? await clientAuthority(now) : undefined;
  const trusted = tls.clientCa ?? clients?.certificate;
  return {
    options: {
      cert: server.cert,
      key: server.key,
      ...(asksForCertificates && trusted !== undefined ? { clientCertificates: { ca: [trusted] } } : {}),
    },
    ...defined({ ca, clients }),
  };
}

async function selfSigned(
  config: Config,
  ofPresets: readonly string[],
  now: Date,
): Promise<{ server: CertifiedKey; ca: string }> {
  const { createSelfSigned } = await import('../../server/tls/self-signed.ts');
  const addresses = [config.issuer, config.backchannelUrl].filter(address => address !== undefined);
  const ourHosts = addresses.map(address => new URL(address).hostname);
  const listening = isEveryAddress(config.host) ? [] : [config.host];
  return createSelfSigned([...ourHosts, ...listening, ...config.allowedHosts, ...ofPresets], now);
}

async function clientAuthority(now: Date): Promise<ClientAuthority> {
  const { createClientAuthority } = await import('../../server/tls/client-authority.ts');
  return createClientAuthority(now);
}
