import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../../src/index.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox();
});
afterAll(() => sandbox.stop());

const ask = (path: string, header: string) => fetch(sandbox.url + path, { headers: { 'Sandbox-Fault': header } });

it.each([
  ['unavailabel', 'fault: found unavailabel, expected unavailable'],
  ['http_status;status=99', 'status: found 99, expected 400 to 599'],
  ['slow;seconds=x', 'seconds: found x, expected seconds, or 90s, 5m, 8h, 1d, 60 s at most'],
  ['no_answer;times=2', 'times: found 2, expected one of seconds, error, member, status, change, header, token'],
  ['expired;token=refresh', 'token: found refresh'],
  [Array(6).fill('slow;seconds=0').join(), 'found 6 faults, expected at most 5'],
])('the header %s is refused, at an endpoint and at the sample backend', async (header, words) => {
  for (const path of ['/oauth2/jwks', '/oauth2/authorize', '/api/products']) {
    const response = await ask(path, header);
    expect([path, response.status]).toEqual([path, 400]);
    const body = (await response.json()) as { error_description: string };
    expect(body.error_description).toContain(words);
    expect(sandbox.events.latest('error.returned', 1)).toMatchObject([{ status: 400, reason: 'fault_header_invalid' }]);
  }
});

it('tells every problem at once, and an empty header asks for nothing', async () => {
  const response = await ask('/oauth2/jwks', 'http_status;status=99;foo=1, nothing_such');
  expect((await response.json()) as object).toMatchObject({
    error_description: expect.stringMatching(/foo: .*status: .*fault: found nothing_such/),
  });
  expect((await ask('/oauth2/jwks', ' , ')).status).toBe(200);
});
