import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClockState, Expiring } from '../../../../src/index.ts';
import { createSandbox, type Sandbox } from '../../../../src/index.ts';
import { observes } from '../../../observed.ts';
import { get, signIn } from '../../../support/wire.ts';

const start = 1_900_000_000;

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await createSandbox({}, { now: () => start });
});
afterEach(() => sandbox.stop());

type Told = ClockState & { readonly next: readonly Expiring[] };

async function move(body: unknown): Promise<{ status: number; told: Told & { readonly errors?: unknown } }> {
  const response = await fetch(`${sandbox.url}/_sandbox/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, told: (await response.json()) as Told };
}

describe('/_sandbox/clock', () => {
  it('says what time it is, and what expires next', async () => {
    observes('operation readClock');
    await signIn(sandbox.url, 'alice', { scope: 'openid offline_access' });
    const told = (await (await get(`${sandbox.url}/_sandbox/clock`)).json()) as Told;
    const reading = { now: start, offset: 0, frozen: false };
    expect(told).toMatchObject({ ...reading, wall: start, api: reading });
    expect(told.next.map(({ exp }) => exp)).toEqual(told.next.map(({ exp }) => exp).toSorted((a, b) => a - b));
    expect(told.next.map(({ tokenType }) => tokenType).toSorted()).toEqual(['access', 'id', 'refresh', 'session']);
  });

  it.each([
    [{ advance: 7200 }, { now: start + 7200, offset: 7200, api: { offset: 7200 } }],
    [
      { advance: -30, who: 'api' },
      { offset: 0, api: { now: start - 30, offset: -30 } },
    ],
    [
      { set: 5, freeze: true },
      { now: 5, frozen: true, api: { now: 5, frozen: true } },
    ],
    [
      { freeze: true, who: 'issuer' },
      { frozen: true, api: { frozen: false } },
    ],
  ])('does %j', async (body, expected) => {
    const { status, told } = await move(body);
    expect(status).toBe(200);
    expect(told).toMatchObject(expected);
    expect(sandbox.clock.state()).toMatchObject(expected);
    expect(sandbox.events.latest('clock.changed', 1)).toMatchObject([
      { by: 'api', who: 'who' in body ? body.who : 'all' },
    ]);
  });

  it('lets it go on, and goes back to the real time', async () => {
    await move({ set: 5, freeze: true });
    expect((await move({ freeze: false })).told).toMatchObject({ now: 5, frozen: false });
    expect((await move({ reset: true })).told).toMatchObject({ now: start, offset: 0, frozen: false });
  });

  it('goes to just before the next expiry', async () => {
    observes('operation moveClock');
    await signIn(sandbox.url);
    const { told } = await move({ beforeNextExpiry: 10 });
    expect(told.now).toBe((told.next[0]?.exp ?? 0) - 10);
  });

  it.each([
    [{ advance: 'an hour' }, { member: 'advance', sent: '"an hour"', expected: 'seconds, or 90s, 5m, 8h, 1d' }],
    [{ advanced: 5 }, { member: 'advanced', nearest: 'advance' }],
    [
      { advance: 5, set: 5 },
      { member: 'set', sent: 'advance and set' },
    ],
    [{}, { member: '', expected: 'one of advance, set, beforeNextExpiry, reset, freeze' }],
    [{ set: 1_900_000_000_000 }, { member: 'set', sent: '1900000000000', expected: 'a time from 1970 to 9999' }],
    [{ beforeNextExpiry: 1 }, { member: 'beforeNextExpiry', sent: '1' }],
    [
      { freeze: true, who: 'both' },
      { member: 'who', sent: '"both"' },
    ],
  ])('refuses %j, and nothing has moved', async (body, problem) => {
    const { status, told } = await move(body);
    expect(status).toBe(400);
    expect(told.errors).toMatchObject([problem]);
    expect(sandbox.clock.state()).toMatchObject({ offset: 0, frozen: false });
    expect(sandbox.events.count('clock.changed')).toBe(0);
  });
});
