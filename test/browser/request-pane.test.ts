import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { authorizationUrl, sensorToken } from '../support/authorization-url.ts';
import { get } from '../support/wire.ts';
import { setStage } from './support/stage.ts';

const stage = setStage();

const isLive = (page: Page) => page.locator('#live.on').waitFor();
const title = (page: Page) => page.locator('#pane-title').textContent();
const opened = (page: Page) => new URL(page.url()).searchParams.get('open');
/** On the method of a row. */
const position = { x: 70, y: 12 };
const newest = (count: number) => stage.sandbox.events.latest('request.completed', count);

async function openList(viewport = { width: 1280, height: 720 }): Promise<Page> {
  await get(`${stage.sandbox.url}/oauth2/jwks`);
  await get(`${stage.sandbox.url}/api/products`);
  await sensorToken(stage.sandbox);
  const page = await stage.openPage('/dashboard/requests', { viewport });
  await isLive(page);
  return page;
}

describe('the pane of a request', () => {
  it('opens with a click, follows j and k, and closes with Escape; the address follows', async () => {
    const page = await openList();
    const [token, api, keys] = newest(3);
    await page.locator(`#${token?.requestId}`).click({ position });
    await expect.poll(() => title(page)).toBe('POST /oauth2/token');
    expect(opened(page)).toBe(token?.requestId);
    await page.keyboard.press('j');
    await expect.poll(() => title(page)).toBe('GET /api/products');
    expect(await page.getByTestId('pane-tab-explain').getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('j');
    await expect.poll(() => title(page)).toBe('GET /oauth2/jwks');
    expect(opened(page)).toBe(keys?.requestId);
    expect(await page.getByTestId('pane-tab-explain').count()).toBe(0);
    await page.keyboard.press('k');
    await expect.poll(() => title(page)).toBe('GET /api/products');
    await page.reload();
    expect(await title(page)).toBe('GET /api/products');
    expect(await page.locator('tr[aria-current]').getAttribute('id')).toBe(api?.requestId);
    await isLive(page);
    await page.keyboard.press('Escape');
    await page.getByTestId('requests-pane').waitFor({ state: 'hidden' });
    expect(opened(page)).toBe(null);
    expect(await page.evaluate(() => document.activeElement?.closest('tr')?.id)).toBe(api?.requestId);
  });

  it('breaks the name of a parameter between its words only', async () => {
    await get(authorizationUrl(stage.sandbox, 'http://localhost:3000/callback'));
    const page = await stage.openPage('/dashboard/requests');
    await isLive(page);
    await page.locator('tbody tr').first().click({ position });
    await page.getByTestId('pane-tab-request').click();
    const name = page.locator('#panel-request dt', { hasText: 'code_challenge_method' });
    const lines = await name.evaluate(each =>
      [...each.childNodes].map(word => {
        const range = document.createRange();
        range.selectNode(word);
        return [word.textContent, range.getClientRects().length] as const;
      }),
    );
    expect(lines.filter(([word]) => word !== '')).toEqual([
      ['code_', 1],
      ['challenge_', 1],
      ['method', 1],
    ]);
  });

  it('stands, with its list, directly below the bar', async () => {
    const page = await openList();
    const edge = (selector: string) => page.locator(selector).evaluate(element => element.getBoundingClientRect());
    await page.locator('tbody tr').first().click({ position });
    await page.locator('#pane-title').waitFor();
    const { bottom } = await edge('.top');
    const from = await edge('#split');
    expect(Math.abs(from.top - bottom)).toBeLessThanOrEqual(8);
  });

  it('is one step of the history', async () => {
    const page = await openList();
    await page.locator('tbody tr').first().click({ position });
    await page.locator('#pane-title').waitFor();
    await page.keyboard.press('j');
    await expect.poll(() => title(page)).toBe('GET /api/products');
    await page.goBack();
    await page.getByTestId('requests-pane').waitFor({ state: 'hidden' });
    expect(opened(page)).toBe(null);
    await page.goForward();
    await expect.poll(() => title(page)).toBe('GET /api/products');
  });

  it('keeps the tab that was chosen, with the keys of tabs', async () => {
    const page = await openList();
    await page.locator('tbody tr').first().click({ position });
    await page.getByTestId('pane-tab-request').focus();
    await page.keyboard.press('ArrowRight');
    expect(await page.locator('#panel-response').isVisible()).toBe(true);
    await page.keyboard.press('j');
    await expect.poll(() => title(page)).toBe('GET /api/products');
    expect(await page.locator('#panel-response').isVisible()).toBe(true);
    expect(await page.locator('#panel-explain').isVisible()).toBe(false);
  });

  it('sends the request again, and shows the new one', async () => {
    const page = await openList();
    await page.locator('tbody tr').first().click({ position });
    await page.getByTestId('pane-replay').click();
    await expect.poll(() => opened(page)).toBe(newest(1)[0]?.requestId);
    expect(newest(1)[0]?.path).toBe('/oauth2/token');
    expect(await title(page)).toBe('POST /oauth2/token');
  });

  it.each([true, false])('comes back after a fix in it, with the same row; scripts: %s', async javaScriptEnabled => {
    await stage.newPage({ javaScriptEnabled });
    const redirect_uri = 'https://shop.example/callback';
    await get(authorizationUrl(stage.sandbox, redirect_uri));
    const [refused] = newest(1);
    await sensorToken(stage.sandbox);
    const page = await stage.openPage(`/dashboard/requests?q=endpoint%3Aauthorize&open=${refused?.requestId}`);
    await page.getByTestId('requests-pane').getByTestId('problem-fix').click();
    await page.getByTestId('pane-done').waitFor();
    expect(await page.getByTestId('pane-done').textContent()).toContain('The client frontend was changed');
    expect((await stage.sandbox.clients.get('frontend'))?.redirect_uris).toContain(redirect_uri);
    expect(await title(page)).toBe('GET /oauth2/authorize');
    expect(await page.locator('tr[aria-current]').getAttribute('id')).toBe(refused?.requestId);
    const { pathname, searchParams } = new URL(page.url());
    expect([pathname, searchParams.get('q'), opened(page)]).toEqual([
      '/dashboard/requests',
      'endpoint:authorize',
      refused?.requestId,
    ]);
    await page.getByTestId('pane-close').click();
    await page.getByTestId('requests-pane').waitFor({ state: 'hidden' });
    expect(new URL(page.url()).search).toBe('?q=endpoint%3Aauthorize');
  });

  it('comes back after a fix that another change forestalled, and says so', async () => {
    await get(authorizationUrl(stage.sandbox, 'https://shop.example/callback'));
    const [refused] = newest(1);
    const page = await stage.openPage(`/dashboard/requests?open=${refused?.requestId}`);
    await stage.sandbox.clients.delete('frontend');
    await page.getByTestId('problem-fix').click();
    await page.getByText(/^Not changed\. fix: expected a fix that the page offers now/).waitFor();
    expect(opened(page)).toBe(refused?.requestId);
  });

  it('leads to the page of the request on a narrow screen, and with scripts off', async () => {
    const page = await openList({ width: 375, height: 720 });
    await page.locator('tbody tr').first().click({ position });
    await page.waitForURL('**/dashboard/requests/req_*');
    await stage.newPage({ javaScriptEnabled: false });
    const plain = await stage.openPage('/dashboard/requests');
    await plain.locator('tbody td a').first().click();
    await plain.waitForURL('**/dashboard/requests/req_*');
    await plain.goto(`${stage.sandbox.url}/dashboard/requests?open=${newest(1)[0]?.requestId}`);
    expect(await plain.locator('#panel-response').isVisible()).toBe(true);
    await plain.getByTestId('pane-close').click();
    expect(await plain.getByTestId('requests-pane').isVisible()).toBe(false);
  });
});

describe('the rows of a flow', () => {
  it('light up together', async () => {
    const page = await openList();
    await page.locator('tbody tr').nth(1).hover();
    const lit = await page.locator('tr.lit').evaluateAll(rows => rows.map(row => (row as HTMLElement).dataset.flow));
    expect(new Set(lit).size).toBe(1);
    await page.locator('h1').hover();
    await expect.poll(() => page.locator('tr.lit').count()).toBe(0);
  });
});

describe('the line for new rows', () => {
  it('stays below the head of the list, and moves no row', async () => {
    for (let n = 0; n < 40; n++) await sensorToken(stage.sandbox);
    const page = await openList();
    await page.evaluate(() => scrollTo({ top: 600 }));
    const row = page.locator('tbody tr').nth(25);
    const before = await row.boundingBox();
    await sensorToken(stage.sandbox);
    await expect.poll(() => page.getByTestId('live-show').textContent()).toBe('1 new, show');
    expect(await row.boundingBox()).toEqual(before);
    const [line, columns] = [
      await page.getByTestId('live-show').boundingBox(),
      await page.locator('.log-columns').boundingBox(),
    ];
    expect((line?.y ?? 0) - (columns?.y ?? 0)).toBeLessThan(40);
    expect((line?.y ?? 0) - (columns?.y ?? 0)).toBeGreaterThan(20);
  });
});
