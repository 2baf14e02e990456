import { createPrivateKey, createPublicKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { demoKey, demoPrivateKey } from '../../../src/extensions/catalogue/demo-key.ts';
import { readyClients, readyTrustedIssuers } from '../../../src/extensions/catalogue/ready-clients.ts';
import { checkClient } from '../../../src/sandbox/config/client/client-rules.ts';
import { checkTrustedIssuer } from '../../../src/sandbox/config/trusted-issuer-entry.ts';
import { problemsOf, shop, withFile } from '../../sandbox/config/support.ts';
import { loadConfig } from '../../support/load-config.ts';

const settings = readyClients.map(client => client.settings);
const idsOf = async (...given: Parameters<typeof loadConfig>) =>
  (await loadConfig(...given)).clients.map(({ client_id }) => client_id);

describe('the catalogue', () => {
  it.each(settings.map(each => [each.client_id, each] as const))('has valid settings for %s', (_id, entry) => {
    expect(checkClient(entry)).toEqual([]);
  });

  it('has a trusted issuer that is valid', () => {
    const findings = Object.entries(readyTrustedIssuers).map(([name, raw]) => checkTrustedIssuer(name, raw, []));
    expect(findings.flat()).toEqual([]);
  });

  it('gives each client an id of its own, which says where it is from', () => {
    const ids = settings.map(({ client_id }) => client_id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter(id => !id.startsWith('catalogue-'))).toEqual([]);
  });

  it('publishes the public key of the private key that its commands sign with', () => {
    const { n, e } = createPublicKey(createPrivateKey(demoPrivateKey)).export({ format: 'jwk' });
    expect(demoKey).toMatchObject({ n, e });
  });
});

describe('CATALOGUE', () => {
  it('adds nothing unless it is on', async () => {
    const { clients, trustedIssuers } = await loadConfig({});
    expect(clients.map(({ client_id }) => client_id)).toEqual(['frontend', 'sensor']);
    expect(trustedIssuers).toEqual([]);
  });

  it('adds the clients after the configured ones, with the entries that they need', async () => {
    const { clients, trustedIssuers, scopes } = await loadConfig({ env: { CATALOGUE: 'on' } });
    const ids = clients.map(({ client_id }) => client_id);
    expect(ids.slice(0, 3)).toEqual(['frontend', 'sensor', 'catalogue-spa']);
    expect(ids).toContain('catalogue-ciba-ping');
    expect(trustedIssuers).toMatchObject([{ issuer: 'https://partner.example' }]);
    expect(scopes.map(({ name }) => name)).toContain('telemetry:write');
  });

  it('leaves the list of the user as it is', async () => {
    const ids = await idsOf(withFile({ catalogue: true, clients: [shop] }));
    expect(ids.filter(id => !id.startsWith('catalogue-'))).toEqual(['shop']);
  });

  it('lets a client of the user with the same id win', async () => {
    const own = { ...shop, client_id: 'catalogue-web', client_name: 'Ours' };
    const config = await loadConfig(withFile({ catalogue: true, clients: [own] }));
    expect(config.clients.filter(({ client_id }) => client_id === 'catalogue-web')).toMatchObject([
      { client_name: 'Ours' },
    ]);
    expect(config.readyClients.replaced).toEqual(['catalogue-web']);
    expect(config.readyClients.added).not.toContain('catalogue-web');
  });

  it('still reports the problems of a client of the user', async () => {
    const problems = await problemsOf(withFile({ catalogue: true, clients: [{ client_id: 'shop' }] }));
    expect(problems).toMatchObject([{ source: 'clients.config.json: clients[0].redirect_uris' }]);
  });

  it.each([
    ['without HTTPS, clients with certificates', {}, ['catalogue-service-mtls', 'catalogue-service-self-signed']],
    ['clients of grants that OAuth 2.1 removed', {}, ['catalogue-password', 'catalogue-implicit']],
    ['with par off, clients that need it', { FEATURES: 'par=off' }, ['catalogue-par', 'catalogue-fapi']],
    ['with dpop off, clients that need it', { FEATURES: 'dpop=off' }, ['catalogue-dpop', 'catalogue-fapi']],
  ])('leaves out, %s', async (_what, env, without) => {
    const ids = await idsOf({ env: { CATALOGUE: 'on', ...env } });
    expect(ids).toContain('catalogue-spa');
    expect(ids.filter(id => without.includes(id))).toEqual([]);
  });

  it('adds them all where nothing is in their way', async () => {
    const env = { CATALOGUE: 'on', TLS: 'self-signed', FEATURES: 'password=on,implicit=on' };
    expect(await idsOf({ env })).toEqual(['frontend', 'sensor', ...settings.map(({ client_id }) => client_id)]);
  });

  it('adds, under the profile fapi2, the clients that it allows', async () => {
    const { readyClients: ready } = await loadConfig({ env: { CATALOGUE: 'on', PROFILE: 'fapi2' } });
    expect(ready.added).toEqual(['catalogue-fapi']);
  });

  it('is on in the issuers that ask for it', async () => {
    const { clients, issuers } = await loadConfig(withFile({ issuers: { a: { catalogue: true }, b: {} } }));
    const counts = [clients, ...issuers.map(({ config }) => config.clients)].map(list => list.length);
    expect(counts[0]).toBe(2);
    expect(counts[1]).toBeGreaterThan(20);
    expect(counts[2]).toBe(2);
  });
});
