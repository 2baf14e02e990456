import { compareSentAndExpected, compareWords } from '../compare.ts';
import type { ReasonEntries } from '../entry.ts';
import { advice, setting } from '../remedies.ts';
import { shellQuoted } from '../source-text.ts';
import { isWord, noVariable } from './bearer-header.ts';

/** Refused client registrations (RFC 7591, RFC 7592) and client metadata documents. */
export const registrationEntries = {
  client_metadata_invalid: {
    title: 'The client metadata has an invalid member',
    fix: 'Correct the member that the description names. The discovery document lists the supported values.',
    rfc: 'RFC 7591 §3.2.2',
  },
  redirect_uri_unusable: {
    title: 'The redirect URI cannot be registered',
    why: '{description}. The server sends codes to a redirect URI, so it must belong to the client alone.',
    fix: 'Register full addresses: https, http on a loopback host, or a private scheme for a native app. Fragments and wildcards are not allowed.',
    rfc: 'RFC 7591 §3.2.2',
  },
  initial_access_token_missing: {
    title: 'The registration has no initial access token',
    why: 'This sandbox registers only clients that send its initial access token.',
    fix: 'Send Authorization: Bearer with the initial access token of this sandbox (REGISTRATION_TOKEN).',
    rfc: 'RFC 7591 §3',
    compare: () =>
      compareWords('no Authorization header', 'Authorization: Bearer with the value of REGISTRATION_TOKEN'),
    fixes: refused => [
      advice('Send the token.', {
        where: 'curl',
        code: `curl ${shellQuoted(`${new URL(refused.known.issuer).origin}${refused.request?.path ?? ''}`)} --header "Authorization: Bearer $REGISTRATION_TOKEN" --json @client.json`,
      }),
      setting('Or open the registration to everybody', 'REGISTRATION', 'open'),
    ],
  },
  initial_access_token_wrong: {
    title: 'The initial access token is wrong',
    why: ({ error }) =>
      isWord(error.sent)
        ? noVariable
        : 'The token is not the value of REGISTRATION_TOKEN. They are compared character by character.',
    fix: 'Send the value of REGISTRATION_TOKEN as it is configured.',
    rfc: 'RFC 7591 §3',
    compare: ({ error }) => compareWords(error.sent ?? 'a different token', 'the value of REGISTRATION_TOKEN'),
    fixes: () => [setting('Or open the registration to everybody', 'REGISTRATION', 'open')],
  },
  registration_access_token_missing: {
    title: 'The registration_access_token is missing',
    why: 'Only the owner of a registration may read or change it. The registration_access_token of the client proves this.',
    fix: 'Send the registration_access_token of this client: Authorization: Bearer <registration_access_token>.',
    rfc: 'RFC 7592 §2',
    compare: () => compareWords('no Authorization header', 'Authorization: Bearer with the registration_access_token'),
  },
  registration_access_token_wrong: {
    title: 'The registration_access_token is wrong',
    why: ({ error }) =>
      isWord(error.sent)
        ? noVariable
        : 'Each client has its own token. The token stops working when the client is deleted or the sandbox restarts.',
    fix: 'Send the registration_access_token that was issued for this client. It stops working when the client is deleted or the sandbox restarts.',
    rfc: 'RFC 7592 §2',
    compare: ({ error }) =>
      compareWords(error.sent ?? 'a different token', 'the registration_access_token of this client'),
  },
  metadata_document_busy: {
    title: 'The sandbox fetches too many client documents',
    why: 'The sandbox fetches only a few metadata documents, keys and request objects in a second, so that nobody can use it to flood other servers.',
    fix: 'Try again in a second. The sandbox fetches only a few documents of clients in a second.',
    rfc: 'OAuth 2.0 Client ID Metadata Document §4',
  },
  metadata_document_invalid: {
    title: 'The document at {client} does not describe this client',
    why: '{description}. The document describes the client of its own address, so its client_id must be this address.',
    fix: 'Serve a JSON object whose client_id is exactly its own address, with redirect_uris and without secrets.',
    rfc: 'OAuth 2.0 Client ID Metadata Document §4',
    compare: refused =>
      compareSentAndExpected(refused) ??
      compareWords(refused.error.description, 'a document that describes this client'),
  },
  metadata_document_unavailable: {
    title: 'The document at {client} cannot be read',
    why: '{description}. In a container, localhost is the container itself.',
    fix: 'Serve the document at an address that this sandbox may call. It must answer GET with 200 and application/json, without a redirect, within 5 seconds and with at most 5 kB.',
    rfc: 'OAuth 2.0 Client ID Metadata Document §4',
    compare: refused =>
      compareSentAndExpected(refused) ??
      compareWords(refused.who, 'an address that answers 200 with JSON', { sentLabel: 'Looked for at' }),
    fixes: () => [setting('Let the sandbox call other addresses', 'OUTBOUND', 'any')],
  },
  metadata_document_url_invalid: {
    title: 'The client_id is not a valid address for a document',
    fix: 'Use an https address with a path as client_id, without fragment, user name or dot segments. On this machine, http://localhost is allowed.',
    rfc: 'OAuth 2.0 Client ID Metadata Document §3',
  },
  sector_document_unusable: {
    title: 'The sector_identifier_uri does not list the redirect URIs',
    why: '{description}. The document lists the addresses of a sector, so that no client can join a foreign sector.',
    fix: 'Serve a JSON array at sector_identifier_uri that has every redirect_uri of the client, character by character.',
    rfc: 'OIDC Registration §5',
  },
  software_statement_invalid: {
    title: 'The software_statement is not valid',
    fix: 'Send a signed, unexpired JWT of a trusted issuer as software_statement.',
    rfc: 'RFC 7591 §2.3',
  },
  software_statement_unapproved: {
    title: 'No trusted issuer signed the software_statement',
    why: 'The server accepts a statement only from a trusted issuer. The issuer of this one is not in trustedIssuers.',
    fix: 'Let an issuer in trustedIssuers of this sandbox sign the statement.',
    rfc: 'RFC 7591 §3.2.2',
  },
} as const satisfies ReasonEntries;
