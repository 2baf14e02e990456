import { describe, expect, it } from 'vitest';
import type { EventFact } from '../../../src/base/events/event.ts';
import {
  codeFact,
  createLog,
  now,
  type RunningDashboard,
  refreshFact,
  requestFact,
  runDashboard,
  tokenFact,
} from '../running-dashboard.ts';

const authorization: EventFact = {
  type: 'authorization.requested',
  client_id: 'frontend',
  redirect_uri: 'http://localhost:5173/callback',
  response_type: 'code',
  response_mode: 'query',
  code_challenge_method: 'S256',
  ignored: [],
};

/** A code, three tokens for it, and one refresh. */
function logIn({ append }: RunningDashboard): void {
  append(authorization, 'req_login');
  append(codeFact('tok_c'), 'req_login');
  append(requestFact({ endpoint: 'authorize', method: 'GET', path: '/oauth2/authorize', status: 302 }), 'req_login');
  append(tokenFact('tok_a', { parentTokenId: 'tok_c' }), 'req_2');
  append(refreshFact('tok_r', { parentTokenId: 'tok_c' }), 'req_2');
  append(tokenFact('tok_a2', { parentTokenId: 'tok_r', exp: now + 150 }), 'req_3');
  append(refreshFact('tok_r2', { parentTokenId: 'tok_r' }), 'req_3');
}

const words = (html: string) =>
  html
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
/** The rows of the page: their ids, each with its cells in words. */
async function rowsOf({ text }: RunningDashboard, path = '/dashboard/tokens'): Promise<Record<string, string[]>> {
  const rows = [...(await text(path)).matchAll(/<tr role="row" id="([^"]+)"[^>]*>([\s\S]*?)<\/tr>/g)];
  return Object.fromEntries(
    rows.map(([, id, row = '']) => [id, row.split('</td>').slice(0, -1).map(words)] as [string, string[]]),
  );
}

describe('the list of tokens by login', () => {
  it('shows one row for a login: who, where, how, each token, and the time the access token has left', async () => {
    await using dashboard = await runDashboard();
    logIn(dashboard);
    expect(await rowsOf(dashboard)).toEqual({
      'login-auth-1': [
        '22:13:20',
        'AA Alice Anders in Demo front end code with PKCE, refreshed once',
        '+2 earlier tokens access 2 2 min left refresh 2 5 min left',
        '2 min left',
        'Copy token Claims',
      ],
    });
    const html = await dashboard.text('/dashboard/tokens');
    expect(html).toContain('data-copy-of="tok_a2"');
    expect(html).not.toContain('id="tok_c"');
    expect(html).toContain('class="chip token-refresh" id="tok_r2"');
  });

  it('promises no claims where there is only a code', async () => {
    await using dashboard = await runDashboard();
    dashboard.append(codeFact('tok_c'));
    const { 'login-auth-1': [, , chips, , actions] = [] } = await rowsOf(dashboard);
    expect([chips, actions]).toEqual([expect.stringMatching(/^code /), 'Open']);
  });

  it('says why the tokens of a login were revoked, and leads to the family', async () => {
    await using dashboard = await runDashboard();
    logIn(dashboard);
    dashboard.append({
      type: 'token.revoked',
      authorizationId: 'auth-1',
      client_id: 'frontend',
      reason: 'refresh_token_reused',
    });
    const { 'login-auth-1': [, who, chips, state, actions] = [] } = await rowsOf(dashboard);
    expect(who).toContain('Demo front end revoked: refresh token used twice, code with PKCE');
    expect(chips).toBe('+2 earlier tokens access 2 revoked refresh 2 revoked');
    expect([state, actions]).toEqual(['revoked', 'Family']);
  });

  it('shows a client that acts for itself, and each minted token by itself', async () => {
    await using dashboard = await runDashboard();
    const { sub: _, ...sensor } = tokenFact('tok_s', { client_id: 'sensor', authorizationId: 'auth-2' });
    dashboard.append({ ...sensor, grant_type: 'client_credentials' });
    dashboard.append(
      tokenFact('tok_m', {
        authorizationId: 'mint-1',
        grant_type: 'mint',
        minted: true,
        defect: 'wrong_audience',
        exp: now,
      }),
    );
    const rows = await rowsOf(dashboard);
    expect(Object.keys(rows)).toEqual(['login-mint-1', 'login-auth-2']);
    expect(rows['login-mint-1']?.slice(1, 4)).toEqual([
      'M Minted for Alice Anders in Demo front end wrong audience on purpose',
      'access expired',
      'expired',
    ]);
    expect(rows['login-auth-2']?.[1]).toBe('⚙ Demo sensor for itself client credentials');
  });

  it('shows a login when one of its tokens matches the filter', async () => {
    await using dashboard = await runDashboard();
    logIn(dashboard);
    dashboard.append(tokenFact('tok_b', { sub: 'bob', authorizationId: 'auth-2' }));
    const found = async (query: string) => Object.keys(await rowsOf(dashboard, `/dashboard/tokens?q=${query}`));
    expect(await found('status:used')).toEqual(['login-auth-1']);
    expect(await found('user:bob')).toEqual(['login-auth-2']);
    expect(await found('user:nobody')).toEqual([]);
  });

  it('leads through all logins, each of them once, though their tokens are mixed', async () => {
    await using dashboard = await runDashboard({ events: createLog() });
    for (const round of [0, 1])
      for (let n = 0; n < 120; n++)
        dashboard.append(tokenFact(`tok_${round}_${n}`, { authorizationId: `auth-${(n * 7 + round * 60) % 120}` }));
    const seen: string[] = [];
    const sizes: number[] = [];
    let path: string | undefined = '/dashboard/tokens?q=user%3Aalice';
    while (path !== undefined) {
      const ids = Object.keys(await rowsOf(dashboard, path));
      sizes.push(ids.length);
      seen.push(...ids);
      path = /id="older" href="([^"]+)">/.exec(await dashboard.text(path))?.[1]?.replaceAll('&amp;', '&');
    }
    expect(sizes).toEqual([50, 50, 20]);
    expect(new Set(seen).size).toBe(120);
  });

  it('gives the script the logins to which something happened since an event', async () => {
    await using dashboard = await runDashboard();
    logIn(dashboard);
    dashboard.append(tokenFact('tok_b', { sub: 'bob', authorizationId: 'auth-2' }));
    const seen = dashboard.events.lastId;
    const rows = () => rowsOf(dashboard, `/dashboard/api/v1/logins/rows?q=&after=${seen}`);
    expect(await rows()).toEqual({});
    dashboard.append({ type: 'token.ended', tokenId: 'tok_a2', authorizationId: 'auth-1', client_id: 'frontend' });
    expect(Object.keys(await rows())).toEqual(['login-auth-1']);
    expect((await rows())['login-auth-1']?.[2]).toContain('access 2 expired');
  });

  it('links to the list with a row for each token, and keeps the filter', async () => {
    await using dashboard = await runDashboard();
    const html = await dashboard.text('/dashboard/tokens?q=user%3Abob');
    expect(html).toContain('<a href="/dashboard/tokens/list?q=user%3Abob" data-testid="tokens-view">As a list</a>');
    expect(await dashboard.text('/dashboard/tokens/list?q=user%3Abob')).toContain(
      '<a href="/dashboard/tokens?q=user%3Abob" data-testid="tokens-view">By sign-in</a>',
    );
  });
});
