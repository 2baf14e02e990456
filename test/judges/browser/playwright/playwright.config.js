// A project as somebody would have it who tests with grantbox/playwright; ../playwright.test.ts runs it.
import { defineConfig } from '@playwright/test';

const { CHROMIUM, OUTPUT } = process.env;
const args = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync'],
];

/** The application in `app.js`. */
const app = {
  client_id: 'app',
  token_endpoint_auth_method: 'none',
  redirect_uris: ['http://localhost:5173/callback'],
  scope: 'openid profile',
};

export default defineConfig({
  fullyParallel: true,
  workers: 2,
  // for a machine that is ten times as busy
  timeout: 120_000,
  expect: { timeout: 60_000 },
  reporter: [['json', { outputFile: `${OUTPUT}/report.json` }]],
  outputDir: `${OUTPUT}/results`,
  use: {
    baseURL: 'http://127.0.0.1:5173',
    launchOptions: { executablePath: CHROMIUM, args },
    sandboxConfig: { clients: [app], users: [{ sub: 'alice', claims: { name: 'Alice' } }, { sub: 'bob' }] },
  },
});
