import { compareDescribed } from '../compare.ts';
import type { ReasonEntries, ReasonEntry } from '../entry.ts';
import { advice, withoutDemand } from '../remedies.ts';
import { shellQuoted } from '../source-text.ts';

const missing: ReasonEntry = {
  title: 'The connection has no client certificate',
  why: ({ error }) =>
    error.endpoint === 'api' || error.endpoint === 'userinfo'
      ? 'The token is bound to a certificate, so it is valid only on a connection with this certificate. A proxy that ends TLS removes the certificate.'
      : `${error.description}. A proxy that ends TLS removes the certificate.`,
  fix: 'Connect with the certificate of the client (mutual TLS): POST its client_id to /tls/client.pem to get one. Or register the client without tls_client_certificate_bound_access_tokens.',
  rfc: 'RFC 8705 §3.4',
  fixes: refused => [
    advice('Get a certificate from this sandbox and connect with it.', {
      where: 'curl',
      code: `curl ${shellQuoted(`${refused.known.issuer}/tls/client.pem`)} --data-urlencode ${shellQuoted(`client_id=${refused.client?.client_id ?? ''}`)} -o client.pem\ncurl --cert client.pem …`,
    }),
    ...withoutDemand(refused, `Give ${refused.who} bearer tokens`, 'tls_client_certificate_bound_access_tokens'),
  ],
};

const mismatch: ReasonEntry = {
  title: 'The connection has a different client certificate',
  why: 'The code or token is bound to the certificate of the connection that requested it. The client has a new certificate now, or a different program connects.',
  fix: 'Connect with the same client certificate that requested the token.',
  rfc: 'RFC 8705 §4',
  compare: compareDescribed({ sentLabel: 'Connection has', expectedLabel: 'Bound to' }),
};

/** Refused client certificates (RFC 8705). */
export const certificateEntries = {
  certificate_missing: missing,
  api_certificate_missing: {
    ...missing,
    fix: 'Connect with the client certificate that the token is bound to.',
    rfc: 'RFC 8705 §3',
  },
  certificate_mismatch: mismatch,
  api_certificate_mismatch: mismatch,
  certificate_not_registered: {
    title: 'The certificate is not registered for {client}',
    why: 'No CA vouches for a self-signed certificate, so the certificate or its key must be among the keys of the client.',
    fix: "Put the certificate into x5c of a key in the client's jwks, or add its public key there. Replace it after a renewal.",
    rfc: 'RFC 8705 §2.2',
  },
  certificate_subject_mismatch: {
    title: 'The certificate does not name {client}',
    why: 'The CA vouches for the names in the certificate. One of them must be exactly the name that the client is registered with.',
    fix: 'Compare the names in the certificate with the tls_client_auth_… member of the client. POST client_id to /tls/client.pem to get a matching certificate.',
    rfc: 'RFC 8705 §2.1',
  },
  certificate_untrusted: {
    title: 'No trusted CA issued the certificate',
    why: 'The name in a certificate proves nothing unless a trusted CA has signed it.',
    fix: 'Use a certificate from a CA in TLS_CLIENT_CA. Without that setting, POST client_id to /tls/client.pem to get one. Check its dates, and that it is meant for clients.',
    rfc: 'RFC 8705 §2.1',
  },
} as const satisfies ReasonEntries;
