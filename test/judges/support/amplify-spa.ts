import { Amplify, type ResourcesConfig } from 'aws-amplify';
import * as auth from 'aws-amplify/auth';
import { Hub } from 'aws-amplify/utils';

declare global {
  interface Window {
    /** The unmodified SDK, for the test to call. */
    auth: typeof auth;
  }
}

const status = document.querySelector('#status');
const tell = (text: string) => {
  if (status !== null) status.textContent = text;
};
window.auth = auth;
Hub.listen('auth', ({ payload: { event } }) => {
  if (event === 'signInWithRedirect') tell('logged in');
  if (event === 'signInWithRedirect_failure') tell('failed');
});
// the listener of the SDK redeems the code that came back
Amplify.configure(JSON.parse(document.querySelector('#settings')?.textContent ?? '') as ResourcesConfig);
if (!location.search.includes('code=')) {
  const { tokens } = await auth.fetchAuthSession();
  tell(tokens === undefined ? 'logged out' : 'logged in');
}
