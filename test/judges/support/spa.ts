import { UserManager, type UserManagerSettings, WebStorageStateStore } from 'oidc-client-ts';

declare global {
  interface Window {
    manager: UserManager;
    /** Silent renewals so far, and what went wrong with others. */
    renewals: string[];
    renewalErrors: string[];
  }
}

/** A single-page application as oidc-client-ts wants it written; bundled for the browser by the test that serves it. */
const settings: UserManagerSettings = JSON.parse(document.getElementById('settings')?.textContent ?? '{}');
window.manager = new UserManager({ ...settings, userStore: new WebStorageStateStore({ store: sessionStorage }) });
window.renewals = [];
window.renewalErrors = [];
window.manager.events.addUserLoaded(user => {
  window.renewals.push(user.access_token);
});
window.manager.events.addSilentRenewError(error => {
  window.renewalErrors.push(error.message);
});

async function start(): Promise<string> {
  if (location.pathname !== '/callback') {
    const user = await window.manager.getUser();
    return user === null ? 'signed out' : `signed in as ${user.profile.sub}`;
  }
  // Takes the answer of a redirect, a popup or an iframe: the state says which.
  const user = await window.manager.signinCallback();
  if (user !== undefined) history.replaceState({}, '', '/');
  return user === undefined ? 'told the opener' : `signed in as ${user.profile.sub}`;
}

const status = document.getElementById('status');
start().then(
  text => status?.replaceChildren(text),
  error => status?.replaceChildren(`failed: ${error instanceof Error ? error.message : error}`),
);
