import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { get } from '../support/wire.ts';
import { commonModules, staticClients } from './modules.ts';
import { configured, type Op, startOp } from './party.ts';

let op: Op;
beforeAll(async () => {
  op = await startOp(staticClients);
});
afterAll(() => op[Symbol.asyncDispose]());

const clients = {
  party: () => configured(op, staticClients, 'client_secret_basic'),
  other: () => configured(op, staticClients, 'client_secret_post'),
  response_mode: 'form_post',
} as const;

describe.each([
  ['basic', 'code'],
  ['implicit', 'id_token'],
  ['implicit', 'id_token token'],
  ['hybrid', 'code id_token'],
  ['hybrid', 'code token'],
  ['hybrid', 'code id_token token'],
])('the form post plan, %s, %s', (_plan, response_type) => {
  commonModules({ ...clients, response_type });
});

describe('the page that posts', () => {
  it('is not kept, escapes what it posts, and lets the form leave', async () => {
    const party = clients.party();
    const state = `"><script>alert('1')</script>&amp;`;
    const { agent } = (await party.logIn()).answer;
    const { url } = party.request({ response_mode: 'form_post', state });
    const cookie = [...agent.cookies].map(pair => pair.join('=')).join('; ');
    const response = await get(url.href, { cookie });
    expect(response.headers.get('cache-control')).toMatch(/\bno-store\b/);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toMatch(/form-action|unsafe/);
    expect(await response.text()).not.toContain('<script>alert');
    const again = await party.authorize({ response_mode: 'form_post', state }, { agent });
    expect(again.parameters.get('state')).toBe(state);
  });
});
