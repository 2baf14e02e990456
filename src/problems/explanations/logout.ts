import { allowsPostLogoutRedirectUri } from '../../oauth/clients/client.ts';
import type { Case } from '../case.ts';
import { compareUrls, compareWords } from '../compare.ts';
import type { Entries } from '../entry.ts';
import { advice, patchClient } from '../remedies.ts';
import { inApp } from '../source-text.ts';

/** Where a browser may go after a logout (OIDC RP-Initiated Logout §2, §3). */
export const logoutEntries = {
  post_logout_redirect_uri_mismatch: {
    title: refused =>
      refused.client === undefined
        ? 'post_logout_redirect_uri says not whose it is'
        : `post_logout_redirect_uri is not registered for ${refused.who}`,
    why: refused =>
      refused.client === undefined
        ? 'Addresses are registered by client, and the request names none: neither id_token_hint nor client_id is there. Most libraries forget the hint when the user was removed from the storage before the logout.'
        : 'We compare character by character, as with redirect_uris: otherwise a link to the logout could lead anywhere.',
    compare: refused => {
      const registered = refused.client?.post_logout_redirect_uris ?? [];
      if (registered.length === 0)
        return compareWords(sentUri(refused), refused.error.expected ?? 'one that is registered, and none is', {
          expectedLabel: refused.client === undefined ? 'Missing' : 'Registered',
        });
      return compareUrls(sentUri(refused), (refused.error.expected ?? '').split('\n'), {
        expectedLabel: 'Registered',
        about: `registered for ${refused.who}`,
      });
    },
    fixes: refused => {
      const { client, who } = refused;
      const uri = sentUri(refused);
      if (client === undefined)
        return [
          advice(
            'Send the ID Token of the user, or the client_id.',
            inApp('signoutRedirect({ id_token_hint: user.id_token })'),
          ),
        ];
      if (allowsPostLogoutRedirectUri(client, uri)) return [advice(`${who} may use it now. Send the request again.`)];
      const uris = { post_logout_redirect_uris: [...client.post_logout_redirect_uris, uri] };
      return [patchClient(refused, `Add this URI to ${who}`, uris)];
    },
  },
} as const satisfies Entries;

function sentUri({ parameters, error }: Case): string {
  return parameters.get('post_logout_redirect_uri') ?? error.sent ?? '';
}
