import { type Case, isMachine, shown } from '../case.ts';
import { compareDescribed, compareListed, compareWords } from '../compare.ts';
import type { ReasonEntries } from '../entry.ts';
import { advice, patchClient } from '../remedies.ts';
import { inApp, literal } from '../source-text.ts';

/** Valid tokens that do not allow the request, because of their audience, scope or login. */
export const authorityEntries = {
  api_audience_mismatch: {
    title: 'The token of {client} is for a different API',
    why: refused =>
      `The \`aud\` of a token names the APIs that may accept it, and this API is not among them. Otherwise a token for one API would work at all of them.${
        wasAskedFor(refused) ? ' The request for the token named a different API with the parameter `resource`.' : ''
      }`,
    fix: 'Request the API with the parameter resource, or register it as an audience of the client. Then get a new token.',
    rfc: 'RFC 9068 §4',
    compare: compareListed(' or ', { sentLabel: 'aud of the token', expectedLabel: 'The API is' }),
    fixes: refused => {
      const [wanted = ''] = (refused.error.expected ?? '').split(' or ');
      const when = isMachine(refused) ? 'with the token' : 'when the login starts';
      const ask = advice(`Request the API ${when}.`, inApp(`resource: ${literal(wanted)}`));
      const { client, who } = refused;
      if (client === undefined || wasAskedFor(refused)) return [ask];
      const audience = [...client.audience, wanted];
      return [ask, patchClient(refused, `Add ${shown(wanted, 60)} to the audience of ${who}`, { audience })];
    },
    references: ['RFC 8707 §2'],
  },
  api_scope_insufficient: {
    title: 'The token of {client} does not have the scope `{expected}`',
    why: refused =>
      allows(refused)
        ? `The client is registered for the scope, but it did not request the scope${isMachine(refused) ? '' : ', or the user did not grant it'}.`
        : 'The client is not registered for the scope, so the token cannot have it.',
    fix: 'Get a new token, and request the scope for it.',
    rfc: 'RFC 6750 §3.1',
    reported: 'A token did not have the scope that the API needs',
    compare: compareDescribed({ sent: 'no scope', sentLabel: 'The token has', expectedLabel: 'The API needs' }),
    fixes: refused => {
      const { client, error, who } = refused;
      const scope = error.expected ?? '';
      const ask = advice(
        isMachine(refused)
          ? 'Request the scope with a new token.'
          : 'Request the scope when the login starts, and log in again.',
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
    title: 'The token of {client} is not for UserInfo',
    why: 'The login requested a token for certain APIs with `resource`. UserInfo accepts only tokens for itself, so that such an API cannot read about the user there.',
    fix: 'Leave resource out, or send it a second time with the address of UserInfo.',
    rfc: 'RFC 9068 §4',
    compare: compareListed(' or ', { sentLabel: 'aud of the token', expectedLabel: 'UserInfo is' }),
    references: ['RFC 8707 §2'],
  },
  access_token_not_for_a_user: {
    title: 'The token of {client} has no user',
    why: 'UserInfo returns the claims of a user, but the client requested this token for itself, without a login.',
    fix: 'Send a token from a login with the scope openid. A client credentials token has no user.',
    rfc: 'OIDC Core §5.3',
    compare: ({ who }) => compareWords(`a token that ${who} requested for itself`, 'a token from the login of a user'),
  },
  api_authentication_too_weak: {
    title: 'The login of the token was too weak',
    why: 'The API requires a certain `acr`, and the login reached a different one.',
    fix: 'Start a login with the acr_values of the WWW-Authenticate header, then call again.',
    rfc: 'RFC 9470 §4',
    compare: compareListed(' or ', { sentLabel: 'acr of the token', expectedLabel: 'The API needs' }),
    fixes: ({ error }) => [
      advice(
        'Start a login with the required `acr`.',
        inApp(`acr_values: ${literal((error.expected ?? '').split(' or ')[0] ?? '')}`),
      ),
    ],
  },
  api_authentication_time_missing: {
    title: 'The token has no auth_time',
    why: 'The API requires a recent login, and only auth_time tells the time of the login.',
    fix: 'Send a token from the login of a user. A client credentials token has no auth_time.',
    rfc: 'RFC 9470 §5',
  },
  api_authentication_too_old: {
    title: 'The login of the token is too old',
    why: 'The API requires a recent login. A refresh issues a new token, but the login stays old.',
    fix: 'Start a login with the max_age of the WWW-Authenticate header, then call again.',
    rfc: 'RFC 9470 §4',
    fixes: ({ error }) => [
      advice('Start a new login.', inApp(`max_age: ${/(\d+) s/.exec(error.expected ?? '')?.[1] ?? '0'}`)),
    ],
  },
} as const satisfies ReasonEntries;

/** Tells whether the login requested a resource, which overrides the registered audience (RFC 8707 §2.2). */
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
