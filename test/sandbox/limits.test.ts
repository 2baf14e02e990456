import { expect, it, onTestFinished } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { createStableIds } from '../../src/providers/keycloak/admin/realm.ts';
import { limitRows } from '../../src/sandbox/limits.ts';
import { observes } from '../observed.ts';
import { asSensor, get, login, post } from '../support/wire.ts';

/** Use and limit by the words of a row on the page Settings. */
async function shown(url: string): Promise<Readonly<Record<string, readonly [used: number, most: number]>>> {
  const html = await (await get(`${url}/dashboard/settings`)).text();
  const rows = html.matchAll(
    /id="limit-(\w+)"[^>]*>\s*<td[^>]*>[^<]*<span[^>]*>[^<]*<\/span><\/td>\s*<td[^>]*>([^<]+)<\/td>\s*<td[^>]*>([^<]+)/g,
  );
  const number = (text = '') => Number(text.replace(/\D/g, ''));
  return Object.fromEntries([...rows].map(([, name = '', used, most]) => [name, [number(used), number(most)]]));
}

it('what a sandbox accumulates stays below limits, which the page Settings shows with their fill', async () => {
  observes('setting storeSize', 'setting userLimit');
  const sandbox = await createSandbox({ historySize: 100, historyBytes: 1_000_000, storeSize: 100, userLimit: 3 });
  onTestFinished(() => sandbox.stop());
  const { url } = sandbox;
  const before = await shown(url);
  expect(Object.keys(before)).toEqual(limitRows.map(({ name }) => name));
  expect(before).toMatchObject({ users: [0, 3], stored: [0, 100], faults: [0, 200], rows: [0, 1000] });

  const first = await login(url);
  const times = Array.from({ length: 120 });
  await Promise.all(times.map(() => login(url)));
  const token = () => post(`${url}/oauth2/token`, { grant_type: 'client_credentials' }, { authorization: asSensor });
  await Promise.all(times.map(async () => (await token()).text()));
  const added: unknown[] = [];
  for (const sub of ['u1', 'u2', 'u3', 'u4'])
    added.push(await sandbox.users.create({ sub }).catch((error: Error) => error));
  await sandbox.faults.arm({ fault: 'server_error', times: 5 });
  await sandbox.rotateKeys();

  expect(added[2]).toMatchObject({ sub: 'u3' });
  expect(added[3]).toBeInstanceOf(Error);
  const after = await shown(url);
  expect(after).toMatchObject({
    users: [3, 3],
    stored: [100, 100],
    events: [100, 100],
    faults: [1, 200],
    replaced_keys: [1, 100],
  });
  expect(after.event_bytes?.[0]).toBeLessThanOrEqual(1_000_000);
  for (const [name, [used, most]] of Object.entries(after)) expect(used, name).toBeLessThanOrEqual(most);
  // the oldest session went
  expect(
    (
      await get(
        `${url}/oauth2/authorize?prompt=none&${new URLSearchParams({ client_id: 'frontend', redirect_uri: 'http://localhost:5173/callback', response_type: 'code', scope: 'openid', code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' })}`,
        { cookie: first },
      )
    ).headers.get('location'),
  ).toContain('error=login_required');
});

it('UUIDs of names are the same after so many others that they were forgotten', () => {
  const { idOf } = createStableIds('http://localhost:9000');
  const id = idOf('user', 'alice');
  for (let user = 0; user < 11_000; user++) idOf('user', `u${user}`);
  expect(idOf('user', 'alice')).toBe(id);
});
