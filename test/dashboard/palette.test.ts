import { describe, expect, it } from 'vitest';
import type { PaletteEntry } from '../../src/dashboard/palette.ts';
import { frontend, noControl, runDashboard, tokenFact } from './running-dashboard.ts';

async function entriesOf(more: Parameters<typeof runDashboard>[0] = {}, issued: readonly string[] = []) {
  const mint = { defects: {}, make: async () => ({ ok: true, tokenId: 'tok_1' }) as const };
  await using dashboard = await runDashboard({ mint, ...more });
  for (const id of issued) dashboard.append(tokenFact(id));
  return (await (await dashboard.get('/dashboard/api/v1/places')).json()) as PaletteEntry[];
}
const namesOf = (entries: readonly PaletteEntry[]) =>
  entries.filter(({ kind }) => kind === 'action').map(({ name }) => name);

describe('the entries of the palette', () => {
  it('are actions first, then clients and users', async () => {
    const entries = await entriesOf();
    expect(namesOf(entries)).toEqual([
      'Mint a token for alice',
      'Fail the token endpoint once',
      'Fail the token endpoint twice',
      'Expire all access tokens',
      'Reset everything…',
    ]);
    expect(entries.slice(5).map(({ kind, name }) => [kind, name])).toEqual([
      ['client', 'frontend · Demo front end'],
      ['client', 'sensor · Demo sensor'],
      ['user', 'alice · Alice Anders'],
    ]);
  });

  it('copy the newest access token, if there is one', async () => {
    const [first] = await entriesOf({}, ['tok_1', 'tok_2']);
    expect(first).toMatchObject({ name: 'Copy newest access token', copies: '/tokens/tok_2/copy/token' });
  });

  it('change nothing where the dashboard only shows, and say so', async () => {
    const changing = (await entriesOf({ access: 'readonly' })).filter(({ kind }) => kind === 'action');
    expect(changing.length).toBe(5);
    for (const entry of changing) expect(Object.keys(entry).toSorted()).toEqual(['kind', 'name', 'refused']);
  });

  it('mint nothing where no token can be minted', async () => {
    expect(namesOf(await entriesOf({ mint: undefined as never })).join()).not.toContain('Mint');
  });
});

describe('the expiry of all access tokens', () => {
  it('is one of those that are valid', async () => {
    const expired: string[] = [];
    const control = { ...noControl, expireToken: async (id: string) => expired.push(id) > 0 };
    await using dashboard = await runDashboard({ control, registered: () => [frontend] });
    dashboard.append(tokenFact('tok_1'));
    dashboard.append(tokenFact('tok_2', { exp: 1 }));
    const answer = await fetch(`${dashboard.url}/dashboard/actions/expire-access-tokens`, {
      method: 'POST',
      body: new URLSearchParams({ back: '/dashboard/keys' }),
      redirect: 'manual',
    });
    expect(expired).toEqual(['tok_1']);
    const page = answer.headers.get('location') ?? '';
    expect(page).toMatch(/^\/dashboard\/keys\?told=/);
    expect(await dashboard.text(page)).toContain(
      '1 access token is expired: this server and the sample API refuse it.',
    );
  });
});
