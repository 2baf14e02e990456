import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { presets } from '../../src/dashboard/fault-pages.ts';
import { createSandbox, type Sandbox } from '../../src/index.ts';
import { get, post, signIn } from '../support/wire.ts';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await createSandbox({ signingAlg: 'ES256' });
});
afterEach(() => sandbox.stop());

const page = async (path = '/dashboard/faults') => (await get(sandbox.url + path)).text();

/** What the form does, and the page after it. */
async function send(form: Readonly<Record<string, string>>) {
  const response = await post(`${sandbox.url}/dashboard/faults`, form, { origin: sandbox.url });
  const to = response.headers.get('location');
  return { status: response.status, html: to === null ? await response.text() : await page(to) };
}

async function token(): Promise<Response> {
  const authorization = `Basic ${btoa('sensor:sensor-secret')}`;
  return post(`${sandbox.url}/oauth2/token`, { grant_type: 'client_credentials' }, { authorization });
}

describe('the page of the faults', () => {
  it('shows that nothing is armed, and all that could be', async () => {
    const html = await page();
    expect(html).toContain('No faults are armed.');
    expect(html).toContain('data-testid="shell-faults" hidden></a>');
    expect(html.match(/data-testid="faults-kind"/g)).toHaveLength((await catalogue()).length);
    for (const { title } of await catalogue()) expect(html).toContain(title);
    expect(html).toContain('{&#34;fault&#34;:&#34;unavailable&#34;}');
  });

  it('arms what the form says, which meets its client, and is over', async () => {
    const form = { fault: 'unavailable', endpoint: 'token', client: 'sensor', seconds: '2' };
    const { status, html } = await send(form);
    expect(status).toBe(303);
    expect(html).toContain('Armed: unavailable, next request');
    expect(html).toMatch(
      /faults-armed".*<strong>token<\/strong>.*2 s.*client.*sensor.*next request[\s\S]*armed .* from the dashboard · 0 of 1 used/,
    );
    expect(await sandbox.faults.list()).toMatchObject([{ ...form, seconds: 2, by: 'dashboard' }]);
    const refused = await token();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
    expect((await token()).status).toBe(200);
    expect(await page()).toContain('No faults are armed.');
  });

  it('says how many requests an armed fault has met, and when the last was', async () => {
    const { html } = await send({ fault: 'unavailable', endpoint: 'token', times: '3' });
    expect(html).toMatch(/0 of 3 used<\/span>/);
    await token();
    await sandbox.clock.advance(60);
    await token();
    expect(await page()).toMatch(/2 of 3 used, last <time [^>]*>just now<\/time>/);
  });

  it('keeps the budget of the form: always, with probability, for a time', async () => {
    const { html } = await send({ fault: 'slow', endpoint: 'any', times: 'always', probability: '0.2', for: '90' });
    expect(html).toMatch(/<strong>any endpoint<\/strong>.*every request, with probability 0.2, for 1 min/);
    expect(await sandbox.faults.list()).toMatchObject([{ times: 'always', probability: 0.2, for: 90 }]);
  });

  it.each(presets)('has the preset $name at one press, once, twice and until it is switched off', async preset => {
    const { id, order } = preset;
    const html = await page();
    for (const times of [1, 2, 'always'] as const) {
      expect(html).toMatch(new RegExp(`name="times" value="${times}" data-testid="faults-preset-${id}[a-z-]*"`));
      const { status } = await send({ preset: id, times: String(times) });
      expect(status).toBe(303);
      const armed = await sandbox.faults.list();
      expect(armed).toMatchObject([{ ...order, times }]);
      expect(armed[0]).not.toHaveProperty('until');
      await sandbox.faults.clear();
    }
  });

  it('names the fault of a preset in its tooltip only', async () => {
    const html = await page();
    const [, unavailable = ''] = /<li><strong id="preset-unavailable"([\s\S]*?)<\/li>/.exec(html) ?? [];
    expect(unavailable).toContain('title="unavailable"');
    expect(unavailable).not.toContain('>unavailable<');
  });

  it('means two requests where a preset is pressed twice', async () => {
    await send({ preset: 'unavailable', times: '1' });
    await send({ preset: 'unavailable', times: '1' });
    const statuses = [(await token()).status, (await token()).status, (await token()).status];
    expect(statuses).toEqual([503, 503, 200]);
  });

  it('has all that is issued expire by its preset', async () => {
    await send({ preset: 'expired', times: 'always' });
    const { access_token, id_token } = await signIn(sandbox.url);
    for (const jwt of [access_token, id_token]) {
      const { exp } = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString());
      expect(exp).toBeLessThan(sandbox.clock());
    }
  });

  it('says on every page how many are armed, until they are not', async () => {
    await send({ preset: 'unavailable' });
    expect(await page('/dashboard/tokens')).toMatch(
      /href="\/dashboard\/faults" data-testid="shell-faults">1 fault armed</,
    );
    await send({ preset: 'no-keys' });
    expect(await page()).toContain('>2 faults armed</a>');
    const [first] = await sandbox.faults.list();
    expect((await send({ disarm: first?.id ?? '' })).html).toContain(`${first?.id} is disarmed.`);
    expect(await sandbox.faults.list()).toMatchObject([{ fault: 'keys_empty' }]);
    expect((await send({ disarm: first?.id ?? '' })).html).toContain('This fault was already used up or disarmed.');
    expect((await send({ disarm: 'all' })).html).toContain('1 fault is disarmed.');
    expect(await page('/dashboard/tokens')).toContain('data-testid="shell-faults" hidden></a>');
  });

  it.each([
    ['times', { times: 'twice' }, 'twice was sent, expected 1 to 1000000, or always.'],
    ['probability', { probability: '2' }, '2 was sent, expected more than 0, up to 1.'],
    ['for', { for: 'ever' }, 'ever was sent, expected seconds, or 90s, 5m, 8h, 1d, more than 0.'],
    ['seconds', { seconds: '1e9' }, '1e9 was sent, expected seconds, or 90s, 5m, 8h, 1d, 60 s at most.'],
    ['client', { client: 'senser' }, 'senser was sent, expected sensor.'],
    ['endpoint', { fault: 'keys_empty', endpoint: 'token' }, 'token was sent, expected one of jwks.'],
    ['error', { error: 'invalid_grant' }, 'invalid_grant was sent, expected seconds: the parameters of unavailable.'],
    ['token', { token: 'id' }, 'id was sent, expected nothing: unavailable does not change a token.'],
    ['fault', { fault: 'unavailble' }, 'unavailble was sent, expected unavailable.'],
    ['fault', { fault: '' }, 'nothing was sent, expected one of slow,'],
  ])('refuses a wrong %s beside its field, and keeps what was typed: %o', async (member, typed, words) => {
    const { status, html } = await send({ fault: 'unavailable', user: 'alice', ...typed });
    expect(status).toBe(400);
    expect(html).toContain(`id="f-${member}-problem-0" data-testid="faults-problem">${words}`);
    expect(html).toMatch(new RegExp(`id="f-${member}"[^>]*f-${member}-problem-0[^>]*aria-invalid="true"`));
    expect(html).toContain('value="alice"');
    expect(html).not.toContain('faults-curl');
    expect(await sandbox.faults.list()).toEqual([]);
  });

  it('shows what is typed as curl, and arms nothing by a link', async () => {
    const html = await page('/dashboard/faults?fault=token_error&error=invalid_client&times=3&user=&client=sensor');
    expect(html).toContain(`${sandbox.url}/_sandbox/faults`);
    expect(html).toContain(
      '"fault":"token_error","client":"sensor","times":3,"error":"invalid_client"'.replaceAll('"', '&#34;'),
    );
    expect(html).toMatch(/<option value="token_error" selected/);
    expect(await sandbox.faults.list()).toEqual([]);
  });

  it('shows as text whatever comes', async () => {
    const hostile = `"'><script>alert(1)</script>`;
    const { html } = await send({ fault: hostile, client: hostile, member: hostile });
    expect(html).not.toContain('<script>alert');
  });

  it('takes nothing from another site', async () => {
    const form = { preset: 'slow' };
    const foreign = await post(`${sandbox.url}/dashboard/faults`, form, { origin: 'https://evil.example' });
    expect(foreign.status).toBe(403);
    expect(await sandbox.faults.list()).toEqual([]);
  });

  it('only shows where the dashboard is read-only', async () => {
    await using shown = await createSandbox({ dashboard: 'readonly' });
    await shown.faults.arm({ fault: 'slow' });
    const html = await (await get(`${shown.url}/dashboard/faults`)).text();
    expect(html).toContain('faults-armed');
    expect(html).not.toMatch(/<button[^>]*(disarm|preset|faults-arm")/);
    const armed = await post(`${shown.url}/dashboard/faults`, { preset: 'slow' }, { origin: shown.url });
    expect(armed.status).toBe(403);
    expect(await shown.faults.list()).toHaveLength(1);
  });

  it('names the clients that have faults in their configuration', async () => {
    const client = { client_id: 'late', redirect_uris: ['http://localhost/cb'], faults: ['expired', 'slow'] as const };
    await using other = await createSandbox({ clients: [{ ...client, faults: [...client.faults] }] });
    const html = await (await get(`${other.url}/dashboard/faults`)).text();
    expect(html).toMatch(/faults-standing">The client .*>late<\/a>.*expired, slow/);
  });
});

it('tells open pages what is armed now', async () => {
  const stop = new AbortController();
  const stream = await fetch(`${sandbox.url}/dashboard/api/v1/events`, { signal: stop.signal });
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  let told = '';
  const until = async (words: string) => {
    while (!told.includes(words)) told += (await reader?.read())?.value ?? '';
  };
  await until(': connected');
  const fault = await sandbox.faults.arm({ fault: 'slow' });
  await until('"armed":"1 fault armed"');
  expect(told).toContain('event: fault\n');
  await sandbox.faults.disarm(fault.id);
  await until('"armed":""');
  stop.abort();
});

describe('a request that met a fault', () => {
  it('is marked in the list, on its page, and in its flow', async () => {
    await send({ preset: 'unavailable' });
    const requestId = (await token()).headers.get('X-Request-Id');
    expect(await page('/dashboard/requests')).toContain('>Your fault: 503 with Retry-After (unavailable).</td>');
    expect(await page(`/dashboard/requests/${requestId}`)).toMatch(
      /requests-faults">Fault: unavailable\. This request was made to fail on purpose/,
    );
    const flow = await get(`${sandbox.url}/dashboard/flows/by-request/${requestId}`);
    const to = flow.headers.get('location');
    expect(to === null ? await flow.text() : await page(to)).toMatch(/class="signs">[^<]*Fault: unavailable/);
  });

  it('is the only one that is', async () => {
    const requestId = (await token()).headers.get('X-Request-Id');
    expect(await page('/dashboard/requests')).not.toContain('Your fault:');
    expect(await page(`/dashboard/requests/${requestId}`)).not.toContain('requests-faults');
  });
});

async function catalogue(): Promise<readonly { readonly title: string }[]> {
  const answer = await (await get(`${sandbox.url}/_sandbox/faults/catalogue`)).json();
  return (answer as { faults: readonly { title: string }[] }).faults;
}
