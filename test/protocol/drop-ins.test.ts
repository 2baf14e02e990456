import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { dropInSentences } from '../../src/protocol/relaxation.ts';
import { createTestServer } from '../support/server.ts';

it('each drop-in relaxation has a row in docs/relaxations.md', () => {
  const { clients } = createTestServer().server;
  const [client] = clients.values();
  if (client === undefined) throw new Error('no client');
  const relaxed = { ...client, redirect_uri_patterns: ['https://*.test/cb'], id_token_signed_response_alg: 'HS256' };
  const dropIns = {
    anyClient: true,
    anyIssuer: true,
    issuerFromHost: 'host',
    refreshTokenGrace: 1,
    metadataOverrides: { issuer: null },
    keyCertificates: true,
    accessTokenKeys: { api: {} },
    requestEncryption: true,
  } as const;
  const sentences = dropInSentences({ dropIns, clients: new Map([[client.client_id, relaxed]]) });
  const rows = readFileSync('docs/relaxations.md', 'utf8')
    .split('\n')
    .filter(line => line.startsWith('| `'));
  const named = sentences.map(sentence => /\((.+)\)\.$/.exec(sentence)?.[1] ?? sentence);
  expect(named).toHaveLength(10);
  expect(rows.map(row => named.findIndex(name => row.includes(`\`${name}\``)))).toEqual(named.map((_, index) => index));
});
