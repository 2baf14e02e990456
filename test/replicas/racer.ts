import { type Store, updateEntry } from '../../src/base/store.ts';
import { connectEngine } from '../../src/extensions/replicas/engine.ts';
import { createEngineStore } from '../../src/extensions/replicas/engine-store.ts';
import { OAuthError } from '../../src/protocol/errors.ts';
import { createTestServer, type TestServer } from '../support/server.ts';

// One of several processes that do the same at the same time, each with a connection of its own. It is started by `race.ts`.

/** One race: all racers do the same with the same entry. The outcome of one that won it, if there can be only one. */
type Race = (store: Store, id: string) => Promise<string | undefined>;

const races: Readonly<Record<string, Race>> = {
  take: async (store, id) => store.take(['code', id]),
  add: async (store, id) => ((await store.add(['jti', id], process.pid, 60)) ? 'added' : undefined),
  refresh: (_, id) => refresh(strict, id),
  refreshWithGrace: (_, id) => refresh(forgiving, id),
  update: async (store, id) => {
    await updateEntry<number>(store, ['count', id], 60, (count = 0) => count + 1);
    return undefined;
  },
};

/** The next refresh token; a refusal is no outcome. */
async function refresh({ token }: TestServer, refresh_token: string): Promise<string | undefined> {
  const answer = token({ grant_type: 'refresh_token', client_id: 'frontend', refresh_token });
  return answer.then(
    tokens => tokens.refresh_token,
    (error: unknown) => {
      if (!(error instanceof OAuthError && error.code === 'invalid_grant')) throw error;
      return undefined;
    },
  );
}

const [url = ''] = process.argv.slice(2);
const engine = await connectEngine({ url, prefix: 'sandbox' });
const store = createEngineStore({ engine, name: ['store', '/'], clock: () => 1_700_000_000 });
const noDropIns = {
  anyClient: false,
  anyIssuer: false,
  issuerFromHost: 'off',
  metadataOverrides: {},
  keyCertificates: false,
  accessTokenKeys: {},
  requestEncryption: false,
} as const;
const strict = createTestServer({ store });
const forgiving = createTestServer({ store, dropIns: { ...noDropIns, refreshTokenGrace: 30 } });
process.on('message', async ({ kind, ids }: { readonly kind: string; readonly ids: readonly string[] }) => {
  process.send?.(await Promise.all(ids.map(id => races[kind]?.(store, id))));
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
