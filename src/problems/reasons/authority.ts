import { type Case, shown } from '../case.ts';
import { compareDescribed, compareListed, compareWords } from '../compare.ts';
import type { ReasonEntries } from '../entry.ts';
import { advice, patchClient } from '../remedies.ts';
import { inApp, literal } from '../source-text.ts';

/** What a good token does not allow: another API, another scope, another login. */
export const authorityEntries = {
  api_audience_mismatch: {
    title: 'The token of {client} is for somebody else',
    why: refused =>
      `aud names who may accept a token, and this API is not in it. Without this check a token for one API would open all of them.${
        wasAskedFor(refused) ? ' The login asked for another one with the parameter resource.' : ''
      }`,
    fix: 'Ask for the API with the parameter resource when the login starts, or register it as audience of the client.',
    rfc: 'RFC 9068 §4',
    compare: compareListed(' or ', { sentLabel: 'aud of the token', expectedLabel: 'The API is' }),
    fixes: refused => {
      const [wanted = ''] = (refused.error.expected ?? '').split(' or ');
      const ask = advice('Ask for the API when the login starts.', inApp(`resource: ${literal(wanted)}`));
      const { client, who } = refused;
      if (client === undefined || wasAskedFor(refused)) return [ask];
      const audience = [...client.audience, wanted];
      return [ask, patchClient(refused, `Make all tokens of ${who} for ${shown(wanted, 60)}`, { audience })];
    },
    references: ['RFC 8707 §2'],
  },
  api_scope_insufficient: {
    title: 'The token of {client} does not allow {expected}',
    why: refused =>
      allows(refused)
        ? 'The client may have the scope, but did not ask for it, or the user did not grant it. A token allows what was granted, no more.'
        : 'The client is not registered for the scope, so it cannot have been granted.',
    fix: 'Ask for the scope when the login starts, and log in again.',
    rfc: 'RFC 6750 §3.1',
    reported: 'A token came without the scope that the API needs',
    compare: compareDescribed({ sent: 'no scope', sentLabel: 'The token has', expectedLabel: 'The API needs' }),
    fixes: refused => {
      const { client, error, who } = refused;
      const scope = error.expected ?? '';
      const ask = advice(
        'Ask for it when the login starts, and log in again.',
        inApp(`scope: ${literal(askedScope(refused))}`),
      );
      if (client === undefined || allows(refused)) return [ask];
      return [
        patchClient(refused, `Add ${shown(scope, 60)} to ${who}`, { scope: `${client.scope} ${scope}`.trim() }),
        ask,
      ];
    },
  },
  access_token_for_another_resource: {
    title: 'The token of {client} is for another API than UserInfo',
    why: 'The request asked for a token for certain APIs, by resource. An API could use it at UserInfo to learn about the user, so UserInfo takes only tokens that are for it.',
    fix: 'Leave resource out, or ask for the address of UserInfo beside the other one: resource may be repeated.',
    rfc: 'RFC 9068 §4',
    compare: compareListed(' or ', { sentLabel: 'aud of the token', expectedLabel: 'UserInfo is' }),
    references: ['RFC 8707 §2'],
  },
  access_token_not_for_a_user: {
    title: 'The token of {client} is not about a user',
    why: 'UserInfo tells who has logged in, and with this token nobody has: the client got it for itself.',
    fix: 'A client credentials token has no user behind it. Ask with a token from a login that was granted openid.',
    rfc: 'OIDC Core §5.3',
    compare: ({ who }) => compareWords(`a token that ${who} got for itself`, 'a token from the login of a user'),
  },
  api_authentication_too_weak: {
    title: 'The login behind the token was too weak',
    why: 'The API demands a certain acr, and the login reached another one.',
    fix: 'Start a login with the acr_values of the WWW-Authenticate header, then call again.',
    rfc: 'RFC 9470 §4',
    compare: compareListed(' or ', { sentLabel: 'acr of the token', expectedLabel: 'The API needs' }),
    fixes: ({ error }) => [
      advice('Start a login for it.', inApp(`acr_values: ${literal((error.expected ?? '').split(' or ')[0] ?? '')}`)),
    ],
  },
  api_authentication_time_missing: {
    title: 'The token does not say when the user logged in',
    why: 'The API wants a fresh login, and without auth_time nobody knows how old it is.',
    fix: 'Send a token from a login of a user: one a client got for itself has no auth_time.',
    rfc: 'RFC 9470 §5',
  },
  api_authentication_too_old: {
    title: 'The login behind the token is too old',
    why: 'The API wants a login that is fresh. A refresh gives a new token, and no new login.',
    fix: 'Start a login with the max_age of the WWW-Authenticate header, then call again.',
    rfc: 'RFC 9470 §4',
    fixes: ({ error }) => [
      advice('Start a fresh login.', inApp(`max_age: ${/(\d+) s/.exec(error.expected ?? '')?.[1] ?? '0'}`)),
    ],
  },
} as const satisfies ReasonEntries;

/** What a login asks for counts more than what the client is registered for (RFC 8707 §2.2). */
function wasAskedFor({ known, error }: Case): boolean {
  const issued = known.events.issued(error.about ?? '');
  return issued?.type === 'token.issued' && issued.resources !== undefined;
}

function allows({ client, error }: Case): boolean {
  return client?.scope.split(' ').includes(error.expected ?? '') === true;
}

function askedScope({ error }: Case): string {
  const has = error.sent === undefined || error.sent === 'no scope' ? '' : error.sent;
  return `${has} ${error.expected ?? ''}`.trim();
}
