import { compareDescribed } from '../compare.ts';
import type { ReasonEntries } from '../entry.ts';

/** Refusals of providers that have types of redirect URIs, one resource a token, and several tenants. */
export const platformEntries = {
  redirect_uri_not_for_pages: {
    title: 'A page redeems a grant of {client} that is not for pages',
    why: 'The redirect URI of this login is not of the type SPA, so only a server may redeem its code and its refresh tokens. A request with the header Origin comes from a page.',
    fix: 'Add the redirect_uri to spa_redirect_uris of the client, or redeem the code on a server.',
    rfc: 'RFC 6454 §7',
    compare: compareDescribed({ sent: 'a request with Origin', expected: 'a request without Origin' }),
  },
  redirect_uri_only_for_pages: {
    title: 'A program redeems a grant of {client} that is for pages',
    why: 'The redirect URI of this login is of the type SPA, so only pages of another origin may redeem its code and its refresh tokens. This request has no header Origin: no browser sent it.',
    fix: 'Redeem the code on the page. For a server or a native application, give the client a secret or application_type native.',
    rfc: 'RFC 6454 §7',
    compare: compareDescribed({ sent: 'a request without Origin', expected: 'a request with Origin' }),
  },
  requested_token_use_unsupported: {
    title: 'requested_token_use has a value that is not supported',
    why: 'The only use of this parameter is `on_behalf_of`: an API redeems the access token that it was called with.',
    fix: 'Send requested_token_use=on_behalf_of.',
    rfc: 'RFC 7523 §2.1',
    compare: compareDescribed({ sent: 'no requested_token_use', expected: 'on_behalf_of' }),
  },
  scope_not_default: {
    title: 'The scope of a client without a user must end with /.default',
    why: 'A client that acts for itself gets all of its permissions of one API. It does not choose among them, so the scope names the API and ends with `/.default`.',
    fix: 'Send one scope: the identifier URI of the API, followed by /.default.',
    rfc: 'RFC 6749 §4.4.2',
    compare: compareDescribed({ sent: 'no scope', expected: 'api://…/.default' }),
  },
  scope_of_several_resources: {
    title: 'The scopes of one token request are of several APIs',
    why: '{description}. An access token is for one API, so a token request may name scopes of only one.',
    fix: 'Send one token request for each API. The refresh token works for all of them.',
    rfc: 'RFC 8707 §2.2',
    compare: compareDescribed({ sent: 'scopes', expected: 'scopes of one resource' }),
  },
  tenant_unknown: {
    title: 'The path names a tenant that this sandbox does not have',
    why: 'The first part of the path is the tenant: its id, its domain, or common, organizations or consumers.',
    fix: 'Use the tenant of the preset in the authority, or set the option tenant of the preset to this value.',
    rfc: 'OIDC Discovery §4',
    compare: compareDescribed({ sent: 'no tenant', expected: 'the tenant of the preset' }),
  },
  user_assertion_audience_mismatch: {
    title: 'The assertion that {client} sent is a token for another API',
    why: 'An API may redeem only access tokens that it was called with: their `aud` is its client_id or one of its identifier URIs, which are `audience` of its client.',
    fix: 'Ask for a scope of this API in the application that calls it, or add the identifier URI to audience of the client.',
    rfc: 'RFC 7523 §3',
    compare: compareDescribed({ sent: 'another aud', expected: 'the client_id or an audience of the client' }),
  },
  user_assertion_expired: {
    title: 'The assertion that {client} sent is not within its lifetime',
    why: 'The access token of the user must still be valid when the API redeems it.',
    fix: 'Renew the access token in the application before it calls the API.',
    rfc: 'RFC 7523 §3',
    compare: compareDescribed({ sent: 'an earlier time', expected: 'an access token within its lifetime' }),
  },
  user_assertion_unusable: {
    title: 'The assertion that {client} sent is not an access token of a user',
    why: '{description}. An API acts on behalf of the user in the access token that it was called with.',
    fix: 'Send the access token from the Authorization header of the call as assertion, without the word Bearer.',
    rfc: 'RFC 7523 §3',
    compare: compareDescribed({ sent: 'another token', expected: 'an access token of a user' }),
  },
} satisfies ReasonEntries;
