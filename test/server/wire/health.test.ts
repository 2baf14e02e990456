import { expect, it } from 'vitest';
import { grantboxIn, metadataUrl, reachedAt } from '../../../src/server/wire/health.ts';

const started = '2026-03-01T14:03:10.250Z';

it('a Grantbox is known by its version and its start', () => {
  const body = { status: 'UP', grantbox: { version: '0.1.0', started } };
  expect(grantboxIn(JSON.stringify(body))).toEqual({ version: '0.1.0', started: Date.parse(started) });
});

it('its issuer is told by its identifier and its URL, which only together say where it is', () => {
  const at = (issuer: string, url: string) =>
    grantboxIn(JSON.stringify({ grantbox: { version: '1.0.0', started, issuer, url } }))?.at;
  const entra = at('http://localhost:9000/tenant/v2.0', 'http://localhost:9000/tenant');
  const google = at('https://accounts.google.com', 'http://localhost:9000/');
  if (entra === undefined || google === undefined) throw new Error('no issuer');
  expect(metadataUrl(entra).href).toBe('http://localhost:9000/tenant/v2.0/.well-known/openid-configuration');
  expect(metadataUrl(google).href).toBe('http://localhost:9000/.well-known/openid-configuration');
  expect(reachedAt('http://idp:8080/x', entra)).toBe('http://idp:8080/tenant');
  expect(reachedAt('http://idp:8080/x', google)).toBe('http://idp:8080');
  for (const url of ['', 'tenant', 'file:///etc/passwd']) expect(at('http://localhost:9000', url)).toBeUndefined();
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
