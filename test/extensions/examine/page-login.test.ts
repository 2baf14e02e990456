import { expect, it } from 'vitest';
import { pageLogin, pageSteps } from '../../../src/extensions/examine/drive/page-login.ts';

// The browser of this test is not a real one.

const at = {
  issuer: 'http://localhost:9000',
  module: 'test',
  step: 'sign-in',
  signal: new AbortController().signal,
} as const;

function loginWith(evaluate: () => Promise<unknown>) {
  const page = { url: () => 'http://localhost:5173/callback?code=abc#top', evaluate };
  const context = { setDefaultTimeout() {}, newPage: async () => page, close: async () => {} };
  return pageLogin(
    async () => context,
    () => true,
  )(at);
}

it('tells the whole address of the page and what it keeps, and says the address without a code', async () => {
  expect(await loginWith(async () => 'a token\na language')).toEqual({
    believed: true,
    said: 'http://localhost:5173/callback',
    page: { url: 'http://localhost:5173/callback?code=abc#top', stored: 'a token\na language' },
  });
});

it('tells of no storage where the page has none', async () => {
  const denied = () => Promise.reject(new Error('Access is denied for this document.'));
  expect(await loginWith(denied)).toMatchObject({ believed: true, page: { stored: undefined } });
});

it('goes on in the page of the sign-in, and opens the address of a check there', async () => {
  const went: string[] = [];
  let contexts = 0;
  const steps = pageSteps(
    async () => {
      const page = {
        url: () => 'http://localhost:5173/',
        goto: async (to: string) => void went.push(to),
        id: ++contexts,
      };
      return {
        setDefaultTimeout() {},
        newPage: async () => page,
        close: async () => void went.push(`closed ${page.id}`),
      };
    },
    { login: () => true, logout: ({ page }) => page.id === 1, check: ({ page }) => page.id === 1 },
  );
  await steps.login(at);
  expect(await steps.logout?.({ ...at, step: 'sign-out' })).toMatchObject({ believed: false });
  expect(await steps.check?.({ ...at, step: 'check', open: 'http://localhost:9000/end' })).toMatchObject({
    believed: true,
  });
  expect(went).toEqual(['http://localhost:9000/end']);
  await steps.login(at);
  expect(went.at(-1)).toBe('closed 1');
  expect(await steps.logout?.({ ...at, step: 'sign-out' })).toMatchObject({ believed: true });
});
