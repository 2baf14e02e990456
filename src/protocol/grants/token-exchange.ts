import type { GrantHandler } from '../authorization-server.ts';

/** Token exchange (RFC 8693). Its work is loaded with the first request: a start need not read it. */
export const tokenExchange: GrantHandler = {
  grantType: 'urn:ietf:params:oauth:grant-type:token-exchange',
  feature: 'token-exchange',
  parameters: [
    'subject_token',
    'subject_token_type',
    'actor_token',
    'actor_token_type',
    'requested_token_type',
    'audience',
    'resource',
  ],
  async redeem(request) {
    const { exchangeToken } = await import('./exchange-token.ts');
    return exchangeToken(request);
  },
};
