import { describe, expect, it } from 'vitest';
import { s256 } from '../../src/protocol/requests/pkce.ts';
import { createLog, frontend, hostile, issuer, jwt, runDashboard, sensor, tokenFact } from './running-dashboard.ts';

const callback = `${issuer}/dashboard/demo/callback`;

/** The authorization request the demo sends the browser to. */
async function start(dashboard: { get(path: string): Promise<Response> }): Promise<URLSearchParams> {
  const response = await dashboard.get('/dashboard/demo');
  expect(response.status).toBe(303);
  const location = new URL(response.headers.get('location') ?? '');
  expect(location.origin + location.pathname).toBe(`${issuer}/oauth2/authorize`);
  return location.searchParams;
}

describe('the demo login', () => {
  it('asks for a login with PKCE as the first public client that may come back', async () => {
    await using dashboard = await runDashboard({ registered: () => [sensor, frontend] });
    const request = await start(dashboard);
    expect(Object.fromEntries(request)).toMatchObject({
      response_type: 'code',
      client_id: 'frontend',
      redirect_uri: callback,
      scope: frontend.scope,
      code_challenge_method: 'S256',
    });
    expect((await start(dashboard)).get('state')).not.toBe(request.get('state'));
  });

  it('redeems the code with its verifier and ends at the page of the access token', async () => {
    const events = createLog();
    const forms: URLSearchParams[] = [];
    const token = jwt({ jti: 'demo' });
    await using dashboard = await runDashboard({
      events,
      send: async ({ body }) => {
        forms.push(new URLSearchParams(body));
        events.append(tokenFact('tok_demo', { token }), 'req_2');
        return { status: 200, headers: {}, body: JSON.stringify({ access_token: token }), requestId: 'req_2' };
      },
    });
    const request = await start(dashboard);
    const answer = `/dashboard/demo/callback?code=the-code&state=${request.get('state')}`;
    const response = await dashboard.get(answer);
    expect([response.status, response.headers.get('location')]).toEqual([303, '/dashboard/tokens/tok_demo']);
    const form = Object.fromEntries(forms[0] ?? []);
    expect(form).toMatchObject({ grant_type: 'authorization_code', code: 'the-code', redirect_uri: callback });
    expect(s256(form.code_verifier ?? '')).toBe(request.get('code_challenge'));
    expect((await dashboard.get(answer)).status).toBe(400);
    expect(forms).toHaveLength(1);
  });

  it.each([
    ['/dashboard/demo/callback', 'unknown state'],
    ['/dashboard/demo/callback?code=x&state=other', 'unknown state'],
    ['/dashboard/demo/callback?code=x&state=a&state=b', 'unknown state'],
  ])('refuses %s', async (path, words) => {
    await using dashboard = await runDashboard();
    const response = await dashboard.get(path);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(words);
  });

  it.each([
    [`error=access_denied&error_description=${encodeURIComponent(hostile)}`, 'access_denied'],
    ['', 'no code'],
    ['code=x', 'invalid_grant'],
  ])('shows what went wrong: %s', async (answer, words) => {
    await using dashboard = await runDashboard();
    const request = await start(dashboard);
    const html = await dashboard.text(`/dashboard/demo/callback?state=${request.get('state')}&${answer}`);
    expect(html).toContain(words);
    expect(html).toContain('Try again');
    expect(html).not.toContain('<script>alert');
  });

  it('goes home where no client may come back', async () => {
    await using dashboard = await runDashboard({ registered: () => [{ ...frontend, loopback_redirects: false }] });
    expect((await dashboard.get('/dashboard/demo')).headers.get('location')).toBe('/dashboard');
  });

  it('remembers a bounded number of logins that nobody finishes', async () => {
    await using dashboard = await runDashboard();
    const first = await start(dashboard);
    for (let n = 0; n < 100; n++) await start(dashboard);
    const html = await dashboard.text(`/dashboard/demo/callback?code=x&state=${first.get('state')}`);
    expect(html).toContain('unknown state');
  });
});
