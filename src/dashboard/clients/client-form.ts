import type { ChangeProblem } from '../../base/events/change.ts';
import { type RegisteredClient, tokenEndpointAuthMethods } from '../../protocol/clients/client.ts';
import { isSameJson } from '../../protocol/json-parameter.ts';
import { readJsonObject } from '../../protocol/json-text.ts';
import { byField, type FieldTexts, problemText } from '../form.ts';

/** The values of the fields, by member. */
export interface ClientForm {
  readonly values: Readonly<Record<string, readonly string[]>>;
  /** The members without a field, as JSON. */
  readonly more: string;
}

export type Members = Readonly<Record<string, unknown>>;

/** The form of a client; `entry` has only the members that are configured, without defaults. */
export function formOfClient(client: RegisteredClient, entry: Members): ClientForm {
  const all = new Map<string, unknown>(Object.entries(client));
  const values = Object.fromEntries(fields.map(({ name }) => [name, textsOf(all.get(name))]));
  return { values, more: JSON.stringify(withoutFields(entry), null, 2) };
}

/** The form as it was sent. */
export function formAsTyped(typed: URLSearchParams): ClientForm {
  const values = Object.fromEntries(fields.map(({ name }) => [name, typed.getAll(name)]));
  return { values, more: typed.get('more') ?? '' };
}

/** The changed members compared with the form as it was shown. `null` returns a member to its default. */
export function membersOf(
  { values, more }: ClientForm,
  entry: Members,
  shown: ClientForm['values'] = {},
): { readonly members: Members } | { readonly problems: readonly ChangeProblem[] } {
  const rest = more.trim() === '' ? { value: {} } : readJsonObject(more, 20);
  if ('reason' in rest) {
    return { problems: [{ member: 'more', expected: `JSON: line ${rest.line}, ${rest.reason}` }] };
  }
  const double = Object.keys(rest.value).find(name => name === 'client_id' || isField(name));
  if (double !== undefined) {
    return { problems: [{ member: 'more', sent: double, expected: 'only members that have no field of their own' }] };
  }
  const gone = Object.keys(withoutFields(entry)).filter(name => !Object.hasOwn(rest.value, name));
  const typed = fields.flatMap(field => {
    const read = readers[field.kind];
    const member = read(values[field.name] ?? []);
    const before = shown[field.name];
    const isSame = before !== undefined && isSameJson(member, read(before));
    return isSame ? [] : [[field.name, field.isTextIfOne ? textIfOne(member) : member] as const];
  });
  return {
    members: { ...Object.fromEntries(gone.map(name => [name, null])), ...rest.value, ...Object.fromEntries(typed) },
  };
}

/** The texts of problems, by the field below which they are shown. */
export function problemsByField(problems: readonly ChangeProblem[]): FieldTexts {
  return byField(problems.map(problem => [fieldOf(problem.member), problemText(problem)]));
}

/** `redirect_uris[1]` belongs to the field `redirect_uris`, a member without a field to the JSON. */
function fieldOf(member: string): string {
  const [name = ''] = member.split(/[.[]/);
  if (name === '' || name === 'client_id') return name;
  if (name === 'token_endpoint_auth_method') return 'token_endpoint_auth_methods';
  return isField(name) ? name : 'more';
}

function isField(name: string): boolean {
  return name === 'token_endpoint_auth_method' || fields.some(field => field.name === name);
}

function withoutFields(entry: Members): Members {
  return Object.fromEntries(Object.entries(entry).filter(([name]) => name !== 'client_id' && !isField(name)));
}

function textsOf(value: unknown): readonly string[] {
  if (value === undefined || value === false) return [];
  if (value === true) return ['on'];
  return Array.isArray(value) ? value.map(String) : [String(value)];
}

function textIfOne(member: unknown): unknown {
  return Array.isArray(member) && member.length === 1 ? member[0] : member;
}

const readers: Readonly<Record<FormField['kind'], (values: readonly string[]) => unknown>> = {
  text: ([value = '']) => value.trim() || null,
  secret: ([value = '']) => value || null,
  words: ([value = '']) => value.trim().replace(/\s+/g, ' ') || null,
  lines: values =>
    orNull(
      values
        .flatMap(value => value.split(/\r?\n/))
        .map(line => line.trim())
        .filter(line => line !== ''),
    ),
  number: ([value = '']) => (value.trim() === '' ? null : /^\d{1,9}$/.test(value.trim()) ? Number(value) : value),
  flag: values => values.length > 0,
  choice: ([value = '']) => value || null,
  choices: values => values, // an empty list is a problem, not the default
};

function orNull(values: readonly string[]): readonly string[] | null {
  return values.length === 0 ? null : values;
}

interface FormField {
  readonly name: string;
  readonly label: string;
  /** The form control. `lines` takes one value per line, `choices` has one box per value. */
  readonly kind: 'text' | 'secret' | 'words' | 'lines' | 'number' | 'flag' | 'choice' | 'choices';
  readonly hint?: string;
  readonly isRare?: true;
  readonly options?: readonly Option[];
  /** One line is text, several lines are a list; only for `lines`. */
  readonly isTextIfOne?: true;
  readonly add?: string;
}

interface Option {
  readonly value: string;
  readonly label: string;
}

interface Section {
  readonly title: string;
  readonly fields: readonly FormField[];
}

const plain = (values: readonly string[]): readonly Option[] => values.map(value => ({ value, label: value }));

const grants: readonly Option[] = [
  { value: 'authorization_code', label: 'authorization code: a sign-in in the browser' },
  { value: 'refresh_token', label: 'refresh token' },
  { value: 'client_credentials', label: 'client credentials: no user' },
  { value: 'urn:ietf:params:oauth:grant-type:device_code', label: 'device code' },
  { value: 'urn:ietf:params:oauth:grant-type:token-exchange', label: 'token exchange' },
  { value: 'urn:ietf:params:oauth:grant-type:jwt-bearer', label: 'JWT bearer' },
  { value: 'urn:openid:params:grant-type:ciba', label: 'CIBA: the user approves on another device' },
  { value: 'password', label: 'password, removed by OAuth 2.1' },
  { value: 'implicit', label: 'implicit and hybrid, removed by OAuth 2.1' },
];

/** Lists shorten `urn:ietf:params:oauth:grant-type:device_code` to `device_code`. */
export function shortGrant(grant: string): string {
  return grant.slice(grant.lastIndexOf(':') + 1);
}

const addresses: Section = {
  title: 'Name and addresses',
  fields: [
    { name: 'client_name', label: 'Name', kind: 'text', hint: 'Shown on the sign-in page. Defaults to the client_id.' },
    {
      name: 'redirect_uris',
      label: 'Redirect URIs (one per line)',
      kind: 'lines',
      add: 'Add a redirect URI',
      hint: 'Compared character by character (RFC 6749 §3.1.2.3). Enter saves.',
    },
    { name: 'loopback_redirects', label: 'Accept any address on localhost, 127.0.0.1 and [::1]', kind: 'flag' },
    {
      name: 'post_logout_redirect_uris',
      label: 'Post-logout redirect URIs (one per line)',
      kind: 'lines',
      isRare: true,
    },
    {
      name: 'web_origins',
      label: 'Additional CORS origins (one per line)',
      isRare: true,
      kind: 'lines',
      hint: 'Web pages on these origins may call the sandbox. The origins of redirect URIs and of localhost may already.',
    },
  ],
};

const authentication: Section = {
  title: 'Authentication',
  fields: [
    {
      name: 'token_endpoint_auth_methods',
      label: 'Authentication methods',
      kind: 'choices',
      options: plain(tokenEndpointAuthMethods),
      hint: 'By default a client sends its secret by Basic or in the body. A client with none has no secret and must use PKCE.',
    },
    { name: 'client_secret', label: 'Client secret', kind: 'secret' },
  ],
};

const permissions: Section = {
  title: 'Grants and scopes',
  fields: [
    { name: 'grant_types', label: 'Grant types', kind: 'choices', options: grants },
    {
      name: 'scope',
      label: 'Scopes (space-separated)',
      kind: 'words',
      hint: 'Defaults to all scopes of this sandbox. New scope names are created automatically.',
    },
    {
      name: 'default_scope',
      label: 'Scopes of every request (space-separated)',
      kind: 'words',
      isRare: true,
      hint: 'Granted although the request does not ask for them, as Keycloak and Okta do.',
    },
    {
      name: 'audience',
      label: 'Audience of access tokens (one per line)',
      isRare: true,
      isTextIfOne: true,
      kind: 'lines',
      hint: 'Defaults to the client_id. A request can override it with resource (RFC 8707).',
    },
  ],
};

const policy: Section = {
  title: 'Sign-in',
  fields: [
    { name: 'require_pkce', label: 'Require PKCE', kind: 'flag' },
    { name: 'require_consent', label: 'Ask the user for consent', kind: 'flag' },
    {
      name: 'require_pushed_authorization_requests',
      label: 'Require pushed authorization requests (PAR)',
      isRare: true,
      kind: 'flag',
    },
    { name: 'dpop_bound_access_tokens', label: 'Bind tokens to a key (DPoP)', kind: 'flag', isRare: true },
    {
      name: 'auto_login',
      label: 'Automatic sign-in as',
      isRare: true,
      kind: 'text',
      hint: 'A sub, username or e-mail address. Empty: use the global AUTO_LOGIN setting.',
    },
  ],
};

const tokens: Section = {
  title: 'Tokens',
  fields: [
    {
      name: 'access_token_format',
      label: 'Access token format',
      kind: 'choice',
      isRare: true,
      options: plain(['jwt', 'opaque']),
    },
    { name: 'access_token_lifetime', label: 'Access token lifetime (seconds, or 5m, 8h)', kind: 'number' },
    { name: 'id_token_lifetime', label: 'ID token lifetime (seconds, or 5m, 8h)', kind: 'number', isRare: true },
    { name: 'refresh_token_lifetime', label: 'Refresh token lifetime (seconds, or 5m, 8h)', kind: 'number' },
    {
      name: 'refresh_token_rotation',
      label: 'Replace a refresh token each time it is used',
      kind: 'flag',
      isRare: true,
    },
    {
      name: 'id_token_claims',
      label: 'Claims in the ID token',
      isRare: true,
      kind: 'choice',
      options: [
        { value: 'scope', label: 'Minimal (the rest comes from UserInfo)' },
        { value: 'all', label: 'All claims of the granted scopes' },
      ],
    },
  ],
};

/** The form of a client, from top to bottom. Members without a field are edited as JSON. */
export const sections: readonly Section[] = [addresses, authentication, permissions, policy, tokens];

export const fields: readonly FormField[] = sections.flatMap(section => section.fields);
