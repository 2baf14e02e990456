import { allowsPostLogoutRedirectUri } from '../../oauth/clients/client.ts';
import { type Case, shown } from '../case.ts';
import { compareUrls, compareWords, registeredFor } from '../compare.ts';
import type { ReasonEntries } from '../entry.ts';
import type { ProposedFix } from '../problem.ts';
import { advice } from '../remedies.ts';
import { inApp, literal } from '../source-text.ts';
import { mendAddress, sentAddress } from './client-address.ts';

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
    fix: "Add the address to the client's post_logout_redirect_uris, character by character, and send id_token_hint or client_id.",
    rfc: 'OIDC RP-Initiated Logout §3',
    reported: 'A logout named a way back that is not registered',
    compare: refused => {
      const registered = refused.client?.post_logout_redirect_uris ?? [];
      if (registered.length === 0)
        return compareWords(sentUri(refused), refused.error.expected ?? 'one that is registered, and none is', {
          expectedLabel: refused.client === undefined ? 'Missing' : 'Registered',
        });
      return compareUrls(sentUri(refused), (refused.error.expected ?? '').split('\n'), registeredFor(refused));
    },
    fixes: refused =>
      refused.client === undefined ? sayWhose(refused) : mendAddress(refused, 'post_logout_redirect_uri'),
  },
} as const satisfies ReasonEntries;

/** The client with the address is the one that is meant; where no client has it, an entry has to get it. */
function sayWhose(refused: Case): readonly ProposedFix[] {
  const uri = sentUri(refused);
  const owner = [...refused.known.registered()].find(each => allowsPostLogoutRedirectUri(each, uri));
  const hint = inApp('signoutRedirect({ id_token_hint: user.id_token })');
  if (owner !== undefined) {
    const { client_id } = owner;
    const id = inApp(`client_id: ${literal(client_id)}`);
    return [
      advice(`Send the ID Token of the user, or the client_id: ${shown(client_id, 80)} has the address.`, hint, id),
    ];
  }
  return [
    advice('Send the ID Token of the user, or the client_id.', hint),
    advice('Register the address for that client: no client has it.', {
      where: 'clients.config.ts',
      code: `post_logout_redirect_uris: ${literal([uri])},`,
    }),
  ];
}

function sentUri(refused: Case): string {
  return sentAddress(refused, 'post_logout_redirect_uri');
}
