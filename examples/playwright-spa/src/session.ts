import { UserManager } from 'oidc-client-ts';
import type { AppConfig } from './config.ts';
import { checkResponse, checkTokens } from './verify.ts';

/** Authorization code with PKCE, and renewal by refresh token, by the time when the token expires. */
export function createUserManager({ issuer, client_id }: AppConfig): UserManager {
  return new UserManager({
    authority: issuer,
    client_id,
    redirect_uri: `${location.origin}/callback`,
    post_logout_redirect_uri: `${location.origin}/`,
    scope: 'openid profile email offline_access products:read',
    loadUserInfo: true, // the name is not in the ID token
  });
}

/**
 * Takes the answer that the browser has come back with, if it has, and its parameters out of the address.
 * @throws ErrorResponse for what the user or the server refused, Error for what the app does
 */
export async function finishSignIn(users: UserManager): Promise<void> {
  if (location.pathname !== '/callback') return;
  try {
    await checkResponse(users, new URLSearchParams(location.search));
    const user = await users.signinCallback();
    if (user !== undefined) await checkTokens(users, user);
  } catch (error) {
    await users.removeUser();
    throw error;
  } finally {
    history.replaceState(null, '', '/');
  }
}
