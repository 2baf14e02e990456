import type { Authorization, Redemption } from '../../protocol/authorization.ts';
import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import type { RegisteredClient } from '../../protocol/clients/client.ts';
import { parseScope } from '../../protocol/scope.ts';
import type { TestUser } from '../../protocol/users/user.ts';
import { defects, type Times } from '../../server/faults/defects.ts';
import type { CheckedMint, MintType } from './mint-request.ts';

/** The times of a token. One that has ended lived as long as its kind does. */
export function timesOf(server: AuthorizationServer, client: RegisteredClient, request: CheckedMint): Times {
  const now = server.clock();
  const usual = usualLifetime(server, client, request.type);
  const { lifetime = usual, defect } = request;
  const times = { iat: lifetime < 0 ? now + lifetime - usual : now, exp: now + lifetime };
  return (defect && defects[defect].times?.(times, now)) ?? times;
}

function usualLifetime({ lifetimes }: AuthorizationServer, client: RegisteredClient, type?: MintType): number {
  if (type === 'id') return client.id_token_lifetime ?? lifetimes.idToken;
  return type === 'refresh' ? (client.refresh_token_lifetime ?? lifetimes.refreshToken) : client.access_token_lifetime;
}

/** The grant a real request would have had. It has no session at this server, so there is no `sid`. */
export function redemptionOf(
  server: AuthorizationServer,
  client: RegisteredClient,
  user: TestUser | undefined,
  { scope = client.scope, audience = [], type }: CheckedMint,
  { iat }: Times,
): Redemption {
  const scopes = parseScope(scope);
  const resources = type === 'id' ? [] : [audience].flat();
  const login = { auth_time: Math.min(iat, server.clock()), acr: '0', amr: ['user'] };
  const authorization: Authorization = {
    id: server.random.id(),
    client_id: client.client_id,
    grant_type: 'mint',
    scopes,
    resources,
    ...(user === undefined ? {} : { sub: user.sub, session: login }),
  };
  const isList = Array.isArray(audience) && resources.length === 1;
  return { authorization, scopes, resources, ...(isList && { isResourceList: true }) };
}
