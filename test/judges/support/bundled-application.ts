import { type BuildOptions, build } from 'esbuild';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** The script of an application in this folder, such as `okta-spa`, as a browser loads it. */
export async function bundledApplication(name: string, options: BuildOptions = {}): Promise<string> {
  const entryPoints = [`${import.meta.dirname}/${name}.ts`];
  const bundling = { entryPoints, bundle: true, format: 'esm', target: 'es2022', ...options } as const;
  const { outputFiles } = await build({ ...bundling, write: false });
  return outputFiles[0]?.text ?? '';
}

/** The page of an application: its status, its settings and its script. */
export function applicationPage(settings: unknown, script = '/app.js'): string {
  const json = JSON.stringify(settings).replaceAll('<', '\\u003c');
  return `<!doctype html><html lang="en"><title>Application</title><link rel="icon" href="data:,">
<p id="status">starting</p>
<script id="settings" type="application/json">${json}</script><script type="module" src="${script}"></script>`;
}

/** Waits for what the application says of itself. */
export async function expectStatus(page: Page, text: string | RegExp): Promise<void> {
  const status = expect.poll(() => page.locator('#status').textContent().catch(String));
  await (typeof text === 'string' ? status.toBe(text) : status.toMatch(text));
}
