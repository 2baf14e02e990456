import { allowsPostLogoutRedirectUri } from '../../../protocol/clients/client.ts';
import { type Case, named, shown } from '../case.ts';
import { compareUrls, compareWords, registeredFor } from '../compare.ts';
import type { ReasonEntries } from '../entry.ts';
import type { ProposedFix } from '../problem.ts';
import { advice } from '../remedies.ts';
import { inApp, literal } from '../source-text.ts';
import { mendAddress, sentAddress } from './client-address.ts';

/** Refused post_logout_redirect_uris (OIDC RP-Initiated Logout §2, §3). */
export const logoutEntries = {
  post_logout_redirect_uri_mismatch: {
    title: refused =>
      refused.client === undefined
        ? 'The logout names a post_logout_redirect_uri but no client'
        : `The post_logout_redirect_uri is not registered for ${named(refused.who)}`,
    why: refused =>
      refused.client === undefined
        ? 'Each client registers its own addresses, but the request has neither id_token_hint nor client_id. Many libraries lose the hint if the app removes the user from the storage before the logout.'
        : 'We compare character by character, as with redirect_uris. Otherwise a logout link could lead anywhere.',
    fix: "Add the address to the client's post_logout_redirect_uris, character by character, and send id_token_hint or client_id.",
    rfc: 'OIDC RP-Initiated Logout §3',
    reported: 'A logout had an unregistered post_logout_redirect_uri',
    compare: refused => {
      const registered = refused.client?.post_logout_redirect_uris ?? [];
      if (registered.length === 0)
        return compareWords(sentUri(refused), refused.error.expected ?? 'no registered address', {
          expectedLabel: refused.client === undefined ? 'Missing' : 'Registered',
        });
      return compareUrls(sentUri(refused), (refused.error.expected ?? '').split('\n'), registeredFor(refused));
    },
    fixes: refused =>
      refused.client === undefined ? sayWhose(refused) : mendAddress(refused, 'post_logout_redirect_uri'),
  },
} as const satisfies ReasonEntries;

/** Proposes to name the client that has the address, or to register the address if no client has it. */
function sayWhose(refused: Case): readonly ProposedFix[] {
  const uri = sentUri(refused);
  const owner = [...refused.known.registered()].find(each => allowsPostLogoutRedirectUri(each, uri));
  const hint = inApp('signoutRedirect({ id_token_hint: user.id_token })');
  if (owner !== undefined) {
    const { client_id } = owner;
    const id = inApp(`client_id: ${literal(client_id)}`);
    return [
      advice(
        `Send the ID Token of the user, or the client_id. The client \`${shown(client_id, 80)}\` has the address.`,
        hint,
        id,
      ),
    ];
  }
  return [
    advice('Send the ID Token of the user, or the client_id.', hint),
    advice('Register the address for the client. No client has it yet.', {
      where: 'clients.config.ts',
      code: `post_logout_redirect_uris: ${literal([uri])},`,
    }),
  ];
}

function sentUri(refused: Case): string {
  return sentAddress(refused, 'post_logout_redirect_uri');
}
