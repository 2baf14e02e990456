import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clockChip, typedMove } from '../../src/dashboard/clock-pages.ts';
import { createSandbox, type Sandbox } from '../../src/index.ts';
import { describe as inWords } from '../../src/record/words/event-words.ts';
import { get, post, signIn } from '../support/wire.ts';
import { createLog } from './running-dashboard.ts';

const start = Date.UTC(2026, 10, 20, 14, 27, 5) / 1000;

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await createSandbox({}, { now: () => start });
});
afterEach(() => sandbox.stop());

const page = async (path = '/dashboard/clock') => (await get(sandbox.url + path)).text();

/** What a button of the form does, and the page after it. */
async function press(action: string, more: Readonly<Record<string, string>> = {}) {
  const response = await post(`${sandbox.url}/dashboard/clock`, { action, ...more }, { origin: sandbox.url });
  const to = response.headers.get('location');
  return { status: response.status, html: to === null ? await response.text() : await page(to) };
}

describe('the page of the clock', () => {
  it('shows sandbox time and wall time together, and no chip while they agree', async () => {
    const html = await page();
    expect(html).toMatch(/clock-sandbox".*2026-11-20 14:27:05 UTC<\/time>, running</);
    expect(html).toMatch(/clock-wall".*2026-11-20 14:27:05 UTC/);
    expect(html).toContain('Nothing: no code, token or session is valid.');
    expect(html).toMatch(/data-testid="shell-clock" hidden></);
  });

  it('moves on by a button, and says so on every page', async () => {
    const { html } = await press('+3600');
    expect(html).toMatch(/clock-sandbox".*15:27:05 UTC<\/time>, running, \+1 h</);
    expect(html).toContain('Clock +1 h.');
    expect(await page('/dashboard/tokens')).toMatch(/href="\/dashboard\/clock" data-testid="shell-clock">Clock \+1 h</);
    expect(sandbox.events.latest('clock.changed', 1)).toMatchObject([{ by: 'dashboard', who: 'all', offset: 3600 }]);
  });

  it('shows the next expiry, and moves to just before it', async () => {
    await signIn(sandbox.url, 'alice', { scope: 'openid offline_access' });
    const [first] = await sandbox.clock.next();
    const html = (await page()).split('data-testid="clock-next"')[1] ?? '';
    const rows = html.matchAll(/<li><span><a href="([^"]+)">([^<]+)<\/a>, expires <time[^>]*>\s*in ([^<]+)/g);
    expect([...rows].map(([, href = '', words, left]) => [href.replace(/tok_\w+/, 'tok'), words, left])).toEqual([
      ['/dashboard/tokens/tok', 'ID token of alice in Demo front end', '5 min'],
      ['/dashboard/tokens/tok', 'access token of alice in Demo front end', '5 min'],
      ['/dashboard/users/alice', 'session of alice', '8 h'],
      ['/dashboard/tokens/tok', 'refresh token of alice in Demo front end', '1 d'],
    ]);
    await press('expiry');
    expect(sandbox.clock()).toBe((first?.exp ?? 0) - 1);
    expect((await press('expiry')).status).toBe(303); // the one after it
  });

  it('goes past the expiry of one of them', async () => {
    await signIn(sandbox.url, 'alice', { scope: 'openid offline_access' });
    const { tokenId = '', exp = 0 } = (await sandbox.clock.next()).find(each => each.tokenType === 'access') ?? {};
    const form = { past: tokenId };
    await post(`${sandbox.url}/dashboard/clock`, form, { origin: sandbox.url });
    expect(sandbox.clock()).toBe(exp + 1);
    expect((await page()).split('data-testid="clock-next"')[1]).not.toContain('access token of alice');
    const again = await post(`${sandbox.url}/dashboard/clock`, form, { origin: sandbox.url });
    expect([again.status, await again.text()]).toEqual([400, expect.stringContaining('This is not valid any more')]);
  });

  it('freezes, continues and returns to the real time', async () => {
    const frozen = await press('freeze');
    expect(frozen.html).toContain('Clock frozen.');
    expect(frozen.html).toContain('data-testid="clock-resume"');
    expect(frozen.html).toMatch(/<body[^>]* data-frozen/);
    expect((await press('resume')).html).toContain('data-testid="clock-freeze"');
    await press('+60');
    expect((await press('reset')).html).toContain('The clock shows the real time.');
    expect(sandbox.clock()).toBe(start);
  });

  it('moves that of the sample backend alone', async () => {
    const { html } = await press('set', { to: '-30 s', who: 'api' });
    expect(html).toMatch(/clock-api".*14:26:35 UTC<\/time>, running, -30 s</);
    expect(html).toContain('>API clock -30 s</a>');
    expect(sandbox.clock.state()).toMatchObject({ offset: 0, api: { offset: -30 } });
  });

  it('warns of going back, as long as something is from the future', async () => {
    await signIn(sandbox.url);
    const { html } = await press('set', { to: '2026-11-20 14:00' });
    expect(sandbox.clock()).toBe(start - 27 * 60 - 5);
    expect(html).toContain('The clock went back, so existing tokens');
    expect(await page()).toMatch(/clock-future">\d codes and tokens were/);
    await press('reset');
    expect(await page()).not.toContain('clock-future');
  });

  it.each([
    ['set', 'tomorrow', 'This is not a time.'],
    ['set', '+9999999 d', 'This time is out of range'],
    ['expiry', '', 'No valid code, token or session expires'],
    ['nonsense', '', 'This is not a time.'],
  ])('refuses %s %s in words, and keeps what was typed', async (action, to, words) => {
    const { status, html } = await press(action, { to });
    expect(status).toBe(400);
    expect(html).toContain(words);
    expect(html).toContain(`value="${to}"`);
    expect(sandbox.clock()).toBe(start);
  });

  it('tells pages that are open of the chip', async () => {
    const hangUp = new AbortController();
    const stream = await fetch(`${sandbox.url}/dashboard/api/v1/events`, { signal: hangUp.signal });
    sandbox.clock.advance(7200);
    let told = '';
    for await (const chunk of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      told += chunk;
      if (told.includes('event: counts')) break;
    }
    hangUp.abort();
    expect(told).toContain('event: clock\n');
    expect(told).toMatch(/event: counts\n.*\ndata: \{.*"clock":"Clock \+2 h"/);
  });

  it('takes nothing from another site', async () => {
    const form = { action: '+3600' };
    const foreign = await post(`${sandbox.url}/dashboard/clock`, form, { origin: 'https://evil.example' });
    expect(foreign.status).toBe(403);
    expect(sandbox.clock()).toBe(start);
  });

  it('only shows where the dashboard is read-only', async () => {
    await using shown = await createSandbox({ dashboard: 'readonly' });
    const html = await (await get(`${shown.url}/dashboard/clock`)).text();
    expect(html).toContain('clock-sandbox');
    expect(html).not.toContain('clock-set');
    const moved = await post(`${shown.url}/dashboard/clock`, { action: '+3600' }, { origin: shown.url });
    expect(moved.status).toBe(403);
    expect(shown.clock.state().offset).toBe(0);
  });
});

describe('typed times', () => {
  it.each([
    ['+2 h 30 min', { kind: 'advance', seconds: 9000 }],
    ['-90s', { kind: 'advance', seconds: -90 }],
    ['+1d', { kind: 'advance', seconds: 86_400 }],
    ['1800000000', { kind: 'set', to: 1_800_000_000 }],
    ['2026-11-20', { kind: 'set', to: 1_795_132_800 }],
    ['2026-11-20 16:27:05 UTC', { kind: 'set', to: 1_795_192_025 }],
    ['2026-11-20T16:27+02:00', { kind: 'set', to: 1_795_184_820 }],
    ['2026-13-20', undefined],
    ['2 h', { kind: 'advance', seconds: 7200 }],
    ['two hours', undefined],
    ['', undefined],
  ])('%s is read', (typed, expected) => {
    expect(typedMove(typed)).toEqual(expected);
  });
});

it.each([
  [{ offset: 0, frozen: false }, { offset: 0, frozen: false }, ''],
  [{ offset: 7200, frozen: false }, { offset: 7200, frozen: false }, 'Clock +2 h'],
  [{ offset: -60, frozen: true }, { offset: -60, frozen: true }, 'Clock -1 min, frozen'],
  [{ offset: 60, frozen: false }, { offset: 0, frozen: false }, 'Clock +1 min; API clock at real time'],
])('the chip of %o and %o is %s', (issuer, api, chip) => {
  expect(clockChip({ now: 0, wall: 0, ...issuer, api: { now: 0, ...api } })).toBe(chip);
});

it('the history says who moved it, and where it is', () => {
  const told = (more: object) =>
    inWords(createLog().append({ type: 'clock.changed', who: 'all', by: 'library', offset: 0, ...more }, 'sandbox'));
  expect(told({}).title).toBe('The clock shows the real time');
  expect(told({ who: 'api', offset: -90 })).toEqual({
    title: 'The clock of the sample backend is 1 min 30 s behind',
    facts: [['by', 'the library']],
  });
  expect(told({ who: 'issuer', offset: 60, frozen: true }).title).toBe(
    "The issuer's clock is 1 min ahead, and is frozen",
  );
});
