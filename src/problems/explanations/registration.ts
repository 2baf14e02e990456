import type { Case } from '../case.ts';
import { compareSentAndExpected, compareWords } from '../compare.ts';
import type { Entries } from '../entry.ts';
import { advice, setting } from '../remedies.ts';
import { shellQuoted } from '../source-text.ts';

const described = ({ error }: Case) => `${error.description}.`;

/** Clients that register themselves (RFC 7591, RFC 7592), or describe themselves in a document. */
export const registrationEntries = {
  client_metadata_invalid: {
    title: 'The client metadata has a member that cannot be registered',
    why: described,
  },
  redirect_uri_unusable: {
    title: 'A redirect URI that cannot be registered',
    why: ({ error }) =>
      `${error.description}. Codes are sent there, so it must be an address that only the client can have.`,
  },
  initial_access_token_missing: {
    title: 'Registration is not open here, and no token came',
    why: 'This sandbox is configured to register only clients of those who have its initial access token.',
    compare: () =>
      compareWords('no Authorization header', 'Authorization: Bearer with the token of REGISTRATION_TOKEN'),
    fixes: refused => [
      advice('Send the token.', {
        where: 'curl',
        code: `curl ${shellQuoted(`${new URL(refused.known.issuer).origin}${refused.request?.path ?? ''}`)} --header "Authorization: Bearer $REGISTRATION_TOKEN" --json @client.json`,
      }),
      setting('Or open the registration', 'REGISTRATION', 'open'),
    ],
    fix: '',
  },
  initial_access_token_wrong: {
    title: 'The initial access token is not the one of this sandbox',
    why: 'It is compared with REGISTRATION_TOKEN, character by character.',
    compare: () => compareWords('another token', 'the token of REGISTRATION_TOKEN'),
    fixes: () => [setting('Or open the registration', 'REGISTRATION', 'open')],
  },
  registration_access_token_missing: {
    title: 'Whoever reads or changes a registration has to prove that it is theirs',
    why: 'The registration_access_token of the client has to come along, and none did.',
    compare: () => compareWords('no Authorization header', 'Authorization: Bearer with the registration_access_token'),
  },
  registration_access_token_wrong: {
    title: 'The registration_access_token is not the one of this client',
    why: 'Each client has its own, and it goes with the client: after a deletion or a restart it opens nothing.',
    compare: () => compareWords('another token', 'the registration_access_token of this client'),
  },
  metadata_document_busy: {
    title: 'Too many documents of clients at once',
    why: 'The sandbox fetches metadata, keys and request objects a few times a second only, so that nobody can use it to flood others.',
  },
  metadata_document_invalid: {
    title: 'The document at {client} does not describe this client',
    why: ({ error }) =>
      `${error.description}. Whoever serves the address says what the client is, so it has to name that very address.`,
    compare: refused =>
      compareSentAndExpected(refused) ??
      compareWords(refused.error.description, 'a document that describes this client'),
  },
  metadata_document_unavailable: {
    title: 'The document at {client} cannot be read',
    why: ({ error }) => `${error.description}. In a container localhost is the container itself.`,
    compare: refused =>
      compareSentAndExpected(refused) ??
      compareWords(refused.who, 'an address that answers 200 with JSON', { sentLabel: 'Looked for at' }),
    fixes: () => [setting('Let the sandbox call other addresses', 'OUTBOUND', 'any')],
  },
  metadata_document_url_invalid: {
    title: 'The client_id is an address that no document can have',
    why: described,
  },
  sector_document_unusable: {
    title: 'The sector_identifier_uri does not list the redirect URIs',
    why: ({ error }) =>
      `${error.description}. It says which addresses belong together, so that nobody can join the sector of somebody else.`,
  },
  software_statement_invalid: {
    title: 'The software_statement is not good',
    why: described,
  },
  software_statement_unapproved: {
    title: 'Nobody who is trusted here has signed the software_statement',
    why: 'A statement is worth something only if its issuer is trusted. None of trustedIssuers is the one.',
  },
} as const satisfies Entries;
