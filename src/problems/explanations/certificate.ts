import { compareWords } from '../compare.ts';
import type { Entries, Entry } from '../entry.ts';
import { advice, patchClient } from '../remedies.ts';
import { shellQuoted } from '../source-text.ts';

const missing: Entry = {
  title: 'The connection shows no client certificate',
  why: ({ error }) =>
    error.endpoint === 'api' || error.endpoint === 'userinfo'
      ? 'The token is bound to a certificate, so it is good only on a connection that shows it. A proxy that ends TLS takes the certificate away.'
      : `${error.description}. A proxy that ends TLS takes the certificate away.`,
  fixes: refused => [
    advice('Take a certificate of this sandbox, and connect with it.', {
      where: 'curl',
      code: `curl ${shellQuoted(`${refused.known.issuer}/tls/client.pem`)} --data-urlencode ${shellQuoted(`client_id=${refused.client?.client_id ?? ''}`)} -o client.pem\ncurl --cert client.pem …`,
    }),
    ...(refused.client?.tls_client_certificate_bound_access_tokens === true
      ? [
          patchClient(refused, `Give ${refused.who} bearer tokens`, {
            tls_client_certificate_bound_access_tokens: false,
          }),
        ]
      : []),
  ],
};

const mismatch: Entry = {
  title: 'The connection shows another client certificate',
  why: 'What was given is bound to the certificate of the connection it was asked on. The client has a new one since, or connects from elsewhere.',
  compare: ({ error }) =>
    compareWords(error.sent ?? '', error.expected ?? '', { sentLabel: 'Connection shows', expectedLabel: 'Bound to' }),
};

/** Client certificates (RFC 8705). */
export const certificateEntries = {
  certificate_missing: missing,
  api_certificate_missing: missing,
  certificate_mismatch: mismatch,
  api_certificate_mismatch: mismatch,
  certificate_not_registered: {
    title: 'The certificate is not one that {client} has registered',
    why: 'Nobody vouches for a self-signed certificate, so it has to be, or its key has to be, among the keys of the client.',
  },
  certificate_subject_mismatch: {
    title: 'The certificate is for somebody else than {client}',
    why: 'The CA vouches for the names in the certificate, and the client is registered with one of them. They are compared exactly.',
  },
  certificate_untrusted: {
    title: 'No CA that is trusted here has issued the certificate',
    why: 'A name in a certificate is worth something only if a trusted CA says so.',
  },
} as const satisfies Entries;
