import type { SandboxConfig } from '../../src/index.ts';

export const redirect_uri = 'http://localhost:3000/callback';
export const logoutUri = 'http://localhost:3000/signed-out';

/** A user pool with a public and a confidential client, and a user with attributes of each kind. */
export const pool = {
  preset: { name: 'cognito', pool: 'eu-west-1_Shop1' },
  clients: [
    {
      client_id: 'spa',
      redirect_uris: [redirect_uri],
      post_logout_redirect_uris: [logoutUri],
      grant_types: ['authorization_code', 'refresh_token'],
    },
    { client_id: 'other', redirect_uris: [redirect_uri], grant_types: ['authorization_code', 'refresh_token'] },
    {
      client_id: 'back-end',
      client_secret: 'back-end-secret',
      redirect_uris: [redirect_uri],
      grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
      scope: 'openid shop/read',
    },
    {
      client_id: 'rotating',
      redirect_uris: [redirect_uri],
      grant_types: ['authorization_code', 'refresh_token'],
      refresh_token_rotation: true,
    },
    { client_id: 'machine', client_secret: 'machine-secret', grant_types: ['client_credentials'], scope: 'shop/read' },
  ],
  users: [
    {
      sub: 'alice',
      password: 'Alice-password-1',
      claims: {
        name: 'Alice Archer',
        given_name: 'Alice',
        email: 'alice@example.com',
        email_verified: true,
        phone_number: '+15550100',
        'custom:plan': 'gold',
        'custom:seats': 3,
        groups: ['/admins', '/acme/engineering'],
        roles: ['Editor'],
        identities: [{ provider: 'Google', user_id: '1234567890' }],
      },
    },
    { sub: 'bob', password: 'Bob-password-1', claims: { email: 'bob@example.com', email_verified: false } },
  ],
} as const satisfies SandboxConfig;
