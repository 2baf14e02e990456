import Keycloak, { type KeycloakInitOptions } from 'keycloak-js';

/** What a test tells the application: where the realm is, and how keycloak-js begins. */
export interface KeycloakApplication {
  readonly config: { readonly url: string; readonly realm: string; readonly clientId: string };
  readonly init: KeycloakInitOptions;
}

declare global {
  interface Window {
    /** The unmodified SDK, for the test to call. */
    keycloak: Keycloak;
  }
}

const status = document.querySelector('#status');
const { config, init } = JSON.parse(document.querySelector('#settings')?.textContent ?? '') as KeycloakApplication;
window.keycloak = new Keycloak(config);
try {
  const isLoggedIn = await window.keycloak.init(init);
  if (status !== null) status.textContent = isLoggedIn ? 'logged in' : 'logged out';
} catch (error) {
  if (status !== null) status.textContent = `failed: ${JSON.stringify(error) ?? String(error)} ${String(error)}`;
}
