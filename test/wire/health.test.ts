import { expect, it } from 'vitest';
import { grantboxIn } from '../../src/wire/health.ts';

const started = '2026-03-01T14:03:10.250Z';

it('a Grantbox is known by its version and its start', () => {
  const body = { status: 'UP', grantbox: { version: '0.1.0', started } };
  expect(grantboxIn(JSON.stringify(body))).toEqual({ version: '0.1.0', started: Date.parse(started) });
});

it.each([
  'hello',
  '[]',
  '{"status":"UP"}',
  '{"grantbox":"0.1.0"}',
  `{"grantbox":{"started":"${started}"}}`,
  `{"grantbox":{"version":"\u001b[2J","started":"${started}"}}`,
  '{"grantbox":{"version":"0.1.0","started":"yesterday"}}',
  '{"grantbox":{"version":"0.1.0","started":1}}',
])('another server is none: %s', text => {
  expect(grantboxIn(text)).toBeUndefined();
});
