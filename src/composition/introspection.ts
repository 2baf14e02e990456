import type { AuthorizationServer } from '../oauth/authorization-server.ts';

/** What the sample backend asks about a token: what introspection would say, without the way over HTTP. */
export function createIntrospection(
  server: AuthorizationServer,
): (token: string) => Promise<Readonly<Record<string, unknown>> | undefined> {
  return async token => {
    const { findToken } = await import('../oauth/tokens/find-token.ts');
    const found = await findToken(server, token, 'access_token');
    return found?.type === 'access_token' && found.state === 'active' ? found.claims : undefined;
  };
}
