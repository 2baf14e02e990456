import { type Case, shown } from '../case.ts';
import { compareListed, compareSentAndExpected, compareText, compareWords, registeredFor } from '../compare.ts';
import type { ReasonEntries } from '../entry.ts';
import { advice, isOurs, patchClient, setting, withoutDemand } from '../remedies.ts';
import { inApp } from '../source-text.ts';

/** What is asked of the authorization endpoint. */
export const authorizeEntries = {
  response_type_unsupported: {
    title: ({ error }) => `response_type ${shown(error.sent ?? '', 60)} is not offered`,
    why: ({ error }) =>
      /token/.test(error.sent ?? '')
        ? 'It would bring tokens through the address of the browser, where histories, logs and other scripts see them. OAuth 2.1 has removed that.'
        : 'The value is no response type this server knows.',
    fix: 'Use response_type=code. The implicit and hybrid flows are removed by OAuth 2.1, and offered only where the feature implicit is on.',
    rfc: 'RFC 6749 §3.1.1',
    compare: compareListed(', ', { expectedLabel: 'Offered' }),
    fixes: ({ error }) => [
      advice('Switch the app to the authorization code flow with PKCE.', inApp('response_type=code')),
      ...(/token/.test(error.sent ?? '')
        ? [setting('Or, to test an old application, switch it on', 'FEATURES', 'implicit=on')]
        : []),
    ],
    references: ['RFC 9700 §2.1.2'],
  },
  response_type_not_registered: {
    title: '{client} is not registered for response_type {sent}',
    fix: "Use a response type in the client's response_types, or add this one there. OAuth 2.1 has only code.",
    rfc: 'RFC 7591 §2.1',
    compare: compareListed(', ', registeredFor),
    fixes: refused => {
      const { client, who, error } = refused;
      const type = error.sent ?? '';
      if (client === undefined || error.expected?.startsWith('a response') === true) return [];
      return [
        advice('Ask for a code.', inApp('response_type=code')),
        patchClient(refused, `Enable response_type ${shown(type, 40)} for ${who}`, {
          response_types: [...client.response_types, type],
        }),
      ];
    },
  },
  response_mode_unsupported: {
    title: 'response_mode {sent} cannot be used here',
    fix: 'Use one of response_modes_supported, or leave response_mode out. Tokens go into the fragment or a form, never into a query.',
    rfc: 'OAuth 2.0 Multiple Response Types §2.1',
    compare: compareListed(', ', { expectedLabel: 'Offered' }),
  },
  prompt_invalid: {
    title: 'prompt cannot be {sent}',
    why: ({ error }) =>
      error.expected === 'none'
        ? 'none says: ask nothing. Together with a value that says what to ask it contradicts itself.'
        : `${error.description}.`,
    fix: 'Use none alone, or any of login, consent and select_account.',
    rfc: 'OIDC Core §3.1.2.1',
    compare: compareListed(', '),
  },
  nonce_missing: {
    title: 'nonce is missing',
    why: 'An ID Token that comes through the browser could be one from another login. The nonce, which the app sends and then finds in the token, shows that it is not.',
    fix: 'Send a fresh random nonce, and compare it with the nonce of the ID Token.',
    rfc: 'OIDC Core §3.2.2.1',
    compare: ({ parameters }) => compareWords([...parameters.keys()].join(', '), 'nonce, a fresh random value'),
  },
  resource_invalid: {
    title: refused =>
      isOther(refused)
        ? `${shown(refused.error.sent ?? '', 80)} was not asked for when the login started`
        : 'resource is not an absolute URI',
    why: refused =>
      isOther(refused)
        ? 'A token request may name fewer APIs than the login did, never others.'
        : 'resource names an API by its address: absolute, and without a fragment.',
    fix: 'Send resource as an absolute URI without a fragment.',
    rfc: 'RFC 8707 §2',
    compare: compareListed(' '),
  },
  parameter_malformed: {
    title: refused =>
      isChallenge(refused)
        ? 'The code_challenge is not the base64url of a SHA-256'
        : `${shown(nameIn(refused), 60)} is not in the form it must have`,
    why: refused => (isChallenge(refused) ? challengeForms(refused.error.sent ?? '') : `${refused.error.description}.`),
    fix: 'Write the parameter in the form its specification asks for, percent-encoded once.',
    rfc: 'RFC 6749 §4.1.2.1',
    compare: refused =>
      isChallenge(refused)
        ? compareWords(refused.error.sent ?? '', '43 characters of A-Z a-z 0-9 - _, without = at the end')
        : compareSentAndExpected(refused),
    fixes: refused =>
      isChallenge(refused)
        ? [
            advice(
              'Hash the verifier as text, and write the 32 bytes as base64url.',
              inApp("createHash('sha256').update(verifier).digest('base64url') // Node.js"),
            ),
          ]
        : [],
    references: ['RFC 7636 §4.2'],
  },
  acr_unmet: {
    title: 'No login here reaches the acr {sent}',
    why: 'The claims parameter calls it essential, so a login with less is no answer.',
    fix: 'Ask for an acr this server can reach, or make the claim voluntary. ACR_VALUES is the list; without it every value is believed.',
    rfc: 'RFC 9470 §5',
    compare: ({ error }) =>
      compareText(error.sent ?? '', error.expected?.split(' ') ?? [], { expectedLabel: 'Reached here' }),
    fixes: ({ error: { sent = '', expected = '' } }) =>
      expected.startsWith('at most')
        ? []
        : [setting('Let logins reach it', 'ACR_VALUES', [...expected.split(' '), sent].join(','))],
  },
  claims_malformed: {
    title: 'The claims parameter cannot be read',
    fix: 'Send claims as a JSON object with userinfo and id_token; each claim is null or an object with essential, value or values.',
    rfc: 'OIDC Core §5.5',
  },
  consent_required: {
    title: 'The user has not allowed {client} all of this before',
    why: 'prompt=none forbids to ask the user, and without asking there is no consent to what is new.',
    fix: 'Send the request once without prompt=none, so that the user can be asked; with Remember ticked, later silent ones succeed.',
    rfc: 'OIDC Core §3.1.2.6',
    compare: () => compareWords('prompt=none', 'a consent that the browser remembers, or a request that may ask'),
    fixes: refused =>
      isOurs(refused) ? withoutDemand(refused, `Do not ask for consent for ${refused.who}`, 'require_consent') : [],
  },
  authorization_details_malformed: {
    title: 'authorization_details cannot be read',
    fix: 'Send a JSON array of objects, each with a type and the fields that type has in authorizationDetailsTypes.',
    rfc: 'RFC 9396 §5',
  },
  authorization_details_type_not_registered: {
    title: '{client} is not registered for authorization details of type {sent}',
    why: 'The client names the types it uses, and may use no others.',
    fix: "Add the type to the client's authorization_details_types, or leave that member out to allow them all.",
    rfc: 'RFC 9396 §10',
    fixes: refused => {
      const { client, error, who } = refused;
      if (client === undefined) return [];
      const types = [...(client.authorization_details_types ?? []), error.sent ?? ''];
      return [
        patchClient(refused, `Allow ${shown(error.sent ?? '', 60)} for ${who}`, { authorization_details_types: types }),
      ];
    },
  },
  authorization_details_type_unknown: {
    title: 'There is no type {sent} of authorization details',
    why: 'A type says which fields its objects have, and what the user is shown; an unknown one says neither.',
    fix: 'Declare the type in authorizationDetailsTypes; the metadata lists those there are.',
    rfc: 'RFC 9396 §5',
  },
  authorization_details_widened: {
    title: 'The token request asks for more authorization details than were granted',
    why: 'The user has agreed to what the login asked for. A token request may take less of that, never more.',
    fix: 'A token request may ask for some of the granted objects, or for fewer elements of their lists, never for more.',
    rfc: 'RFC 9396 §6',
  },
} as const satisfies ReasonEntries;

function isOther({ error }: Case): boolean {
  return error.description.includes('not part of');
}

function isChallenge({ error }: Case): boolean {
  return error.description.startsWith('code_challenge ');
}

/** The parameter that a description begins with. */
function nameIn({ error }: Case): string {
  return error.description.split(' ', 1)[0] ?? '';
}

const forms: readonly (readonly [form: RegExp, why: string])[] = [
  [
    /^[0-9a-f]{64}$/i,
    'These are 64 hexadecimal digits: the hash itself is right, but it has to be written as base64url and not as hex.',
  ],
  [/^[A-Za-z0-9_-]{43}=$/, 'It ends in a padding =, which base64url has not here: leave it out.'],
  [/^[A-Za-z0-9+/ ]{43}=?$/, 'It is standard base64: + and / have to be - and _, and the = at the end goes.'],
  [/^[A-Za-z0-9_-]{86}$/, 'It is the base64url of the hash in hex: encode the 32 bytes, not their 64 digits.'],
  [/^[A-Za-z0-9._~-]{44,128}$/, 'It looks like the verifier itself: with S256 the challenge is its hash.'],
];

/** What a code_challenge that is none was made of, by its looks. */
function challengeForms(challenge: string): string {
  const [, why] = forms.find(([form]) => form.test(challenge)) ?? [];
  return (
    why ??
    `It has ${challenge.length} characters. The SHA-256 of a verifier has 32 bytes, which are 43 characters of base64url.`
  );
}
