import { OktaAuth, type OktaAuthOptions } from '@okta/okta-auth-js';

/** What a test tells the application: how okta-auth-js is configured. */
export type OktaApplication = Omit<OktaAuthOptions, 'redirectUri'>;

declare global {
  interface Window {
    /** The unmodified SDK, for the test to call. */
    okta: OktaAuth;
    /** The code and the text of an error of the SDK. */
    failed(error: { readonly errorCode?: string; readonly errorSummary?: string }): object;
  }
}

const status = document.querySelector('#status');
const tell = (text: string) => {
  if (status !== null) status.textContent = text;
};
const settings = JSON.parse(document.querySelector('#settings')?.textContent ?? '') as OktaApplication;
window.okta = new OktaAuth({ ...settings, redirectUri: `${location.origin}/callback` });
window.failed = ({ errorCode: code, errorSummary: text }) => ({ code, text });
try {
  if (window.okta.isLoginRedirect()) {
    await window.okta.storeTokensFromRedirect();
    history.replaceState({}, '', '/');
  }
  await window.okta.start();
  tell((await window.okta.isAuthenticated()) ? 'logged in' : 'logged out');
} catch (error) {
  tell(`failed: ${String(error)}`);
}
