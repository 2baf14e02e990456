import { tokenEndpointAuthMethods } from '../../oauth/clients/client.ts';

/** How a member of a client stands in a form. `lines` has one value a line, `choices` a box for each. */
export type FieldKind = 'text' | 'secret' | 'words' | 'lines' | 'number' | 'flag' | 'choice' | 'choices';

/** One member of a client in the form. */
export interface FormField {
  /** As in `clients.config.ts`. */
  readonly name: string;
  readonly label: string;
  readonly kind: FieldKind;
  readonly hint?: string;
  readonly options?: readonly Option[];
}

export interface Option {
  readonly value: string;
  readonly label: string;
}

export interface Section {
  readonly title: string;
  readonly fields: readonly FormField[];
}

const plain = (values: readonly string[]): readonly Option[] => values.map(value => ({ value, label: value }));

const grants: readonly Option[] = [
  { value: 'authorization_code', label: 'authorization code: a login in the browser' },
  { value: 'refresh_token', label: 'refresh token' },
  { value: 'client_credentials', label: 'client credentials: for itself, without a user' },
  { value: 'urn:ietf:params:oauth:grant-type:device_code', label: 'device code' },
  { value: 'urn:ietf:params:oauth:grant-type:token-exchange', label: 'token exchange' },
  { value: 'urn:ietf:params:oauth:grant-type:jwt-bearer', label: 'JWT bearer' },
  { value: 'urn:openid:params:grant-type:ciba', label: 'CIBA: the user approves on another device' },
  { value: 'password', label: 'password, removed by OAuth 2.1' },
  { value: 'implicit', label: 'implicit and hybrid, removed by OAuth 2.1' },
];

/** `urn:ietf:params:oauth:grant-type:device_code` is `device_code` on a list. */
export function shortGrant(grant: string): string {
  return grant.slice(grant.lastIndexOf(':') + 1);
}

const addresses: Section = {
  title: 'Name and addresses',
  fields: [
    { name: 'client_name', label: 'Name', kind: 'text', hint: 'Shown on the login screen. Empty: the client_id.' },
    {
      name: 'redirect_uris',
      label: 'Redirect URIs, one a line',
      kind: 'lines',
      hint: 'Compared character by character (RFC 6749 §3.1.2.3).',
    },
    { name: 'loopback_redirects', label: 'Also any address on localhost, 127.0.0.1 and [::1]', kind: 'flag' },
    { name: 'post_logout_redirect_uris', label: 'Redirect URIs after logout, one a line', kind: 'lines' },
    {
      name: 'web_origins',
      label: 'Further origins of its pages, one a line',
      kind: 'lines',
      hint: 'Pages of these may call from a browser (CORS), besides those of its redirect URIs and of localhost.',
    },
  ],
};

const authentication: Section = {
  title: 'Authentication',
  fields: [
    {
      name: 'token_endpoint_auth_methods',
      label: 'Methods',
      kind: 'choices',
      options: plain(tokenEndpointAuthMethods),
      hint: 'A client whose entry names no method sends its secret by Basic or in the body. With none it has no secret, and must use PKCE.',
    },
    { name: 'client_secret', label: 'Secret', kind: 'secret' },
  ],
};

const permissions: Section = {
  title: 'What it may ask for',
  fields: [
    { name: 'grant_types', label: 'Grant types', kind: 'choices', options: grants },
    {
      name: 'scope',
      label: 'Scopes, with spaces between',
      kind: 'words',
      hint: 'Empty: all scopes of this sandbox. A scope that is new here is known from then on.',
    },
    {
      name: 'audience',
      label: 'Audience of its access tokens, one a line',
      kind: 'lines',
      hint: 'Empty: the client_id. A request with a resource asks for another (RFC 8707).',
    },
  ],
};

const policy: Section = {
  title: 'Login',
  fields: [
    { name: 'require_pkce', label: 'PKCE is required', kind: 'flag' },
    { name: 'require_consent', label: 'The user is asked for consent', kind: 'flag' },
    {
      name: 'require_pushed_authorization_requests',
      label: 'Authorization requests must be pushed (PAR)',
      kind: 'flag',
    },
    { name: 'dpop_bound_access_tokens', label: 'Tokens are bound to a key (DPoP)', kind: 'flag' },
    {
      name: 'auto_login',
      label: 'Signs in without a click',
      kind: 'text',
      hint: 'A sub, username or e-mail address. Empty: as the sandbox is set (AUTO_LOGIN).',
    },
  ],
};

const tokens: Section = {
  title: 'Tokens',
  fields: [
    { name: 'access_token_format', label: 'Access tokens are', kind: 'choice', options: plain(['jwt', 'opaque']) },
    { name: 'access_token_lifetime', label: 'Access tokens live (300, 5m, 8h)', kind: 'number' },
    { name: 'id_token_lifetime', label: 'ID Tokens live (300, 5m, 8h)', kind: 'number' },
    { name: 'refresh_token_lifetime', label: 'Refresh tokens live (300, 5m, 8h)', kind: 'number' },
    { name: 'refresh_token_rotation', label: 'A refresh token is replaced each time it is used', kind: 'flag' },
    {
      name: 'id_token_claims',
      label: 'Claims in the ID Token',
      kind: 'choice',
      options: [
        { value: 'scope', label: 'few: the others are in UserInfo' },
        { value: 'all', label: 'all that the scopes release' },
      ],
    },
  ],
};

/** The form of a client, from top to bottom; what has no field is in its JSON. */
export const sections: readonly Section[] = [addresses, authentication, permissions, policy, tokens];

export const fields: readonly FormField[] = sections.flatMap(section => section.fields);
