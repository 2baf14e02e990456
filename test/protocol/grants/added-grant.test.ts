import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { newFolder } from '../../support/new-folder.ts';

const root = join(import.meta.dirname, '../../..');

/** The one file that CONTRIBUTING asks for. */
const file = `
import type { GrantHandler } from '../authorization-server.ts';
import { requiredParameter } from '../parameters.ts';

export const vouched: GrantHandler = {
  grantType: 'urn:example:vouched',
  feature: 'password',
  parameters: ['voucher'],
  async redeem({ server, client, parameters }) {
    const sub = requiredParameter(parameters, 'voucher');
    const id = server.random.id();
    const authorization = { id, client_id: client.client_id, grant_type: 'urn:example:vouched', sub, scopes: [], resources: [] };
    return { authorization, scopes: [], resources: [] };
  },
};
`;

/** The one line. */
const line = `export { vouched } from './vouched.ts';\n`;

const withGrant: Plugin = {
  name: 'with one grant more',
  setup({ onResolve, onLoad }) {
    const folder = join(root, 'src/protocol/grants');
    onResolve({ filter: /\/vouched\.ts$/ }, () => ({ path: join(folder, 'vouched.ts') }));
    onLoad({ filter: /grants\/vouched\.ts$/ }, () => ({ contents: file, loader: 'ts' }));
    onLoad({ filter: /protocol\/grants\/all\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')) + line,
      loader: 'ts',
    }));
  },
};

type Parts = Pick<typeof import('../../support/server.ts'), 'createTestServer' | 'web'> &
  Pick<typeof import('../../../src/protocol/endpoints/metadata.ts'), 'openidConfiguration'>;

let folder = '';
let parts: Parts;

beforeAll(async () => {
  folder = newFolder();
  const outfile = join(folder, 'server.mjs');
  const contents = `
    export { createTestServer, web } from './test/support/server.ts';
    export { openidConfiguration } from './src/protocol/endpoints/metadata.ts';`;
  await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    plugins: [withGrant],
    logLevel: 'warning',
  });
  parts = (await import(pathToFileURL(outfile).href)) as Parts; // its exports are those above
});

const grantType = 'urn:example:vouched';

function serverWithClient() {
  const client = { ...parts.web, client_id: 'voucher-app', grant_types: [grantType] };
  return parts.createTestServer({ clients: [client] });
}

describe('a grant that is added by one file and one line', () => {
  it('is in discovery, and belongs to the feature that its file names', () => {
    const { server } = serverWithClient();
    expect(parts.openidConfiguration(server)).toMatchObject({
      grant_types_supported: expect.arrayContaining([grantType]),
    });
    expect(server.grants.get(grantType)?.feature).toBe('password');
  });

  it('is answered by the token endpoint, and its parameters are not ignored', async () => {
    const { token, events } = serverWithClient();
    const authorization = `Basic ${Buffer.from('voucher-app:web-secret').toString('base64')}`;
    const answer = await token({ grant_type: grantType, voucher: 'alice', vouchsafe: 'yes' }, authorization);
    expect(answer).toMatchObject({ token_type: 'Bearer', access_token: expect.any(String) });
    const requested = {
      type: 'token.requested',
      client_id: 'voucher-app',
      grant_type: grantType,
      ignored: ['vouchsafe'],
    };
    expect(events).toContainEqual(requested);
  });
});
