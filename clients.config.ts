// The registration of this sandbox: who may ask for tokens, who can sign in, and what the sample backend holds.
// Copy this file beside your project, change what you need, and start grantbox there: it is found by its name.
// In your copy, the type comes from the package: import type { SandboxConfig } from 'grantbox'.
import type { SandboxConfig } from './src/sandbox/config/sandbox-config.ts';

export default {
  // Client metadata by its RFC 7591 names. The members after a blank line are extensions of this sandbox.
  clients: [
    {
      // A single-page or mobile app: it has no secret (method `none`) and must use PKCE with S256.
      client_id: 'frontend',
      client_name: 'Demo front end',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      redirect_uris: [
        'http://localhost:3000/callback',
        'http://localhost:4200/callback',
        'http://localhost:5173/callback',
        'http://localhost:8080/callback',
      ],
      post_logout_redirect_uris: [
        'http://localhost:3000/',
        'http://localhost:4200/',
        'http://localhost:5173/',
        'http://localhost:8080/',
      ],
      scope: 'openid profile email offline_access bikes:read products:read products:write',

      // Convenient while developing, and a relaxation: any http://localhost, 127.0.0.1 or [::1] address is accepted.
      loopback_redirects: true,
      access_token_lifetime: 300,
    },
    {
      // A device or service that acts for itself. The secret is published, it protects nothing; SENSOR_CLIENT_SECRET replaces it.
      client_id: 'sensor',
      client_name: 'Demo sensor',
      client_secret: 'sensor-secret',
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['client_credentials'],
      scope: 'telemetry:write',

      access_token_lifetime: 300,
    },
  ],

  // People on the sign-in page. Without a `password`, any password is accepted in password mode.
  // `claims` are released by scope at UserInfo; `access_token_claims` are in each access token of the user.
  users: [
    {
      // An administrator, with every standard claim that is commonly used.
      sub: 'alice',
      claims: {
        name: 'Alice Archer',
        given_name: 'Alice',
        family_name: 'Archer',
        preferred_username: 'alice',
        email: 'alice@example.com',
        email_verified: true,
        phone_number: '+44 20 7946 0101',
        phone_number_verified: true,
        birthdate: '1985-04-12',
        locale: 'en-GB',
        zoneinfo: 'Europe/London',
        address: {
          formatted: '1 Orchard Lane\nLondon EC1A 1AA\nUnited Kingdom',
          street_address: '1 Orchard Lane',
          locality: 'London',
          postal_code: 'EC1A 1AA',
          country: 'GB',
        },
        updated_at: 1735689600,
        roles: ['admin', 'buyer'],
      },
      access_token_claims: { roles: ['admin', 'buyer'] },
    },
    {
      // A customer.
      sub: 'bob',
      claims: {
        name: 'Bob Brewer',
        given_name: 'Bob',
        family_name: 'Brewer',
        preferred_username: 'bob',
        email: 'bob@example.com',
        email_verified: true,
        locale: 'de-DE',
        zoneinfo: 'Europe/Berlin',
        address: {
          formatted: 'Gartenweg 7\n10115 Berlin\nGermany',
          street_address: 'Gartenweg 7',
          locality: 'Berlin',
          postal_code: '10115',
          country: 'DE',
        },
        updated_at: 1738368000,
        roles: ['buyer'],
      },
      access_token_claims: { roles: ['buyer'] },
    },
    {
      // Somebody whose e-mail address is not verified, and who has no role.
      sub: 'carol',
      claims: {
        name: 'Carol Núñez',
        given_name: 'Carol',
        family_name: 'Núñez',
        preferred_username: 'carol',
        email: 'carol@example.com',
        email_verified: false,
        phone_number: '+34 912 345 678',
        phone_number_verified: false,
        locale: 'es-ES',
        zoneinfo: 'Europe/Madrid',
        updated_at: 1740787200,
        roles: [],
      },
      access_token_claims: { roles: [] },
    },
  ],

  // In words for the sign-in page: "the app wants to …". The scopes of OpenID Connect are always known.
  scopes: {
    'bikes:read': 'see the bikes',
    'products:read': 'see the products',
    'products:write': 'add, change and delete products',
    'telemetry:write': 'report measurements',
    // Add `roles` to the scope of a client, and UserInfo tells the app the roles of the user.
    roles: { description: 'see your roles', claims: ['roles'] },
  },

  // Types of `authorization_details` that clients may ask for (RFC 9396); the user sees them on the consent screen.
  authorizationDetailsTypes: {
    payment_initiation: {
      description: 'make one payment from your account',
      fields: {
        instructedAmount: 'object',
        creditorName: 'string',
        creditorAccount: { type: 'object', required: false },
        remittanceInformationUnstructured: { type: 'string', required: false },
      },
    },
  },

  // The sample backend: each collection is served at /api/<name>. Every row has an integer `id` besides its fields.
  collections: {
    products: {
      readScope: 'products:read',
      writeScope: 'products:write',
      fields: { name: 'string', category: 'string', price: 'number' },
      seed: [
        { name: 'City bike', category: 'bikes', price: 549 },
        { name: 'Gravel bike', category: 'bikes', price: 1499 },
        { name: 'Cargo bike', category: 'bikes', price: 3299 },
        { name: 'Folding bike', category: 'bikes', price: 899 },
        { name: "Children's bike", category: 'bikes', price: 249.5 },
        { name: 'Road helmet', category: 'helmets', price: 89.9 },
        { name: 'City helmet', category: 'helmets', price: 59.9 },
        { name: "Children's helmet", category: 'helmets', price: 39.9 },
        { name: 'Front light', category: 'lights', price: 34.5 },
        { name: 'Rear light', category: 'lights', price: 19.5 },
        { name: 'Light set', category: 'lights', price: 49 },
        { name: 'Folding lock', category: 'locks', price: 79 },
        { name: 'Chain lock', category: 'locks', price: 64.9 },
        { name: 'U-lock', category: 'locks', price: 54.9 },
        { name: 'Pannier', category: 'bags', price: 69 },
        { name: 'Handlebar bag', category: 'bags', price: 44 },
        { name: 'Saddle bag', category: 'bags', price: 24.9 },
        { name: 'Mini pump', category: 'tools', price: 22.5 },
        { name: 'Floor pump', category: 'tools', price: 39 },
        { name: 'Multi-tool', category: 'tools', price: 29.9 },
        { name: 'Repair kit', category: 'tools', price: 9.9 },
        { name: 'Chain oil', category: 'tools', price: 7.5 },
        { name: 'Bottle', category: 'accessories', price: 8.9 },
        { name: 'Bottle cage', category: 'accessories', price: 12.9 },
        { name: 'Bell', category: 'accessories', price: 6.5 },
      ],
    },
    bikes: {
      readScope: 'bikes:read',
      fields: { name: 'string', category: 'string', available: 'boolean' },
      seed: [
        { name: 'Blue Heron', category: 'city', available: true },
        { name: 'Red Kite', category: 'gravel', available: true },
        { name: 'Grey Goose', category: 'cargo', available: false },
        { name: 'Swift', category: 'road', available: true },
        { name: 'Wren', category: 'folding', available: true },
      ],
    },
    telemetry: {
      writeScope: 'telemetry:write',
      fields: {
        sensor: 'string',
        metric: 'string',
        value: 'number',
        recorded_at: { type: 'string', required: false },
      },
    },
  },
} satisfies SandboxConfig;
