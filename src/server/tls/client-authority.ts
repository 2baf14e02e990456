import type { JsonGeneralNames } from '@peculiar/x509';
import { createCertificateAuthority } from './certificate-authority.ts';
import type { CertifiedKey } from './tls-options.ts';

/** The subject of a client certificate; the names of RFC 8705 §2.1.2, without `tls_client_auth_`. */
export interface ClientCertificateOptions {
  /** The whole subject, RFC 4514 text. Default: `CN=client`. */
  readonly subject_dn?: string;
  readonly san_dns?: string;
  readonly san_uri?: string;
  readonly san_ip?: string;
  readonly san_email?: string;
}

/** Issues client certificates for tests. Its own certificate is PEM. */
export interface ClientAuthority {
  readonly certificate: string;
  issue(options?: ClientCertificateOptions): Promise<CertifiedKey>;
}

/**
 * An authority for client certificates, in memory only. It is separate from the server's, because the CA that people
 * install must vouch only for the hosts of the sandbox, while client certificates hold any name a test needs.
 */
export async function createClientAuthority(now: Date): Promise<ClientAuthority> {
  const authority = await createCertificateAuthority({ commonName: 'Grantbox client CA', now });
  return {
    certificate: authority.certificate,
    issue({ subject_dn = 'CN=client', ...options } = {}) {
      return authority.issue({
        subject: inOrder(subject_dn),
        names: namesOf(options),
        usage: 'client',
        now: new Date(),
      });
    },
  };
}

/** RFC 4514 §2.1 writes a name from its last part to its first; the library does not. */
function inOrder(dn: string): string {
  const parts = dn.match(/(?:\\.|[^\\,])+/gs) ?? [];
  return parts.reverse().join(',');
}

function namesOf({ san_dns, san_uri, san_ip, san_email }: ClientCertificateOptions): JsonGeneralNames {
  return [
    ...(san_dns === undefined ? [] : [{ type: 'dns', value: san_dns } as const]),
    ...(san_uri === undefined ? [] : [{ type: 'url', value: san_uri } as const]),
    ...(san_ip === undefined ? [] : [{ type: 'ip', value: san_ip } as const]),
    ...(san_email === undefined ? [] : [{ type: 'email', value: san_email } as const]),
  ];
}
