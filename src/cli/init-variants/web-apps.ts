import type { Variant } from './variant.ts';

const scope = 'openid profile email offline_access tasks:read tasks:write';

/** Applications on a server that log users in: confidential clients. */
export const webVariants: readonly Variant[] = [
  {
    name: 'nextjs',
    title: 'A Next.js application with Auth.js',
    client: confidentialClient('nextjs', 'Next.js application', 3000, '/api/auth/callback/grantbox'),
    application: `NextAuth({
  providers: [
    {
      id: 'grantbox', // the end of the redirect URI
      name: 'Grantbox',
      type: 'oidc',
      issuer: 'http://localhost:9000',
      clientId: 'nextjs',
      clientSecret: 'nextjs-secret',
      checks: ['pkce', 'state'],
      idToken: false, // name and e-mail come from UserInfo
      authorization: { params: { scope: '${scope}' } },
    },
  ],
})`,
  },
  {
    name: 'spring',
    title: 'A Spring Boot application with oauth2-client',
    client: confidentialClient('spring', 'Spring application', 8080, '/login/oauth2/code/grantbox'),
    application: `spring.security.oauth2.client:
  provider.grantbox.issuer-uri: http://localhost:9000
  registration.grantbox:
    client-id: spring
    client-secret: spring-secret
    scope: ${scope.replaceAll(' ', ', ')}`,
  },
];

function confidentialClient(id: string, name: string, port: number, callback: string): string {
  return `client_id: '${id}',
client_name: '${name}',
client_secret: '${id}-secret', // of the sandbox only: it protects nothing
// token_endpoint_auth_method: 'client_secret_basic', // without it, the secret may also come in the body
grant_types: ['authorization_code', 'refresh_token'],
redirect_uris: ['http://localhost:${port}${callback}'],
post_logout_redirect_uris: ['http://localhost:${port}/'],
scope: '${scope}',
// require_pkce: true, // refuses a login without PKCE`;
}
