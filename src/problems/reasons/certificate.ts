import { compareDescribed } from '../compare.ts';
import type { ReasonEntries, ReasonEntry } from '../entry.ts';
import { advice, withoutDemand } from '../remedies.ts';
import { shellQuoted } from '../source-text.ts';

const missing: ReasonEntry = {
  title: 'The connection shows no client certificate',
  why: ({ error }) =>
    error.endpoint === 'api' || error.endpoint === 'userinfo'
      ? 'The token is bound to a certificate, so it is good only on a connection that shows it. A proxy that ends TLS takes the certificate away.'
      : `${error.description}. A proxy that ends TLS takes the certificate away.`,
  fix: 'Connect with the certificate of the client (mutual TLS): POST its client_id to /tls/client.pem for one. Or register it without tls_client_certificate_bound_access_tokens.',
  rfc: 'RFC 8705 §3.4',
  fixes: refused => [
    advice('Take a certificate of this sandbox, and connect with it.', {
      where: 'curl',
      code: `curl ${shellQuoted(`${refused.known.issuer}/tls/client.pem`)} --data-urlencode ${shellQuoted(`client_id=${refused.client?.client_id ?? ''}`)} -o client.pem\ncurl --cert client.pem …`,
    }),
    ...withoutDemand(refused, `Give ${refused.who} bearer tokens`, 'tls_client_certificate_bound_access_tokens'),
  ],
};

const mismatch: ReasonEntry = {
  title: 'The connection shows another client certificate',
  why: 'What was given is bound to the certificate of the connection it was asked on. The client has a new one since, or connects from elsewhere.',
  fix: 'Connect with the client certificate that the token was issued over.',
  rfc: 'RFC 8705 §4',
  compare: compareDescribed({ sentLabel: 'Connection shows', expectedLabel: 'Bound to' }),
};

/** Client certificates (RFC 8705). */
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
    title: 'The certificate is not one that {client} has registered',
    why: 'Nobody vouches for a self-signed certificate, so it has to be, or its key has to be, among the keys of the client.',
    fix: "Put the certificate into x5c of a key in the client's jwks, or only its public key; after a renewal, the new one.",
    rfc: 'RFC 8705 §2.2',
  },
  certificate_subject_mismatch: {
    title: 'The certificate is for somebody else than {client}',
    why: 'The CA vouches for the names in the certificate, and the client is registered with one of them. They are compared exactly.',
    fix: 'Compare the names in the certificate with the tls_client_auth_… member the client is registered with. POST client_id to /tls/client.pem for one that fits.',
    rfc: 'RFC 8705 §2.1',
  },
  certificate_untrusted: {
    title: 'No CA that is trusted here has issued the certificate',
    why: 'A name in a certificate is worth something only if a trusted CA says so.',
    fix: 'Take a certificate of a CA in TLS_CLIENT_CA; without that setting, of the CA of this sandbox: POST client_id to /tls/client.pem. Look at its dates, and whether it is for clients.',
    rfc: 'RFC 8705 §2.1',
  },
} as const satisfies ReasonEntries;
