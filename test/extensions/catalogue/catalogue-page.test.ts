import { describe, expect, it } from 'vitest';
import type { DashboardFacts } from '../../../src/dashboard/facts.ts';
import { cataloguePages, type IssuerCatalogue } from '../../../src/extensions/catalogue/catalogue-pages.ts';
import { demoPrivateKey } from '../../../src/extensions/catalogue/demo-key.ts';
import { readyClients } from '../../../src/extensions/catalogue/ready-clients.ts';
import { referenceUrl } from '../../../src/server/http/reference.ts';
import { frontend, runDashboard } from '../../dashboard/running-dashboard.ts';
import { textOfElement } from '../../support/snippets.ts';

const off: IssuerCatalogue = { isOn: () => false, replaced: () => [] };
const on: IssuerCatalogue = { ...off, isOn: () => true };

const runWith = (catalogue: IssuerCatalogue, more: Partial<DashboardFacts> = {}) =>
  runDashboard(more, [
    { path: '/dashboard/catalogue', routes: async (router, context) => cataloguePages(router, context, catalogue) },
  ]);

describe('the page of the catalogue', () => {
  it('shows each client once, with its settings and its command', async () => {
    await using dashboard = await runWith(off);
    const html = await dashboard.text('/dashboard/catalogue');
    expect(html.match(/data-testid="catalogue-client"/g)).toHaveLength(readyClients.length);
    expect(textOfElement(html, 'settings-catalogue-spa')).toContain(`client_id: 'catalogue-spa',`);
    expect(textOfElement(html, 'command-catalogue-spa')).toContain(`curl -sS 'http://localhost:9000/oauth2/token'`);
  });

  it('has the line that switches it on, while it is off', async () => {
    await using dashboard = await runWith(off);
    const html = await dashboard.text('/dashboard/catalogue');
    expect(textOfElement(html, 'code-switch-on')).toBe('CATALOGUE=on npx grantbox');
    expect(html).not.toContain('catalogue-on');
  });

  it('says how many are registered, and what the others need', async () => {
    const registered = () => [{ ...frontend, client_id: 'catalogue-spa' }];
    await using dashboard = await runWith(on, { registered });
    const html = await dashboard.text('/dashboard/catalogue');
    expect(html).toMatch(/1 of \d+ are registered here/);
    expect(html).toContain('href="/dashboard/clients/catalogue-spa"');
    expect(html).toContain('It needs HTTPS: start with TLS=self-signed.');
    expect(html).toContain('a feature that it demands is off');
    expect(html.match(/<span class="tag mid">left out<\/span>/g)).toHaveLength(readyClients.length - 1);
    expect(html).not.toContain('catalogue-off');
  });

  it('says which client is one of the user', async () => {
    const registered = () => [{ ...frontend, client_id: 'catalogue-spa' }];
    await using dashboard = await runWith({ ...on, replaced: () => ['catalogue-spa'] }, { registered });
    expect(await dashboard.text('/dashboard/catalogue')).toContain('<span class="tag mid">yours</span>');
  });

  it('shows clients with certificates over HTTPS, because nobody has one without it', async () => {
    await using dashboard = await runWith(off);
    const command = textOfElement(await dashboard.text('/dashboard/catalogue'), 'command-catalogue-service-mtls');
    expect(command).toContain(`curl -sSk 'https://localhost:9000/oauth2/token'`);
    expect(command).not.toContain('http://');
  });

  it('gives out the demo key, and no other file', async () => {
    await using dashboard = await runWith(off);
    expect(await dashboard.text('/dashboard/catalogue/grantbox-demo-key.pem')).toBe(demoPrivateKey);
    expect((await dashboard.get('/dashboard/catalogue/package.json')).status).toBe(404);
  });

  it('quotes a user with any name for the shell', async () => {
    const accounts = () => [{ sub: `it's $(id)`, username: `it's $(id)`, claims: {}, access_token_claims: {} }];
    await using dashboard = await runWith(off, { accounts });
    const command = textOfElement(await dashboard.text('/dashboard/catalogue'), 'command-catalogue-spa');
    expect(command).toContain(`--data-urlencode 'sandbox_login=it'\\''s $(id)'`);
  });

  it('links each client to the specification to read', () => {
    expect(readyClients.filter(client => referenceUrl(client.read) === undefined).map(({ read }) => read)).toEqual([]);
  });
});
