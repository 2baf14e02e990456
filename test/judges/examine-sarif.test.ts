import { createRequire } from 'node:module';
import Ajv from 'ajv';
import { expect, it } from 'vitest';
import { examinationAsSarif } from '../../src/extensions/examine/results/sarif.ts';
import { createSandbox } from '../support/bundle.ts';

// The schema that OASIS published, in the package of Microsoft's SDK.

const read = createRequire(import.meta.url);

it('an examination in SARIF fits the schema of SARIF 2.1.0', async () => {
  const ajv = new Ajv({ schemaId: 'auto', validateSchema: false, unknownFormats: 'ignore' });
  ajv.addMetaSchema(read('ajv/lib/refs/json-schema-draft-04.json'));
  const fits = ajv.compile(read('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json'));
  const redirect_uri = 'http://localhost:3000/callback';
  await using sandbox = await createSandbox({ clients: [{ client_id: 'web', redirect_uris: [redirect_uri] }] });
  const result = await sandbox.examine({
    plan: 'oauth-bcp',
    modules: ['invalid-state', 'pkce', 'no-secret-in-url'],
    user: 'alice',
    // an app that takes each response, and redeems nothing
    async login({ issuer }) {
      const query = {
        response_type: 'code',
        client_id: 'web',
        redirect_uri,
        state: 'x',
        client_secret: 'in-the-address',
      };
      const { status } = await fetch(`${issuer}/oauth2/authorize?${new URLSearchParams(query)}`, {
        redirect: 'manual',
      });
      return status === 302;
    },
  });
  expect(result.summary.fail).toBe(3);
  const log = JSON.parse(examinationAsSarif(result));
  expect([fits(log), fits.errors]).toEqual([true, null]);
  expect(log.runs[0].results).toHaveLength(3);
  log.runs[0].results[0].level = 'disastrous';
  expect(fits(log)).toBe(false);
});
