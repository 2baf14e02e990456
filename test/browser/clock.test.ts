import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { sensorToken } from '../support/authorization-url.ts';
import { setStage } from './support/stage.ts';

const stage = setStage();

/** A page that hears what happens elsewhere. */
async function openLive(path: string, width = 1280): Promise<Page> {
  const page = await stage.openPage(`/dashboard${path}`, { viewport: { width, height: 800 } });
  await expect.poll(() => page.locator('#live').textContent()).toBe('Live');
  return page;
}

/** As a test or a pipeline does it. */
async function call(path: string, method: string, body?: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const sent = body === undefined ? {} : { headers, body: JSON.stringify(body) };
  const response = await fetch(`${stage.sandbox.url}/_sandbox${path}`, { method, ...sent });
  expect(response.ok).toBe(true);
  await response.arrayBuffer();
}

const text = (page: Page, selector: string) => page.locator(selector).first().textContent();
const said = (page: Page, id: string) =>
  page.getByTestId(id).evaluate(chip => (chip.checkVisibility() ? (chip.textContent ?? '') : ''));

describe.each([1280, 360])('the chips of an open page, %i px', width => {
  it('come when the clock is moved and a fault is armed elsewhere, and go again', async () => {
    const page = await openLive('/tokens', width);
    expect([await said(page, 'shell-clock'), await said(page, 'shell-faults')]).toEqual(['', '']);
    await call('/clock', 'POST', { advance: 7200 });
    await expect.poll(() => said(page, 'shell-clock')).toBe('Clock +2 h');
    await call('/faults', 'POST', { fault: 'slow', endpoint: 'token', times: 2 });
    await expect.poll(() => said(page, 'shell-faults')).toBe('1 fault armed');
    const boxes = await Promise.all(['shell-clock', 'shell-faults'].map(id => page.getByTestId(id).boundingBox()));
    for (const box of boxes) expect((box?.x ?? width) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    await call('/faults', 'DELETE');
    await call('/clock', 'POST', { reset: true });
    await expect.poll(() => said(page, 'shell-faults')).toBe('');
    await expect.poll(() => said(page, 'shell-clock')).toBe('');
  });
});

describe('an open page', () => {
  it('drops the chip of a fault when its time is over, though no request comes', async () => {
    const page = await openLive('/tokens');
    await call('/faults', 'POST', { fault: 'slow', endpoint: 'token', times: 'always', for: 2 });
    await expect.poll(() => said(page, 'shell-faults')).toBe('1 fault armed');
    await expect.poll(() => said(page, 'shell-faults')).toBe('');
  });

  it('lets tokens expire when the clock is moved elsewhere, and be valid again when it goes back', async () => {
    await sensorToken(stage.sandbox);
    const page = await openLive('/tokens/list');
    const other = await openLive('/clock');
    expect(await text(page, 'tbody .status')).toMatch(/left$/);
    await other.getByTestId('clock-step-3600').click();
    await expect.poll(() => text(page, 'tbody .status')).toBe('expired');
    expect(await page.locator('tbody .status.expired').count()).toBe(1);
    await call('/clock', 'POST', { reset: true });
    await expect.poll(() => text(page, 'tbody .status')).toMatch(/left$/);
    expect(await page.locator('tbody .status.valid').count()).toBe(1);
  });

  it('shows a change that came while the page was fetched for the change before', async () => {
    const page = await openLive('/clock');
    const shown = page.getByTestId('clock-sandbox');
    let release: (() => void) | undefined;
    await page.route('**/dashboard/clock', async route => {
      const response = await route.fetch();
      if (release === undefined) await new Promise<void>(resolve => (release = resolve));
      await route.fulfill({ response });
    });
    await call('/clock', 'POST', { advance: 3600 });
    await expect.poll(() => release).toBeDefined();
    await call('/clock', 'POST', { advance: 3600 });
    await expect.poll(() => said(page, 'shell-clock')).toBe('Clock +2 h');
    release?.();
    await expect.poll(() => shown.textContent()).toContain('+2 h');
  });

  it('shows a change later when the connection was lost while the page was fetched', async () => {
    const page = await openLive('/clock');
    const shown = page.getByTestId('clock-sandbox');
    let lost = 0;
    await page.route('**/dashboard/clock', route => {
      lost++;
      return route.abort();
    });
    await call('/clock', 'POST', { advance: 3600 });
    await expect.poll(() => lost).toBe(1);
    await page.unroute('**/dashboard/clock');
    expect(await shown.textContent()).not.toContain('+1 h');
    await expect
      .poll(async () => {
        await page.locator('[data-follow~=clock]').first().dispatchEvent('pointerleave');
        return shown.textContent();
      })
      .toContain('+1 h');
  });

  it('shows a token that was expired when it was opened as good again', async () => {
    await sensorToken(stage.sandbox);
    stage.sandbox.clock.advance(3600);
    const page = await openLive('/tokens/list');
    expect(await text(page, 'tbody .status')).toBe('expired');
    stage.sandbox.clock.reset();
    await expect.poll(() => text(page, 'tbody .status')).toMatch(/left$/);
  });

  it('counts on from the moved time, in lists and on detail pages', async () => {
    await sensorToken(stage.sandbox);
    const list = await openLive('/requests');
    const clients = await openLive('/clients');
    const request = await openLive('/requests/latest');
    stage.sandbox.clock.advance(2 * 3600);
    await expect.poll(() => text(list, 'tbody time')).toMatch(/^2 h$/);
    await expect.poll(() => text(clients, 'tbody time')).toMatch(/^2 h ago$/);
    await expect.poll(() => text(request, 'main > p [data-at]')).toMatch(/^2 h ago$/);
    stage.sandbox.clock.freeze();
    stage.sandbox.clock.advance(-3 * 3600);
    await expect.poll(() => text(list, 'tbody time')).toMatch(/^in (59 min|1 h)/);
    stage.sandbox.clock.resume();
    stage.sandbox.clock.reset();
    await expect.poll(() => text(list, 'tbody time')).toMatch(/^(now|\d+ s)$/);
  });

  it('of the clock shows the new time and the matching button, and keeps typed text', async () => {
    const page = await openLive('/clock');
    await page.getByTestId('clock-to').fill('+5 m');
    await call('/clock', 'POST', { advance: 86_400 });
    await expect.poll(() => page.getByTestId('clock-sandbox').textContent()).toMatch(/running, \+1 d$/);
    await call('/clock', 'POST', { freeze: true });
    await page.getByTestId('clock-resume').waitFor();
    expect(await page.getByTestId('clock-freeze').count()).toBe(0);
    expect(await page.getByTestId('clock-to').inputValue()).toBe('+5 m');
  });

  it('of the faults lists faults that were armed elsewhere', async () => {
    const page = await openLive('/faults');
    await page.getByTestId('faults-none').waitFor();
    await call('/faults', 'POST', { fault: 'slow', endpoint: 'token' });
    await expect.poll(() => page.getByTestId('faults-armed').count()).toBe(1);
    await call('/faults', 'DELETE');
    await page.getByTestId('faults-none').waitFor();
  });
});
