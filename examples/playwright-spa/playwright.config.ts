import { defineConfig, devices } from '@playwright/test';
import type { SandboxOptions } from 'grantbox/playwright';

const port = Number(process.env.PORT ?? 4173);
const baseURL = `http://localhost:${port}`;

// Nothing to set on a usual machine. CHROMIUM is the browser of one without Playwright's own; root needs --no-sandbox.
const { CHROMIUM } = process.env;
const args = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync'],
];

export default defineConfig<SandboxOptions>({
  testDir: 'tests',
  fullyParallel: true,
  workers: 2,
  reporter: process.env.CI ? [['list'], ['html', { open: 'never' }]] : 'list',
  expect: { timeout: 15_000 },
  use: {
    ...devices['Desktop Chrome'],
    baseURL,
    trace: 'retain-on-failure',
    ...(CHROMIUM === undefined ? {} : { launchOptions: { executablePath: CHROMIUM, args } }),
    // each worker starts a sandbox with these; each test has an issuer of its own in it
    sandboxConfig: {
      clients: [
        {
          client_id: 'shop',
          client_name: 'Bike shop',
          token_endpoint_auth_method: 'none',
          grant_types: ['authorization_code', 'refresh_token'],
          redirect_uris: [`${baseURL}/callback`],
          post_logout_redirect_uris: [`${baseURL}/`],
          scope: 'openid profile email offline_access products:read',
          require_consent: true,
        },
      ],
    },
  },
  webServer: {
    command: `npm run build && npx vite preview --port ${port} --strictPort`,
    url: baseURL,
    reuseExistingServer: false,
  },
});
