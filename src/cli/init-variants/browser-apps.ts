import type { Variant } from './variant.ts';

const scope = 'openid profile email offline_access tasks:read tasks:write';

/** Single-page applications: public clients, with PKCE. */
export const browserVariants: readonly Variant[] = [
  {
    name: 'react',
    title: 'A React application (Vite) with oidc-client-ts or react-oidc-context',
    client: publicClient('react', 'React application', 5173, '/callback', '/'),
    application: `new UserManager({
  authority: 'http://localhost:9000',
  client_id: 'react',
  redirect_uri: \`\${window.location.origin}/callback\`,
  post_logout_redirect_uri: \`\${window.location.origin}/\`,
  scope: '${scope}',
  loadUserInfo: true, // name and e-mail come from UserInfo
})`,
  },
  {
    name: 'angular',
    title: 'An Angular application with angular-auth-oidc-client',
    client: publicClient('angular', 'Angular application', 4200, '/callback', '/'),
    application: `provideAuth({
  config: {
    authority: 'http://localhost:9000',
    clientId: 'angular',
    redirectUrl: \`\${window.location.origin}/callback\`,
    postLogoutRedirectUri: \`\${window.location.origin}/\`,
    scope: '${scope}',
    responseType: 'code',
    silentRenew: true,
    useRefreshToken: true,
    secureRoutes: ['http://localhost:9000/api'],
  },
})`,
  },
  {
    name: 'vue',
    title: 'A Vue application (Vite) with oidc-client-ts',
    client: publicClient('vue', 'Vue application', 5173, '/callback', '/'),
    application: `new UserManager({
  authority: import.meta.env.VITE_OIDC_ISSUER, // grantbox env --format dotenv --prefix VITE_OIDC_ > .env.local
  client_id: 'vue',
  redirect_uri: \`\${window.location.origin}/callback\`,
  post_logout_redirect_uri: \`\${window.location.origin}/\`,
  scope: '${scope}',
  loadUserInfo: true, // name and e-mail come from UserInfo
})`,
  },
];

function publicClient(id: string, name: string, port: number, callback: string, home: string): string {
  return `client_id: '${id}',
client_name: '${name}',
token_endpoint_auth_method: 'none', // no secret: it runs in the browser; PKCE with S256 is demanded
grant_types: ['authorization_code', 'refresh_token'],
redirect_uris: ['http://localhost:${port}${callback}'],
post_logout_redirect_uris: ['http://localhost:${port}${home}'],
scope: '${scope}',
// loopback_redirects: true, // accepts any address of localhost, whatever the port`;
}
