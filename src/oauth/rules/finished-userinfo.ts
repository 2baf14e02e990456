import type { Authorization } from '../authorization.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import type { RegisteredClient } from '../clients/client.ts';
import type { RequestParameters } from '../parameters.ts';
import { scopesIn } from '../scope.ts';
import { finishedClaims } from './finished-claims.ts';

type Members = Readonly<Record<string, unknown>>;

/** An access token that UserInfo answers. */
export interface AnsweredToken {
  readonly server: AuthorizationServer;
  readonly client: RegisteredClient;
  /** The authorization as far as it was kept. */
  readonly who: Partial<Authorization> & Required<Pick<Authorization, 'sub'>>;
  /** Its claims. */
  readonly token: Readonly<{ aud?: string | readonly string[]; scope?: unknown }>;
  readonly asked: RequestParameters;
}

/** The claims of UserInfo with those of a preset and of rules. */
export async function finishedUserInfo(
  { server, client, who, token, asked }: AnsweredToken,
  usual: Members,
): Promise<Members> {
  const authorization = { grant_type: '', ...who }; // not kept for a token from before the rules
  const resources = [token.aud ?? []].flat();
  const about = { server, client, authorization, scopes: scopesIn(token.scope), resources, asked };
  const { written } = await finishedClaims('userinfo', about, usual);
  return written;
}
