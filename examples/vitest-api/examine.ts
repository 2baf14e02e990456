// npm run examine: starts the API, and lets grantbox call it with good and bad tokens of the sandbox that examine.config.ts describes.
import { spawn } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { createApp } from './src/app.ts';

const issuer = `http://localhost:${process.env.PORT ?? 9000}`;
const audience = 'https://bookings.example.com';
const products = { productsUrl: `${issuer}/api/products`, clientId: 'bookings', clientSecret: 'bookings-secret' };
const server = createApp({ issuer, audience, ...products, clockTolerance: 30 }).listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  const api = [
    '--api',
    `http://127.0.0.1:${port}/bookings`,
    '--audience',
    audience,
    '--scope',
    'bookings:read',
    '--rotate',
  ];
  const flags = [...api, ...process.argv.slice(2)];
  const env = { ...process.env, CONFIG_FILE: 'examine.config.ts' };
  spawn('grantbox', ['examine', ...flags], { env, stdio: 'inherit' }).on('exit', code => process.exit(code ?? 1));
});
