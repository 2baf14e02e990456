import type { Variant } from './variant.ts';

/** What calls, and what is called, without anybody who signs in. */
export const apiVariants: readonly Variant[] = [
  {
    name: 'express',
    title: 'A caller of your own API in Express, to try that one with',
    client: `client_id: 'api-caller',
client_name: 'Caller of the API',
client_secret: 'api-caller-secret', // of the sandbox only: it protects nothing
grant_types: ['client_credentials'],
audience: 'http://localhost:4000', // aud of its access tokens: what the API has to expect
scope: 'tasks:read tasks:write',
access_token_lifetime: 300, // seconds; 5 shows what the API says of an expired token`,
    leadIn: 'What the API expects, and how to call it',
    application: `const keys = createRemoteJWKSet(new URL('http://localhost:9000/oauth2/jwks')); // jose
await jwtVerify(token, keys, {
  issuer: 'http://localhost:9000',
  audience: 'http://localhost:4000',
  typ: 'at+jwt',
});

TOKEN=$(grantbox token --client api-caller --secret api-caller-secret --scope tasks:read)
curl http://localhost:4000/tasks -H "Authorization: Bearer $TOKEN"`,
  },
  {
    name: 'machine',
    title: 'A service that acts for itself',
    client: `client_id: 'machine',
client_name: 'Service',
client_secret: 'machine-secret', // of the sandbox only: it protects nothing
// token_endpoint_auth_method: 'client_secret_basic', // without it, the secret may also come in the body
grant_types: ['client_credentials'],
scope: 'tasks:read tasks:write',
access_token_lifetime: 300, // seconds`,
    leadIn: 'To try it',
    application: `grantbox token --client machine --secret machine-secret --scope tasks:read`,
  },
];
