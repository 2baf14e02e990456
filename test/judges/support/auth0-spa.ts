import { Auth0Client, type Auth0ClientOptions } from '@auth0/auth0-spa-js';

declare global {
  interface Window {
    /** The unmodified SDK, for the test to call. */
    auth0: Auth0Client;
  }
}

// As the guide of the SDK has it: the address with a code is the callback.
const options = JSON.parse(document.querySelector('#settings')?.textContent ?? '') as Auth0ClientOptions;
const status = document.querySelector('#status');
window.auth0 = new Auth0Client(options);
let said = 'ready';
if (/[?&](code|error)=/.test(location.search)) {
  try {
    await window.auth0.handleRedirectCallback();
    said = 'logged in';
  } catch (error) {
    said = `failed: ${String(error)}`;
  }
  history.replaceState({}, '', location.pathname);
}
if (status !== null) status.textContent = said;
