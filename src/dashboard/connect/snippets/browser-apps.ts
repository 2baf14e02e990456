import type { ConnectFacts, SnippetClient } from './facts.ts';
import { js, jsx } from './literals.ts';
import type { Snippet } from './snippet.ts';

/** Front ends: what runs in the browser, and has no secret. */
export function browserApps(facts: ConnectFacts): readonly Snippet[] {
  const { spa } = facts;
  return spa === undefined ? [] : [singlePage(facts, spa), react(facts, spa)];
}

function singlePage({ issuer, api }: ConnectFacts, client: SnippetClient): Snippet {
  const settings = [
    `authority: ${js(issuer)},`,
    `client_id: ${js(client.client_id)},`,
    `redirect_uri: ${redirectUri(client)},`,
    ...signOutUri(client),
    `scope: ${js(client.scope)},`,
    ...(client.isOpenId ? ['loadUserInfo: true, // name and e-mail come from UserInfo'] : []),
  ];
  const call = `
export async function callApi() {
  const user = await users.getUser();
  return fetch(${js(api?.url ?? '')}, {
    headers: { Authorization: \`Bearer \${user?.access_token}\` },
  });
}
`;
  return {
    id: 'spa',
    family: 'browser',
    title: 'SPA, oidc-client-ts',
    where: 'src/auth.ts',
    language: 'ts',
    code: `import { UserManager } from 'oidc-client-ts';

export const users = new UserManager({
  ${settings.join('\n  ')}
});

/** Who is signed in. Call it when the application starts: the login comes back here, too. */
export async function currentUser() {
  if (!location.search.includes('state=')) return users.getUser();
  const user = await users.signinCallback();
  history.replaceState({}, '', '/');
  return user;
}

export const signIn = () => users.signinRedirect();
export const signOut = () => users.signoutRedirect();
${api?.method === 'GET' ? call : ''}`,
    note: redirectNote(client),
  };
}

function react({ issuer }: ConnectFacts, client: SnippetClient): Snippet {
  return {
    id: 'react',
    family: 'browser',
    title: 'React, react-oidc-context',
    where: 'src/main.tsx',
    language: 'tsx',
    code: `import { createRoot } from 'react-dom/client';
import { AuthProvider, useAuth } from 'react-oidc-context';

function App() {
  const auth = useAuth();
  if (auth.isLoading) return <p>Signing in</p>;
  if (auth.error) return <p>{auth.error.message}</p>;
  if (auth.isAuthenticated) return <p>Signed in as {auth.user?.profile.name ?? auth.user?.profile.sub}</p>;
  return <button onClick={() => void auth.signinRedirect()}>Sign in</button>;
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <AuthProvider
    authority=${jsx(issuer)}
    client_id=${jsx(client.client_id)}
    redirect_uri={${redirectUri(client)}}
    scope=${jsx(client.scope)}${client.isOpenId ? '\n    loadUserInfo' : ''}
    onSigninCallback={() => window.history.replaceState({}, '', window.location.pathname)}
  >
    <App />
  </AuthProvider>,
);
`,
    note: `onSigninCallback takes the code out of the address, so that no second render redeems it again. ${redirectNote(client)}`.trimEnd(),
  };
}

/** The application's own address where any will do, and the registered one where not. */
function redirectUri({ redirectUri: uri, anyLoopback }: SnippetClient): string {
  return anyLoopback && URL.canParse(uri) ? `window.location.origin + ${js(new URL(uri).pathname)}` : js(uri);
}

/** Where the browser goes after a logout; without an address it stays here. */
function signOutUri({ postLogoutUri, anyLoopback }: SnippetClient): string[] {
  if (anyLoopback) return [`post_logout_redirect_uri: window.location.origin + '/',`];
  return postLogoutUri === undefined ? [] : [`post_logout_redirect_uri: ${js(postLogoutUri)},`];
}

function redirectNote({ client_id, redirectUri: uri, anyLoopback }: SnippetClient): string {
  return anyLoopback ? '' : `${uri} is registered for ${client_id}; another address has to be added there.`;
}
