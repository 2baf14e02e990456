import type { EventOf } from '../../base/events/event.ts';
import type { RegisteredClient } from '../../protocol/clients/client.ts';
import { parseScope } from '../../protocol/scope.ts';
import type { TestUser } from '../../protocol/users/user.ts';
import type { TokenPreview } from '../../sandbox/control/preview.ts';
import { type ClaimOrigin, issuanceOf, originOf } from '../claims/claim-origin.ts';
import { valueText } from '../claims/claim-rows.ts';
import { registeredClient } from '../clients-and-users.ts';
import type { PageContext } from '../page.ts';

/** The client and scopes of the preview; empty for the default. */
export interface PreviewChoice {
  readonly client_id: string;
  readonly scope: string;
}

/** Clients a user can log in to. */
export function loginClients({ registered }: PageContext): readonly RegisteredClient[] {
  return [...registered()].filter(({ grant_types }) => !grant_types.every(grant => grant === 'client_credentials'));
}

function lastClientOf(context: PageContext, sub: string): RegisteredClient | undefined {
  const [latest] = context.flows.latest(500).filter(flow => flow.sub === sub);
  return loginClients(context).find(({ client_id }) => client_id === latest?.client_id);
}

/** The tokens of such a login, made by the functions that issue tokens. The user may be unsaved. */
export async function userPreview(context: PageContext, user: TestUser, choice: PreviewChoice) {
  const client =
    registeredClient(context, choice.client_id) ?? lastClientOf(context, user.sub) ?? loginClients(context)[0];
  if (client === undefined) return undefined;
  const allowed = parseScope(client.scope);
  const asked = choice.scope.trim() === '' ? allowed : parseScope(choice.scope.replace(/\s+/g, ' '));
  const scopes = asked.filter(scope => allowed.includes(scope));
  const preview = await context.control.preview(client, user, scopes);
  const scope = scopes.join(' ');
  return {
    client_id: client.client_id,
    scope: asked.join(' '),
    foreign: asked.filter(each => !allowed.includes(each)),
    tokens: tokensOf({ ...context, accounts: () => [user] }, { client, user, scope }, preview),
    // explains why there are fewer than three tokens
    note: scopes.includes('openid') ? '' : 'No ID token and no UserInfo, because the scope openid is not requested.',
  };
}

interface About {
  readonly client: RegisteredClient;
  readonly user: TestUser;
  readonly scope: string;
}

function tokensOf(context: PageContext, about: About, { access, id, userinfo, origins }: TokenPreview) {
  const kinds = [
    ['Access token', 'access', access],
    ['ID token', 'id', id],
    ['UserInfo', 'userinfo', userinfo],
  ] as const;
  return kinds.flatMap(([name, kind, claims]) =>
    claims === undefined ? [] : [{ name, id: kind, claims: rowsOf(context, about, kind, claims, origins[kind]) }],
  );
}

function isConfigured({ name, source }: { readonly name: string } & ClaimOrigin): boolean {
  return name !== 'aud' && name !== 'exp' && ['user', 'client', 'scope', 'unknown'].includes(source);
}

/** `originOf` explains the claims of an issued token, so this event takes its place. */
function rowsOf(
  context: PageContext,
  { client, user, scope }: About,
  kind: 'access' | 'id' | 'userinfo',
  claims: Readonly<Record<string, unknown>>,
  origins: TokenPreview['origins']['access'],
) {
  const { iat = context.clock(), exp = context.clock() } = claims as { iat?: number; exp?: number };
  const event: EventOf<'token.issued'> = {
    type: 'token.issued',
    id: Number.POSITIVE_INFINITY,
    at: iat,
    requestId: '',
    tokenId: '',
    token: '',
    tokenType: kind === 'access' ? 'access' : 'id',
    format: 'jwt',
    grant_type: 'authorization_code',
    authorizationId: '',
    client_id: client.client_id,
    sub: user.sub,
    scope,
    iat,
    exp,
    ...origins,
  };
  const issuance = issuanceOf(event, claims, context);
  const rows = Object.entries(claims).map(([name, value]) => ({
    name,
    value: valueText(value),
    ...originOf(name, issuance),
  }));
  // editable claims first
  const sorted = rows.toSorted((a, b) => Number(isConfigured(b)) - Number(isConfigured(a)));
  return sorted.map(({ name, value, words }) => ({ name, value, origin: words }));
}
