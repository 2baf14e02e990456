import type { AuthorizationServer } from '../../oauth/authorization-server.ts';
import type { FoundToken } from '../../oauth/tokens/find-token.ts';
import type { AccessTokenOptions } from '../../resources/index.ts';

/** What the sample backend asks about a token: what introspection would say, without the way over HTTP. */
export function createIntrospection(
  server: AuthorizationServer,
): Required<Pick<AccessTokenOptions, 'introspect' | 'whyInactive'>> {
  const find = async (token: string): Promise<FoundToken | undefined> => {
    const { findToken } = await import('../../oauth/tokens/find-token.ts');
    return findToken(server, token, 'access_token');
  };
  return {
    async introspect(token) {
      const found = await find(token);
      return found?.type === 'access_token' && found.state === 'active' ? found.claims : undefined;
    },
    async whyInactive(token) {
      const found = await find(token);
      if (found === undefined) return undefined;
      const { type, state, claims } = found;
      return { state: type === 'access_token' ? state.replaceAll('_', ' ') : 'a refresh token', claims };
    },
  };
}
