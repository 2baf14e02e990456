import { compareSentAndExpected, compareWords } from '../compare.ts';
import type { ReasonEntries } from '../entry.ts';
import { advice, setting } from '../remedies.ts';
import { shellQuoted } from '../source-text.ts';

/** Clients that register themselves (RFC 7591, RFC 7592), or describe themselves in a document. */
export const registrationEntries = {
  client_metadata_invalid: {
    title: 'The client metadata has a member that cannot be registered',
    fix: 'Mend the member the description names. What may be registered is what the discovery document offers.',
    rfc: 'RFC 7591 §3.2.2',
  },
  redirect_uri_unusable: {
    title: 'A redirect URI that cannot be registered',
    why: '{description}. Codes are sent there, so it must be an address that only the client can have.',
    fix: 'Register full addresses: https, http on a loopback host, or a scheme of your own for a native app; no fragment, no wildcard.',
    rfc: 'RFC 7591 §3.2.2',
  },
  initial_access_token_missing: {
    title: 'Registration is not open here, and no token came',
    why: 'This sandbox is configured to register only clients of those who have its initial access token.',
    fix: 'Registration is not open here: send Authorization: Bearer with the initial access token of this sandbox (REGISTRATION_TOKEN).',
    rfc: 'RFC 7591 §3',
    compare: () =>
      compareWords('no Authorization header', 'Authorization: Bearer with the token of REGISTRATION_TOKEN'),
    fixes: refused => [
      advice('Send the token.', {
        where: 'curl',
        code: `curl ${shellQuoted(`${new URL(refused.known.issuer).origin}${refused.request?.path ?? ''}`)} --header "Authorization: Bearer $REGISTRATION_TOKEN" --json @client.json`,
      }),
      setting('Or open the registration', 'REGISTRATION', 'open'),
    ],
  },
  initial_access_token_wrong: {
    title: 'The initial access token is not the one of this sandbox',
    why: 'It is compared with REGISTRATION_TOKEN, character by character.',
    fix: 'Send the initial access token of this sandbox, REGISTRATION_TOKEN, exactly as it was configured.',
    rfc: 'RFC 7591 §3',
    compare: () => compareWords('another token', 'the token of REGISTRATION_TOKEN'),
    fixes: () => [setting('Or open the registration', 'REGISTRATION', 'open')],
  },
  registration_access_token_missing: {
    title: 'Whoever reads or changes a registration has to prove that it is theirs',
    why: 'The registration_access_token of the client has to come along, and none did.',
    fix: 'Send the registration_access_token of this client: Authorization: Bearer <registration_access_token>.',
    rfc: 'RFC 7592 §2',
    compare: () => compareWords('no Authorization header', 'Authorization: Bearer with the registration_access_token'),
  },
  registration_access_token_wrong: {
    title: 'The registration_access_token is not the one of this client',
    why: 'Each client has its own, and it goes with the client: after a deletion or a restart it opens nothing.',
    fix: 'Use the registration_access_token that came with this very client. None survives a restart or the deletion of its client.',
    rfc: 'RFC 7592 §2',
    compare: () => compareWords('another token', 'the registration_access_token of this client'),
  },
  metadata_document_busy: {
    title: 'Too many documents of clients at once',
    why: 'The sandbox fetches metadata, keys and request objects a few times a second only, so that nobody can use it to flood others.',
    fix: 'Try again in a second: the sandbox fetches what clients name by address a few times a second only.',
    rfc: 'OAuth 2.0 Client ID Metadata Document §4',
  },
  metadata_document_invalid: {
    title: 'The document at {client} does not describe this client',
    why: '{description}. Whoever serves the address says what the client is, so it has to name that very address.',
    fix: 'Serve a JSON object whose client_id is its own address, character by character, with redirect_uris and without secrets.',
    rfc: 'OAuth 2.0 Client ID Metadata Document §4',
    compare: refused =>
      compareSentAndExpected(refused) ??
      compareWords(refused.error.description, 'a document that describes this client'),
  },
  metadata_document_unavailable: {
    title: 'The document at {client} cannot be read',
    why: '{description}. In a container localhost is the container itself.',
    fix: 'The document must answer GET with 200 and application/json, without redirect, within 5 seconds and 5 kB, at an address this sandbox may call.',
    rfc: 'OAuth 2.0 Client ID Metadata Document §4',
    compare: refused =>
      compareSentAndExpected(refused) ??
      compareWords(refused.who, 'an address that answers 200 with JSON', { sentLabel: 'Looked for at' }),
    fixes: () => [setting('Let the sandbox call other addresses', 'OUTBOUND', 'any')],
  },
  metadata_document_url_invalid: {
    title: 'The client_id is an address that no document can have',
    fix: 'Use an https address with a path as client_id, without fragment, user name or dots as path segments. On this machine http://localhost will do.',
    rfc: 'OAuth 2.0 Client ID Metadata Document §3',
  },
  sector_document_unusable: {
    title: 'The sector_identifier_uri does not list the redirect URIs',
    why: '{description}. It says which addresses belong together, so that nobody can join the sector of somebody else.',
    fix: 'Have sector_identifier_uri answer with a JSON array that has every redirect_uri of the client, character by character.',
    rfc: 'OIDC Registration §5',
  },
  software_statement_invalid: {
    title: 'The software_statement is not good',
    fix: 'Send a signed JWT as software_statement, unexpired, whose issuer and keys this sandbox is configured to trust.',
    rfc: 'RFC 7591 §2.3',
  },
  software_statement_unapproved: {
    title: 'Nobody who is trusted here has signed the software_statement',
    why: 'A statement is worth something only if its issuer is trusted. None of trustedIssuers is the one.',
    fix: 'Have the statement signed by an issuer that is among trustedIssuers of this sandbox.',
    rfc: 'RFC 7591 §3.2.2',
  },
} as const satisfies ReasonEntries;
