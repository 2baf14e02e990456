import {
  type AuthenticationResult,
  type Configuration,
  InteractionRequiredAuthError,
  PublicClientApplication,
} from '@azure/msal-browser';

/** What a test tells the application. */
export interface MsalApplication {
  readonly config: Configuration;
}

declare global {
  interface Window {
    /** The unmodified SDK, for the test to call. */
    msal: PublicClientApplication;
    /** The result of a call, or the members of its error. */
    tell(call: Promise<AuthenticationResult>): Promise<Told>;
  }
}

/** The parts of a result or of an error that tests read. */
export interface Told {
  readonly token?: string;
  readonly scopes?: readonly string[];
  readonly fromCache?: boolean;
  readonly error?: string;
  readonly subError?: string;
  readonly message?: string;
  readonly asksUser?: boolean;
}

const status = document.querySelector('#status');
const { config } = JSON.parse(document.querySelector('#settings')?.textContent ?? '') as MsalApplication;
window.msal = new PublicClientApplication(config);
window.tell = async call => {
  try {
    const { accessToken, scopes, fromCache } = await call;
    return { token: accessToken, scopes, fromCache };
  } catch (error) {
    const { errorCode, subError, errorMessage } = error as InteractionRequiredAuthError;
    const asksUser = error instanceof InteractionRequiredAuthError;
    return { error: errorCode ?? String(error), subError, message: errorMessage, asksUser };
  }
};
try {
  await window.msal.initialize();
  const result = await window.msal.handleRedirectPromise();
  if (result !== null) window.msal.setActiveAccount(result.account);
  show(window.msal.getAllAccounts().length > 0 ? 'logged in' : 'logged out');
} catch (error) {
  show(`failed: ${String(error)}`);
}

function show(text: string): void {
  if (status !== null) status.textContent = text;
}
