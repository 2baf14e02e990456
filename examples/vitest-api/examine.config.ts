import type { SandboxConfig } from 'grantbox';

// for npm run examine
export default {
  clients: [
    {
      client_id: 'web',
      token_endpoint_auth_method: 'none',
      redirect_uris: ['http://localhost:3000/callback'],
      scope: 'openid bookings:read bookings:write',
      audience: 'https://bookings.example.com',
    },
  ],
  users: [{ sub: 'ana' }],
} satisfies SandboxConfig;
