import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import react from '@vitejs/plugin-react';
import vue from '@vitejs/plugin-vue';
import { createServer } from 'vite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { applicationText } from '../../../src/client/cli/init-command.ts';
import { variants } from '../../../src/client/cli/init-variants.ts';
import { startSandbox } from '../../../src/sandbox/sandbox.ts';
import { openBrowser, type TestBrowser } from '../../browser/support/chromium.ts';
import { type } from '../../client/cli/support.ts';
import { blocksOf } from '../../support/documents.ts';
import { freePort } from '../../support/free-port.ts';
import { loadConfig } from '../../support/load-config.ts';
import { newFolder } from '../../support/new-folder.ts';
import { snippetsOf } from '../../support/snippets.ts';
import { madeFolder } from '../support/made-folder.ts';

// A stock React application of Vite runs each effect twice in development, as React's StrictMode wants it.

const html = `<!doctype html><html lang="en"><title>Application</title><link rel="icon" href="data:,">
<div id="root"></div><script type="module" src="/src/main.tsx"></script></html>`;

const main = `import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import App from './App.tsx';

createRoot(document.getElementById('root')!).render(<StrictMode><App /></StrictMode>);`;

const application = `import type { User } from 'oidc-client-ts';
import { useEffect, useState } from 'react';
import { currentUser, signIn } from './auth';

export default function App() {
  const [user, setUser] = useState<User | null>();
  const [error, setError] = useState('');
  useEffect(() => {
    currentUser().then(setUser, (reason: Error) => setError(reason.message));
  }, []);
  if (error !== '') return <p id="error">{error}</p>;
  if (user === undefined) return <p>Signing in</p>;
  if (user === null) return <button onClick={signIn}>Sign in</button>;
  return <p id="user">Signed in as {user.profile.name}</p>;
}`;

let browser: TestBrowser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(async () => {
  expect(browser.takeTroubles()).toEqual([]);
  await browser.close();
});

/** Serves the files as `vite dev` does, below a folder that finds React and the client libraries. */
async function viteApplication(files: Readonly<Record<string, string>>, port: number) {
  const root = await madeFolder();
  await mkdir(join(root, 'src'));
  for (const [name, text] of Object.entries({ 'index.html': html, ...files })) await writeFile(join(root, name), text);
  const server = await createServer({
    ...{
      root,
      configFile: false,
      logLevel: 'silent',
      plugins: [react(), vue(), svelte({ configFile: false })],
      cacheDir: join(root, 'cache'),
    },
    server: { port, strictPort: true, host: 'localhost', hmr: false },
    optimizeDeps: {
      include: ['react', 'react-dom/client', 'react/jsx-dev-runtime', 'oidc-client-ts', 'react-oidc-context', 'vue'],
    },
  });
  await server.listen();
  return {
    origin: `http://localhost:${port}`,
    async [Symbol.asyncDispose]() {
      await server.close();
      await rm(root, { recursive: true });
    },
  };
}

type Written = (url: string) => Promise<Readonly<Record<string, string>>>;

const withAuth = (text: string) => ({ 'src/main.tsx': main, 'src/App.tsx': application, 'src/auth.ts': text });

const written: readonly (readonly [from: string, files: Written])[] = [
  [
    'of the README',
    async () => ({
      'src/main.tsx': main,
      'src/App.tsx': blockOf('README.md', 'export default function App'),
      'src/auth.ts': blockOf('README.md', 'new UserManager('),
    }),
  ],
  [
    'of the README, without React',
    async () => ({
      'src/main.tsx': blockOf('README.md', 'document.body'),
      'src/auth.ts': blockOf('README.md', 'new UserManager('),
    }),
  ],
  [
    'of the guide',
    async () => {
      const files = blocksOf('docs/guides/single-page-application.md').filter(({ mark }) => mark.startsWith('file '));
      return { 'src/main.tsx': main, ...Object.fromEntries(files.map(({ mark, text }) => [mark.slice(5), text])) };
    },
  ],
  ['of the page Connect', async url => withAuth((await snippetsOf(url, 'frontend'))('spa'))],
  [
    'of the page Connect, with react-oidc-context',
    async url => ({ 'src/main.tsx': (await snippetsOf(url, 'frontend'))('react') }),
  ],
  [
    'of the page Connect, with Vue',
    async url => {
      const snippet = await snippetsOf(url, 'frontend');
      const start = `import { createApp } from 'vue';
        import App from './App.vue';
        createApp(App).mount('#root');`;
      return { 'src/main.tsx': start, 'src/App.vue': snippet('vue'), 'src/auth.ts': snippet('spa') };
    },
  ],
  [
    'of the page Connect, with Svelte',
    async url => {
      const snippet = await snippetsOf(url, 'frontend');
      const start = `import { mount } from 'svelte';
        import App from './App.svelte';
        mount(App, { target: document.getElementById('root')! });`;
      return { 'src/main.tsx': start, 'src/App.svelte': snippet('svelte'), 'src/auth.ts': snippet('spa') };
    },
  ],
  [
    'of grantbox init react',
    async () => {
      const variant = variants.get('react');
      return withAuth(variant === undefined ? '' : await applicationText(variant));
    },
  ],
];

/** The block of a document with this text. */
function blockOf(document: string, text: string): string {
  return blocksOf(document).find(block => block.text.includes(text))?.text ?? '';
}

const at = (port: number, text: string) => text.replaceAll('http://localhost:5173', `http://localhost:${port}`);

const signedIn = /(Signed in as|Sign out) Alice/;

it.each(written)('the code %s redeems its code once, and keeps the user', async (from, files) => {
  const port = await freePort();
  const cwd = newFolder();
  if (['of grantbox init react', 'of the guide'].includes(from))
    await writeFile(join(cwd, 'clients.config.ts'), at(port, (await type(['init', 'react', '--print'])).out));
  await using sandbox = await startSandbox(
    await loadConfig({ cwd, flags: { port: '0', 'log-level': 'silent', watch: 'off' } }),
  );
  const texts = Object.entries(await files(sandbox.url)).map(([name, text]) => [
    name,
    at(port, text).replaceAll('http://localhost:9000', sandbox.url),
  ]);
  await using app = await viteApplication(Object.fromEntries(texts), port);
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(app.origin);
  await page.getByText('Sign in').click();
  await page.getByTestId('login-user-alice').click();
  await page.getByText(signedIn).waitFor();
  const issued = sandbox.events.latest('token.issued', 10).filter(({ tokenType }) => tokenType === 'access');
  expect(issued).toHaveLength(1);
  expect(sandbox.events.latest('error.returned', 10)).toEqual([]);
  expect(new URL(page.url()).search).toBe('');
  await page.reload();
  await page.getByText(signedIn).waitFor();
  if (from === 'of the guide') {
    await page.getByRole('button', { name: 'Tasks' }).click();
    await page.getByText('Renew the token before it expires').waitFor();
  }
  if (/README|guide/.test(from)) {
    await page.getByText('Sign out').click();
    await page.getByText('Sign in').waitFor();
  }
  await context.close();
});
