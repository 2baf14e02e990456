import { createHmac } from 'node:crypto';
import { defined } from '../../base/defined.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import type { RegisteredClient } from '../clients/client.ts';
import { webOriginsOf } from '../clients/client-directory.ts';
import type { RefreshFacts, WrittenFor } from '../dialect.ts';
import { stableId } from '../random.ts';
import { formatScope } from '../scope.ts';
import type { TestUser } from '../users/user.ts';
import { loggedInUser } from '../users/user-claims.ts';
import { claimsByRules } from './claim-rules.ts';
import type { ClaimForm, DialectData, TokenContext } from './dialect-data.ts';
import { organizationOf } from './organizations.ts';

type Members = Readonly<Record<string, unknown>>;

/** The members in their form. */
export function written(
  { omit, rules, texts = [], listsAudience }: ClaimForm,
  data: DialectData,
  about: WrittenFor<AuthorizationServer>,
  members: Members,
): Members {
  const kept = Object.entries(members).filter(([name]) => !omit.includes(name));
  const named = { ...Object.fromEntries(kept), ...claimsByRules(rules, contextOf(data, about, members)) };
  const all: Members = texts.length === 0 ? named : withTexts(named, texts);
  // RFC 7519 §4.1.3: one audience is a string
  const aud = [all.aud].flat();
  return aud.length === 1 && all.aud !== undefined ? { ...all, aud: listsAudience ? aud : aud[0] } : all;
}

function withTexts(members: Members, texts: readonly string[]): Members {
  const isText = (name: string) =>
    texts.some(each => (each.endsWith('*') ? name.startsWith(each.slice(0, -1)) : name === each));
  const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, isText(name) ? asText(value) : value]),
  );
}

function contextOf(
  { options, facts }: DialectData,
  about: WrittenFor<AuthorizationServer>,
  token: Members,
): TokenContext {
  const { server, client, authorization, scopes, resources = [], refreshToken, asked } = about;
  const { sub, edited, grant_type, session, organization } = authorization;
  const user = sub === undefined ? undefined : loggedInUser(server, { sub, ...(edited && { edited }) });
  const origins = [...new Set(webOriginsOf(client))];
  return {
    options,
    issuer: server.issuer,
    facts: facts?.(about, token),
    token,
    claims: token,
    user: user && {
      ...user,
      login: loginOf(user),
      group_names: groupNames(user.claims.groups),
      updated_at: isoTime(user.claims.updated_at ?? server.clock()),
      role_clients: roleClients(user.claims.client_roles, client),
    },
    client: { ...client, web_origins: origins.length === 0 ? undefined : origins },
    scope: Object.fromEntries(scopes.map(scope => [scope, true as const])),
    scopes: server.dialect?.writeScopes(scopes) ?? formatScope(scopes),
    scope_names: scopes,
    resources,
    organization: organizationOf(user?.claims, organization),
    request: asked && 'values' in asked ? Object.fromEntries(asked.values) : asked,
    audience: resources.length > 0 ? resources : client.audience,
    grant: grant_type,
    session,
    kept_refresh_token: refreshToken,
    ids: idsOf(authorization, token),
    lifetimes: { ...server.lifetimes, refreshToken: client.refresh_token_lifetime ?? server.lifetimes.refreshToken },
  };
}

/** Unix seconds as a time in text; a text as it is. */
function isoTime(value: unknown): unknown {
  return typeof value === 'number' && Math.abs(value) < 8.64e12 ? new Date(value * 1000).toISOString() : value;
}

/** The name that providers call the login: an e-mail address if the user has one. */
export function loginOf({ username, claims: { email } }: Pick<TestUser, 'username' | 'claims'>): string {
  return username.includes('@') || typeof email !== 'string' || email === '' ? username : email;
}

function roleClients(roles: unknown, { client_id }: RegisteredClient): readonly string[] {
  if (typeof roles !== 'object' || roles === null) return [];
  return Object.entries(roles).flatMap(([client, names]) =>
    client !== client_id && Array.isArray(names) && names.length > 0 ? [client] : [],
  );
}

function groupNames(groups: unknown): readonly string[] | undefined {
  return Array.isArray(groups) && groups.length > 0 ? groups.map(path => String(path).replace(/^\//, '')) : undefined;
}

function idsOf(
  { id }: Pick<WrittenFor<AuthorizationServer>['authorization'], 'id'>,
  token: Members,
): TokenContext['ids'] {
  if (id === undefined) return {};
  return {
    grant: stableId('grant', id),
    answer: stableId('answer', id, String(token.iat)),
    token: stableId('token', JSON.stringify(token)),
  };
}

/**
 * A refresh token in the form of a JWT, for SDKs that decode it. The server looks it up like every refresh token and
 * never trusts its claims. Its signature (HS512) is by a secret that only this server has.
 */
export function refreshJwt(
  form: ClaimForm,
  data: DialectData,
  about: WrittenFor<AuthorizationServer>,
  { authorization, tokenId, iat, exp }: RefreshFacts,
): string {
  const { server, client, scopes } = about;
  const { sub, nonce, session } = authorization;
  const claims = {
    iss: server.iss,
    aud: server.iss,
    azp: client.client_id,
    iat,
    exp,
    jti: `${authorization.id}.${tokenId.slice('tok_'.length)}`,
    ...session,
    ...defined({ sub, nonce, scope: formatScope(scopes) }),
  };
  return signed(server, { alg: 'HS512', typ: 'JWT' }, written(form, data, about, claims));
}

function signed({ pairwiseSalt }: AuthorizationServer, header: object, claims: object): string {
  const input = [header, claims].map(part => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${input}.${createHmac('sha512', `refresh ${pairwiseSalt}`).update(input).digest('base64url')}`;
}
