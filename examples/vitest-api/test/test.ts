import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test as base } from 'grantbox/vitest';
import { createApp } from '../src/app.ts';

const audience = 'https://bookings.example.com';

/**
 * Each test has `issuer`, its own, with the clients and users below, and `api`: our API as it runs, which believes that issuer.
 * `api('GET', '/bookings', token)` sends a request.
 */
export const test = base
  .extend('issuerConfig', {
    clients: [
      {
        client_id: 'web',
        redirect_uris: ['http://localhost:3000/callback'],
        scope: 'openid bookings:read bookings:write',
        audience,
      },
      {
        client_id: 'bookings',
        client_secret: 'bookings-secret',
        grant_types: ['client_credentials'],
        scope: 'products:read',
      },
    ],
    users: [{ sub: 'ana' }, { sub: 'ben' }],
  })
  .extend('api', async ({ issuer }, { onCleanup }) => {
    const app = createApp({
      issuer: issuer.issuer,
      audience,
      productsUrl: `${issuer.issuer}/api/products`, // the sample backend stands in for that API
      clientId: 'bookings',
      clientSecret: 'bookings-secret',
      clockTolerance: 30,
    });
    const server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onCleanup(() => void server.close().closeAllConnections());
    const { port } = server.address() as AddressInfo;
    return (method: 'GET' | 'POST', path: string, token: string, body?: object) =>
      fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body) ?? null,
      });
  });
