import { compareDescribed, compareUrls } from '../compare.ts';
import type { ReasonEntries } from '../entry.ts';

/** Refusals of servers that have a list of their APIs, organizations, or second factors, as providers have them. */
export const providerEntries = {
  client_grant_missing: {
    title: 'The client may not call this API without a user',
    why: '{description}. At this provider a client needs a grant for each API that it calls as itself.',
    fix: 'Add the identifier of the API to the audience of the client, or create a grant for the client with the management API.',
    rfc: 'RFC 6749 §4.4',
    compare: compareDescribed({ sent: 'an API', expected: 'an API in the audience of the client' }),
  },
  organization_foreign: {
    title: 'The user does not belong to the organization',
    why: '{description}. The request names an organization, and only its members may log in.',
    fix: 'Add the organization to claims.organizations of the user, or log in as a member.',
    rfc: 'OIDC Core §3.1.2.6',
    compare: compareDescribed({ sent: 'an organization', expected: 'an organization of the user' }),
  },
  organization_unknown: {
    title: 'No user belongs to the organization `{sent}`',
    why: 'The request names an organization by its id or its name, and no user has it among the claim organizations.',
    fix: 'Add the organization to claims.organizations of a user: [{ "name": "acme" }].',
    rfc: 'OIDC Core §3.1.2.6',
  },
  resource_missing: {
    title: 'The request names no API',
    why: '{description}. At this provider a token of a client without a user is always for one API.',
    fix: 'Send the identifier of the API as audience.',
    rfc: 'RFC 8707 §2',
    compare: compareDescribed({ sent: 'no API', expected: 'the identifier of an API' }),
  },
  resource_unknown: {
    title: 'Unknown API `{sent}`',
    why: 'Tokens are issued only for APIs that are registered: those of the sandbox, and those in the audience of clients.',
    fix: 'Send the identifier as it is registered, character by character, or add it to the audience of a client as the request writes it.',
    rfc: 'RFC 8707 §2',
    compare: ({ error }) => compareUrls(error.sent ?? '', error.expected?.split('\n') ?? []),
  },
  second_factor_required: {
    title: 'The user has a second factor',
    why: 'The password is right. The claim factors of the user demands a second step, and the answer has a token for it.',
    fix: 'Send the token of the answer with the code of the second factor, or remove claims.factors of the user.',
    rfc: 'RFC 6749 §5.2',
  },
  second_factor_token_invalid: {
    title: 'The token for the second step is not valid',
    why: '{description}. It comes with the refusal of the first step, belongs to one client, and lasts ten minutes.',
    fix: 'Send the first step again, and use the token of its answer.',
    rfc: 'RFC 6749 §5.2',
  },
  second_factor_wrong: {
    title: 'The code of the second factor is wrong',
    why: '{description}. The code is the one in claims.factors of the user.',
    fix: 'Send the code of the factor as claims.factors of the user has it.',
    rfc: 'RFC 6749 §5.2',
  },
  signup_refused: {
    title: 'The user was not created',
    why: '{description}. Nothing was changed.',
    fix: 'Send an e-mail address that no user has, a password, and the client_id of the application.',
    rfc: 'RFC 9110 §15.5.1',
  },
} satisfies ReasonEntries;
