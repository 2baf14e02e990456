const { test, expect } = require('grantbox/playwright');

test('is required by a CommonJS module', async ({ issuer, sandbox }) => {
  expect(issuer.issuer).toContain(sandbox.issuer);
});
