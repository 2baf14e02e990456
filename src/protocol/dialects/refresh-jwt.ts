import { createHmac } from 'node:crypto';
import { defined } from '../../base/defined.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import type { RefreshFacts, WrittenFor } from '../dialect.ts';
import { formatScope } from '../scope.ts';
import type { ClaimForm, DialectData } from './dialect-data.ts';
import { written } from './written-claims.ts';

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
