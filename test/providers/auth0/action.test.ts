import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { runAuth0Action } from '../../../src/providers/auth0/action.ts';
import type { TokenActions } from '../../../src/sandbox/config/provider-traits.ts';
import { createTestServer, type TestServer } from '../../support/server.ts';

const byBasic = `Basic ${btoa('sensor:sensor-secret')}`;

function running(action: TokenActions['auth0Action']): TestServer {
  return createTestServer({
    tokenRules: { templates: [], timeout: 2, onToken: event => runAuth0Action(action, event) },
  });
}

async function claimsOf(it: TestServer) {
  const { access_token, id_token = '' } = await it.tokens({ scope: 'openid email' });
  return { accessToken: decodeJwt(access_token), idToken: decodeJwt(id_token) };
}

describe('an Action of Auth0', () => {
  it('sets the custom claims of each token', async () => {
    const onExecutePostLogin = async (event: Event, api: Api) => {
      const roles = 'https://shop.example/roles';
      api.idToken.setCustomClaim(roles, event.authorization.roles).accessToken.setCustomClaim('plan', 'gold');
      api.accessToken.setCustomClaim('who', `${event.user.user_id} at ${event.client.name}`);
      api.accessToken.setCustomClaim('how', event.transaction.protocol);
    };
    const { accessToken, idToken } = await claimsOf(running(onExecutePostLogin));
    expect(idToken).toMatchObject({ 'https://shop.example/roles': ['admin'] });
    expect(idToken).not.toHaveProperty('plan');
    expect(accessToken).toMatchObject({ plan: 'gold', who: 'alice at Demo front end', how: 'oidc-basic-profile' });
    expect(accessToken).not.toHaveProperty('https://shop.example/roles');
  });

  it('denies access, and need not stop for that', async () => {
    const it = running(async (_event: Event, api: Api) => {
      api.access.deny('only on weekdays');
    });
    const error = await it.tokens().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'access_denied', description: 'only on weekdays' });
  });

  it('does not run where nobody logs in', async () => {
    const it = running((_event: Event, api: Api) => void api.access.deny('never'));
    expect(await it.token({ grant_type: 'client_credentials' }, byBasic)).toHaveProperty('access_token');
  });

  it('answers server_error where it uses something else', async () => {
    const it = running((_event: Event, api: { readonly multifactor: { enable(): void } }) => api.multifactor.enable());
    const error = await it.tokens().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'server_error', description: expect.stringContaining("'enable'") });
  });
});

/** The parts of the types of Auth0 that the Actions above use. */
interface Event {
  readonly authorization: { readonly roles: readonly string[] };
  readonly user: { readonly user_id: string };
  readonly client: { readonly name: string };
  readonly transaction: { readonly protocol: string };
}

interface Api {
  readonly accessToken: { setCustomClaim(name: string, value: unknown): Api };
  readonly idToken: { setCustomClaim(name: string, value: unknown): Api };
  readonly access: { deny(reason: string): Api };
}
