import type { Reason } from '../../oauth/errors.ts';
import type { Fix } from './fix.ts';

/** Refusals of client certificates. */
export const certificateFixes = {
  certificate_not_registered: {
    fix: "Put the certificate into x5c of a key in the client's jwks, or only its public key; after a renewal, the new one.",
    rfc: 'RFC 8705 §2.2',
  },
  certificate_subject_mismatch: {
    fix: 'Compare the names in the certificate with the tls_client_auth_… member the client is registered with. POST client_id to /tls/client.pem for one that fits.',
    rfc: 'RFC 8705 §2.1',
  },
  certificate_untrusted: {
    fix: 'Take a certificate of a CA in TLS_CLIENT_CA; without that setting, of the CA of this sandbox: POST client_id to /tls/client.pem. Look at its dates, and whether it is for clients.',
    rfc: 'RFC 8705 §2.1',
  },
} as const satisfies Partial<Record<Reason, Fix>>;
