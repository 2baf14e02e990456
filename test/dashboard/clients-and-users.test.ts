import { describe, expect, it } from 'vitest';
import { alice, frontend, refreshFact, runDashboard, sensor, tokenFact } from './running-dashboard.ts';

const ready = ['ready-code', 'ready-device'].map(client_id => ({ ...frontend, client_id }));
const clients = [frontend, sensor, ...ready];
const facts = { clients, registered: () => clients, readyClients: () => ready.map(({ client_id }) => client_id) };
const idsIn = (html = '') =>
  [...html.matchAll(/title="([\w-]+)"><a href="\/dashboard\/clients\/\1"/g)].map(([, id]) => id);
const halves = (html: string) => html.split('data-testid="clients-ready"');

describe('the list of clients', () => {
  it('folds the ready clients that nobody has used', async () => {
    await using dashboard = await runDashboard(facts);
    const [own, folded] = halves(await dashboard.text('/dashboard/clients'));
    expect(idsIn(own)).toEqual(['frontend', 'sensor']);
    expect(folded).toContain('<summary>2 ready clients, not used yet</summary>');
    expect(idsIn(folded)).toEqual(['ready-code', 'ready-device']);
  });

  it('shows a ready client that has come, and each that a filter finds', async () => {
    await using dashboard = await runDashboard(facts);
    const authenticated = { type: 'client.authenticated', client_id: 'ready-code', method: 'none' } as const;
    dashboard.append(authenticated);
    const [own, folded] = halves(await dashboard.text('/dashboard/clients'));
    expect(idsIn(own)).toEqual(['frontend', 'sensor', 'ready-code']);
    expect(folded).toContain('<summary>1 ready client, not used yet</summary>');
    const found = await dashboard.text('/dashboard/clients?q=ready-d');
    expect(found).not.toContain('clients-ready');
    expect(idsIn(found)).toEqual(['ready-device']);
  });

  it('says in grey that an app refreshed', async () => {
    await using dashboard = await runDashboard(facts);
    dashboard.append(refreshFact('refresh-1'));
    dashboard.append(tokenFact('access-2', { grant_type: 'refresh_token', parentTokenId: 'refresh-1' }));
    const html = await dashboard.text('/dashboard/clients');
    expect(html).toMatch(/class="muted" data-testid="clients-refreshed">refreshed 1×, last <time/);
  });
});

describe('the list of users', () => {
  it('has a column for the status if a user has one', async () => {
    await using configured = await runDashboard({ users: [alice], accounts: () => [alice] });
    expect(await configured.text('/dashboard/users')).not.toContain('>Status</th>');
    await using created = await runDashboard({ users: [alice], accounts: () => [alice, { ...alice, sub: 'dora' }] });
    const html = await created.text('/dashboard/users');
    expect(html).toContain('>Status</th>');
    expect(html).toContain('>created</span>');
  });
});
