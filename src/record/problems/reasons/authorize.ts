import { endsInLineBreak } from '../../../protocol/parameters.ts';
import { type Case, shown } from '../case.ts';
import { compareListed, compareSentAndExpected, compareText, compareWords, registeredFor } from '../compare.ts';
import type { ReasonEntries } from '../entry.ts';
import { advice, isOurs, patchClient, setting, withoutDemand } from '../remedies.ts';
import { inApp } from '../source-text.ts';

/** Refused authorization requests (RFC 6749 §4.1). */
export const authorizeEntries = {
  response_type_unsupported: {
    title: ({ error }) => `The response_type \`${shown(error.sent ?? '', 60)}\` is not offered`,
    why: ({ error }) =>
      /token/.test(error.sent ?? '')
        ? 'This response type puts tokens into the address of the browser, where histories, logs and scripts can read them. OAuth 2.1 removed it.'
        : 'This server does not know this response type.',
    fix: 'Use response_type=code. OAuth 2.1 removed the implicit and hybrid flows. This server offers them only with the feature implicit.',
    rfc: 'RFC 6749 §3.1.1',
    compare: compareListed(', ', { expectedLabel: 'Offered' }),
    fixes: ({ error }) => [
      advice('Switch the app to the authorization code flow with PKCE.', inApp('response_type=code')),
      ...(/token/.test(error.sent ?? '')
        ? [setting('Or switch it on to test an old app', 'FEATURES', 'implicit=on')]
        : []),
    ],
    references: ['RFC 9700 §2.1.2'],
  },
  response_type_not_registered: {
    title: '{client} is not registered for response_type `{sent}`',
    fix: "Use a response type in the client's response_types, or add this one there. OAuth 2.1 has only code.",
    rfc: 'RFC 7591 §2.1',
    compare: compareListed(', ', registeredFor),
    fixes: refused => {
      const { client, who, error } = refused;
      const type = error.sent ?? '';
      if (client === undefined || error.expected?.startsWith('a response') === true) return [];
      return [
        advice('Request a code.', inApp('response_type=code')),
        patchClient(refused, `Enable response_type ${shown(type, 40)} for ${who}`, {
          response_types: [...client.response_types, type],
        }),
      ];
    },
  },
  response_mode_unsupported: {
    title: 'The response_mode `{sent}` is not allowed here',
    fix: 'Use one of the modes that are offered. Tokens are sent in the fragment or in a form, never in the query.',
    rfc: 'OAuth 2.0 Multiple Response Types §2.1',
    compare: compareListed(', ', { expectedLabel: 'Offered' }),
  },
  prompt_invalid: {
    title: 'The prompt `{sent}` is not valid',
    why: ({ error }) =>
      error.expected === 'none'
        ? 'The value `none` forbids every question, so it contradicts any other value.'
        : `${error.description}.`,
    fix: 'Send none alone, or any of login, consent and select_account.',
    rfc: 'OIDC Core §3.1.2.1',
    compare: compareListed(', '),
  },
  nonce_missing: {
    title: 'The nonce is missing',
    why: 'An ID token that arrives through the browser may be from a different sign-in. The app recognises its own by the nonce that it sent.',
    fix: 'Send a new random nonce, and compare it with the nonce of the ID token.',
    rfc: 'OIDC Core §3.2.2.1',
    compare: ({ parameters }) => compareWords([...parameters.keys()].join(', '), 'nonce, a new random value'),
  },
  resource_invalid: {
    title: refused =>
      isOther(refused)
        ? `The sign-in did not request the resource \`${shown(refused.error.sent ?? '', 80)}\``
        : 'The resource is not an absolute URI',
    why: refused =>
      isOther(refused)
        ? 'A token request may name fewer APIs than the sign-in, but no new ones.'
        : 'The parameter `resource` names an API by its absolute URI, without a fragment.',
    fix: 'Send resource as an absolute URI without a fragment.',
    rfc: 'RFC 8707 §2',
    compare: compareListed(' '),
  },
  parameter_malformed: {
    title: refused =>
      isChallenge(refused)
        ? 'The code_challenge is not a SHA-256 in base64url'
        : `The parameter \`${shown(nameIn(refused), 60)}\` ${hasLineBreak(refused) ? 'ends in a line break' : 'is malformed'}`,
    why: refused => (isChallenge(refused) ? challengeForms(refused.error.sent ?? '') : `${refused.error.description}.`),
    fix: 'Write the parameter as its specification says, and percent-encode it once.',
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
        : hasLineBreak(refused)
          ? [advice('Remove the line break.', inApp("readFileSync(path, 'utf8').trim() // Node.js"))]
          : [],
    references: ['RFC 7636 §4.2'],
  },
  acr_unmet: {
    title: 'No sign-in reaches the acr `{sent}`',
    why: 'The claims parameter requires this acr as essential, so a weaker sign-in must be refused.',
    fix: 'Request an acr that this server reaches, or make the claim voluntary. ACR_VALUES lists them; without it, every value is accepted.',
    rfc: 'RFC 9470 §5',
    compare: ({ error }) =>
      compareText(error.sent ?? '', error.expected?.split(' ') ?? [], { expectedLabel: 'Available' }),
    fixes: ({ error: { sent = '', expected = '' } }) =>
      expected.startsWith('at most')
        ? []
        : [setting('Let sign-ins reach this acr', 'ACR_VALUES', [...expected.split(' '), sent].join(','))],
  },
  claims_malformed: {
    title: 'The claims parameter is malformed',
    fix: 'Send claims as a JSON object with userinfo and id_token. Each claim in them is null, or an object with essential, value or values.',
    rfc: 'OIDC Core §5.5',
  },
  consent_required: {
    title: 'The user has not consented to all requested scopes of {client}',
    why: 'With `prompt=none` the server must not ask the user, so it cannot get consent for new scopes.',
    fix: 'Send the request once without prompt=none and let the user tick Remember. Later silent requests succeed.',
    rfc: 'OIDC Core §3.1.2.6',
    compare: () =>
      compareWords('prompt=none', 'an earlier consent to all requested access, or a request that may ask the user'),
    fixes: refused =>
      isOurs(refused) ? withoutDemand(refused, `Skip the consent page for ${refused.who}`, 'require_consent') : [],
  },
  authorization_details_malformed: {
    title: 'The authorization_details are malformed',
    fix: 'Send a JSON array of objects. Each has a type, and the fields of this type in authorizationDetailsTypes.',
    rfc: 'RFC 9396 §5',
  },
  authorization_details_type_not_registered: {
    title: '{client} is not registered for authorization details of type `{sent}`',
    why: 'The registration of the client lists the types that it may use.',
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
    title: 'The authorization details type `{sent}` is unknown',
    why: 'A type defines the fields of its objects and the text for the user, so the server cannot use an unknown type.',
    fix: 'Declare the type in authorizationDetailsTypes. The metadata lists the known types.',
    rfc: 'RFC 9396 §5',
  },
  authorization_details_widened: {
    title: 'The token request has more authorization details than were granted',
    why: 'The user agreed to the details of the sign-in. A token request may ask for less, but not for more.',
    fix: 'Request only granted objects, or fewer elements of their lists.',
    rfc: 'RFC 9396 §6',
  },
} as const satisfies ReasonEntries;

/** A valid resource is only refused where the login did not name it. */
function isOther({ error }: Case): boolean {
  return URL.canParse(error.sent ?? '') && !error.sent?.includes('#');
}

function isChallenge({ error }: Case): boolean {
  return error.description.startsWith('code_challenge ');
}

function nameIn({ error }: Case): string {
  return error.description.split(' ', 1)[0] ?? '';
}

function hasLineBreak({ error }: Case): boolean {
  return error.description.includes(endsInLineBreak);
}

const forms: readonly (readonly [form: RegExp, why: string])[] = [
  [
    /^[0-9a-f]{64}$/i,
    'The value has 64 hexadecimal digits. The hash is right, but it must be in base64url instead of hex.',
  ],
  [/^[A-Za-z0-9_-]{43}=$/, 'The value ends in padding (=). PKCE uses base64url without padding.'],
  [/^[A-Za-z0-9+/ ]{43}=?$/, 'The value is standard base64. Replace + by - and / by _, and remove the = at the end.'],
  [/^[A-Za-z0-9_-]{86}$/, 'The value is the base64url of the hash in hex. Encode the 32 bytes, not their 64 digits.'],
  [
    /^[A-Za-z0-9._~-]{44,128}$/,
    'The value looks like the verifier itself. With S256 the challenge is the hash of the verifier.',
  ],
];

function challengeForms(challenge: string): string {
  const [, why] = forms.find(([form]) => form.test(challenge)) ?? [];
  return (
    why ??
    `The value has ${challenge.length} characters. The SHA-256 of a verifier has 32 bytes, which are 43 characters in base64url.`
  );
}
