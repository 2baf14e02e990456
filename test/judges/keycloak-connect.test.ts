import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express, { type NextFunction, type Request, type Response } from 'express';
import KeycloakConnect from 'keycloak-connect';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { createAgent } from '../support/agent.ts';
import { createSandbox } from '../support/bundle.ts';

// The unmodified adapter of Keycloak, in an Express application and by its grant manager.

const client = { resource: 'shop', credentials: { secret: 'the secret: 100% & more' } };

/** The members that the declarations of the package leave out, or declare as they are not. */
interface Adapter extends Omit<KeycloakConnect.Keycloak, 'grantManager'> {
  readonly grantManager: {
    obtainDirectly(username: string, password: string): Promise<Grant>;
    obtainFromClientCredentials(): Promise<Grant>;
    ensureFreshness(grant: Grant): Promise<Grant>;
    validateAccessToken(token: string): Promise<string | false>;
    userInfo(token: string): Promise<object>;
  };
}

interface Grant {
  readonly access_token: { readonly token: string; isExpired(): boolean; hasRole(name: string): boolean };
  readonly id_token: { readonly content: object };
}

let sandbox: Sandbox;
let adapter: Adapter;
const app = express();
const server = app.listen(0, 'localhost');
const origin = () => `http://localhost:${(server.address() as AddressInfo).port}`;

/** A session of one browser. The adapter reads and writes `request.session`. */
const sessions = { get: () => {}, set: () => {} };
const session = {};
function withSession(request: Request & { session?: object }, _: Response, next: NextFunction): void {
  request.session = session;
  next();
}

function adapterOf(more: object = {}): Adapter {
  const config = { realm: 'shop', 'auth-server-url': sandbox.url, 'ssl-required': 'none', 'confidential-port': 0 };
  // the declarations know neither the credentials nor the members above
  return new KeycloakConnect({ store: sessions }, { ...config, ...client, ...more }) as unknown as Adapter;
}

beforeAll(async () => {
  if (!server.listening) await once(server, 'listening');
  sandbox = await createSandbox({
    preset: { name: 'keycloak', realm: 'shop' },
    clients: [
      {
        client_id: client.resource,
        client_secret: client.credentials.secret,
        redirect_uris: [`${origin()}/account?auth_callback=1`, `${origin()}/admin?auth_callback=1`],
        post_logout_redirect_uris: [`${origin()}/`],
        grant_types: ['authorization_code', 'refresh_token', 'client_credentials', 'password'],
      },
    ],
    users: [
      {
        sub: 'alice',
        password: 'alice-password',
        claims: { preferred_username: 'alice', roles: ['admin'], client_roles: { shop: ['editor'] } },
      },
      { sub: 'bob', password: 'bob-password', claims: { preferred_username: 'bob' } },
    ],
  });
  adapter = adapterOf();
  app.use(withSession, adapter.middleware());
  app.get('/', (_, response) => void response.send('signed out'));
  app.get('/account', adapter.protect(), (_, response) => void response.send('your account'));
  app.get('/admin', adapter.protect('realm:admin'), (_, response) => void response.send('for admins'));
  const api = adapterOf({ 'bearer-only': true });
  app.use('/api', api.middleware());
  app.get('/api', api.protect('editor'), (_, response) => void response.send('for editors'));
});
afterAll(async () => {
  server.close();
  await sandbox.stop();
});

describe('keycloak-connect', () => {
  it('logs in, protects pages by realm roles, and logs out', async () => {
    await sandbox.nextLogin({ sub: 'alice' });
    const agents = [origin(), sandbox.url].map(each => ({ each, agent: createAgent(each) }));
    /** Follows redirects between the application and the sandbox to a page. */
    const open = async (url: string): Promise<string> => {
      const visit = await agents.find(({ each }) => url.startsWith(`${each}/`))?.agent.open(url);
      return visit?.status === 302 || visit?.status === 303 ? open(visit.url.href) : (visit?.html ?? '');
    };
    expect(await open(`${origin()}/account`)).toBe('your account');
    expect(await open(`${origin()}/admin`)).toBe('for admins');
    expect(await open(`${origin()}/logout`)).toBe('signed out');
    expect(session).toEqual({ auth_redirect_uri: expect.any(String) });
  });

  it('lets an API accept tokens with a client role', async () => {
    const call = async (user: string) => {
      const { access_token } = await adapter.grantManager.obtainDirectly(user, `${user}-password`);
      const headers = { authorization: `Bearer ${access_token.token}` };
      return (await fetch(`${origin()}/api`, { headers })).status;
    };
    expect([await call('alice'), await call('bob')]).toEqual([200, 403]);
    expect((await fetch(`${origin()}/api`)).status).toBe(403);
  });

  it('asks whether a token is active, with the secret in the header and in the body', async () => {
    const { access_token } = await adapter.grantManager.obtainDirectly('alice', 'alice-password');
    expect(await adapter.grantManager.validateAccessToken(access_token.token)).toBe(access_token.token);
    expect(await adapter.grantManager.validateAccessToken('x')).toBe(false);
    const wrong = adapterOf({ credentials: { secret: 'x' } }).grantManager;
    await expect(wrong.validateAccessToken(access_token.token)).rejects.toThrow('401:Unauthorized');
  });

  it('refreshes a grant, reads the profile, and has a token of its own', async () => {
    const manager = adapter.grantManager;
    const grant = await manager.obtainDirectly('alice', 'alice-password');
    expect(grant.id_token.content).toMatchObject({ typ: 'ID', jti: expect.any(String) });
    expect(await manager.userInfo(grant.access_token.token)).toMatchObject({ preferred_username: 'alice' });
    Object.assign(grant.access_token, { isExpired: () => true });
    const fresh = await manager.ensureFreshness(grant);
    expect(fresh.access_token.token).not.toBe(grant.access_token.token);
    expect(fresh.access_token.hasRole('realm:admin')).toBe(true);
    const own = await manager.obtainFromClientCredentials();
    expect(own.access_token.hasRole('realm:admin')).toBe(false);
  });
});
