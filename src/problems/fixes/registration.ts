import type { Reason } from '../../oauth/errors.ts';
import type { Fix } from './fix.ts';

/** Refusals of clients that register themselves, or describe themselves in a document. */
export const registrationFixes = {
  client_metadata_invalid: {
    fix: 'Mend the member the description names. What may be registered is what the discovery document offers.',
    rfc: 'RFC 7591 §3.2.2',
  },
  initial_access_token_missing: {
    fix: 'Registration is not open here: send Authorization: Bearer with the initial access token of this sandbox (REGISTRATION_TOKEN).',
    rfc: 'RFC 7591 §3',
  },
  initial_access_token_wrong: {
    fix: 'Send the initial access token of this sandbox, REGISTRATION_TOKEN, exactly as it was configured.',
    rfc: 'RFC 7591 §3',
  },
  metadata_document_busy: {
    fix: 'Try again in a second: the sandbox fetches what clients name by address a few times a second only.',
    rfc: 'OAuth 2.0 Client ID Metadata Document §4',
  },
  metadata_document_invalid: {
    fix: 'Serve a JSON object whose client_id is its own address, character by character, with redirect_uris and without secrets.',
    rfc: 'OAuth 2.0 Client ID Metadata Document §4',
  },
  metadata_document_unavailable: {
    fix: 'The document must answer GET with 200 and application/json, without redirect, within 5 seconds and 5 kB, at an address this sandbox may call.',
    rfc: 'OAuth 2.0 Client ID Metadata Document §4',
  },
  metadata_document_url_invalid: {
    fix: 'Use an https address with a path as client_id, without fragment, user name or dots as path segments. On this machine http://localhost will do.',
    rfc: 'OAuth 2.0 Client ID Metadata Document §3',
  },
  redirect_uri_unusable: {
    fix: 'Register full addresses: https, http on a loopback host, or a scheme of your own for a native app; no fragment, no wildcard.',
    rfc: 'RFC 7591 §3.2.2',
  },
  registration_access_token_missing: {
    fix: 'Send the registration_access_token of this client: Authorization: Bearer <registration_access_token>.',
    rfc: 'RFC 7592 §2',
  },
  registration_access_token_wrong: {
    fix: 'Use the registration_access_token that came with this very client. None survives a restart or the deletion of its client.',
    rfc: 'RFC 7592 §2',
  },
  sector_document_unusable: {
    fix: 'Have sector_identifier_uri answer with a JSON array that has every redirect_uri of the client, character by character.',
    rfc: 'OIDC Registration §5',
  },
  software_statement_invalid: {
    fix: 'Send a signed JWT as software_statement, unexpired, whose issuer and keys this sandbox is configured to trust.',
    rfc: 'RFC 7591 §2.3',
  },
  software_statement_unapproved: {
    fix: 'Have the statement signed by an issuer that is among trustedIssuers of this sandbox.',
    rfc: 'RFC 7591 §3.2.2',
  },
} as const satisfies Partial<Record<Reason, Fix>>;
