import { describe, expect, it } from 'vitest';
import { fetchInTurn } from '../../../src/protocol/clients/document-fetches.ts';
import { findClient, recallClient } from '../../../src/protocol/clients/find-client.ts';
import { defaultFeatures } from '../../../src/protocol/feature.ts';
import { OutboundError } from '../../../src/protocol/outbound.ts';
import { asserted, assertionClaims } from '../../support/assertions.ts';
import { makeClientKey } from '../../support/keys-server.ts';
import { createDocuments, type Documents } from '../../support/registration.ts';
import { createTestServer, eventsOf, refusal, type TestServer, type TestServerOptions } from '../../support/server.ts';

const client_id = 'https://app.example/client.json';
const metadata = { client_id, client_name: 'An application', redirect_uris: ['http://127.0.0.1:5173/callback'] };

interface Stage extends TestServer {
  readonly documents: Documents;
  find(id?: string): ReturnType<typeof findClient>;
}

/** A test server that finds `document` at the address of the client. */
function stage(
  document: unknown = metadata,
  answer: { status?: number; headers?: Record<string, string> } = {},
  options: TestServerOptions = {},
): Stage {
  const body = typeof document === 'string' ? document : JSON.stringify(document);
  const documents = createDocuments({ [client_id]: { body, ...answer } });
  const server = createTestServer({ outbound: documents, ...options });
  const emit = (fact: (typeof server.events)[number]) => void server.events.push(fact);
  return { ...server, documents, find: (id = client_id) => findClient(server.server, id, emit) };
}

const json = { 'content-type': 'application/json' };

describe('a client that describes itself', () => {
  it('has the members of its document, and defaults for the others', async () => {
    expect(await stage().find()).toMatchObject({
      ...metadata,
      origin: 'metadata_document',
      token_endpoint_auth_methods: ['none'],
      grant_types: ['authorization_code'],
      response_types: ['code'],
      require_pkce: true,
      loopback_redirects: false,
    });
  });

  it('can ask for a login, for which consent is asked', async () => {
    const { authorize, login } = stage();
    const request = { client_id, redirect_uri: 'http://127.0.0.1:5173/callback' };
    expect(await authorize(request)).toMatchObject({ kind: 'page', page: { name: 'login', client: { client_id } } });
    expect(await authorize(request, await login())).toMatchObject({ kind: 'page', page: { name: 'consent' } });
  });

  it('may only be answered where its document says', async () => {
    const { authorize } = stage();
    const error = await refusal(authorize({ client_id, redirect_uri: 'http://127.0.0.1:5173/elsewhere' }));
    expect(error.reason).toBe('redirect_uri_not_registered');
  });

  it('proves who it is with a key of its document', async () => {
    const key = await makeClientKey('ES256', { kid: 'one', alg: 'ES256' });
    const { token } = stage({
      ...metadata,
      token_endpoint_auth_method: 'private_key_jwt',
      grant_types: ['client_credentials'],
      jwks: { keys: [key.publicJwk] },
    });
    const assertion = await asserted(key.privateKey, { alg: 'ES256', kid: 'one' }, assertionClaims(client_id));
    expect(await token({ grant_type: 'client_credentials', ...assertion })).toHaveProperty('access_token');
    const other = await makeClientKey('ES256');
    const forged = await asserted(other.privateKey, { alg: 'ES256', kid: 'one' }, assertionClaims(client_id));
    expect((await refusal(token({ grant_type: 'client_credentials', ...forged }))).code).toBe('invalid_client');
  });

  it('may name grants, response types and scopes that are for other servers', async () => {
    const document = {
      ...metadata,
      grant_types: ['authorization_code', 'refresh_token', 'implicit', 'password', 'urn:example:telepathy'],
      response_types: ['code', 'id_token'],
      scope: 'openid mind:read bikes:read',
    };
    const client = await stage(document, {}, { features: new Set(defaultFeatures) }).find();
    expect(client?.response_types).toEqual(['code']);
    expect(client).toMatchObject({ grant_types: ['authorization_code', 'refresh_token'], scope: 'openid bikes:read' });
  });

  it('is nobody where the feature is off, and nothing is fetched', async () => {
    const features = new Set(defaultFeatures.filter(name => name !== 'client-id-metadata'));
    const { find, documents } = stage(metadata, {}, { features });
    expect(await find()).toBeUndefined();
    expect(documents.asked).toEqual([]);
  });

  it('is an event, fetched or refused', async () => {
    const good = stage();
    await good.find();
    expect(eventsOf(good.events, 'client_document.fetched')).toMatchObject([{ client_id, keptFor: 300 }]);
    const bad = stage('nonsense');
    await refusal(bad.find());
    expect(eventsOf(bad.events, 'client_document.refused')).toMatchObject([
      { client_id, description: expect.stringContaining('not a JSON object') },
    ]);
  });
});

describe('the address of a document', () => {
  it.each([
    ['no TLS', 'http://app.example/client.json'],
    ['no path', 'https://app.example'],
    ['a path that is empty', 'https://app.example/'],
    ['a dot', 'https://app.example/./client.json'],
    ['two dots', 'https://app.example/a/../client.json'],
    ['encoded dots', 'https://app.example/a/%2E%2e/client.json'],
    ['a fragment', 'https://app.example/client.json#a'],
    ['an empty fragment', 'https://app.example/client.json#'],
    ['a user name', 'https://me@app.example/client.json'],
    ['a password', 'https://me:secret@app.example/client.json'],
    ['a space', 'https://app.example/client json'],
    ['too many characters', `https://app.example/${'a'.repeat(1024)}`],
    ['no host', 'https:///client.json'],
  ])('may not have %s, and is not fetched', async (_what, id) => {
    const { find, documents } = stage();
    const error = await refusal(find(id));
    expect([error.code, error.reason]).toEqual(['invalid_client', 'metadata_document_url_invalid']);
    expect(documents.asked).toEqual([]);
  });

  it.each(['https://app.example:8443/client.json', 'https://app.example/client?version=1', 'https://app.example/c/'])(
    'may be %s',
    async id => {
      const { find, documents } = stage();
      documents.answers.set(id, { body: JSON.stringify({ ...metadata, client_id: id }) });
      expect(await find(id)).toMatchObject({ client_id: id });
    },
  );

  it.each(['http://localhost:4000/client.json', 'http://127.0.0.1:4000/client.json', 'https://[::1]/client.json'])(
    'may be on this machine if the issuer is: %s',
    async id => {
      const { find, documents } = stage();
      documents.answers.set(id, { body: JSON.stringify({ ...metadata, client_id: id }) });
      expect(await find(id)).toMatchObject({ client_id: id });
      const far = stage(metadata, {}, { issuer: 'https://auth.example' });
      expect((await refusal(far.find(id))).reason).toBe('metadata_document_url_invalid');
      expect(far.documents.asked).toEqual([]);
    },
  );
});

describe('the answer with a document', () => {
  it.each([
    ['is not there', { status: 404 }],
    ['is made', { status: 201 }],
    ['is elsewhere', { status: 302, headers: { location: 'https://app.example/moved.json' } }],
    ['is elsewhere for good', { status: 308, headers: { location: client_id } }],
    ['failed', { status: 500 }],
    ['is HTML', { headers: { 'content-type': 'text/html' } }],
    ['is text', { headers: { 'content-type': 'text/plain; charset=utf-8' } }],
    ['says nothing of its type', { headers: {} }],
  ])('is refused when it %s', async (_what, answer) => {
    const { find, documents } = stage(metadata, { ...answer });
    const error = await refusal(find());
    expect([error.code, error.reason]).toEqual(['invalid_client', 'metadata_document_unavailable']);
    expect(documents.asked).toEqual([client_id]);
  });

  it('may be of a more exact type', async () => {
    const headers = { 'content-type': 'application/oauth-client+json; charset=utf-8' };
    expect(await stage(metadata, { headers }).find()).toMatchObject({ client_id });
  });

  it('is at most 5 kB', async () => {
    const exactly = (size: number) => {
      const rest = size - JSON.stringify({ ...metadata, contacts: [''] }).length;
      return { ...metadata, contacts: ['x'.repeat(rest)] };
    };
    expect(await stage(exactly(5 * 1024)).find()).toMatchObject({ client_id });
    expect((await refusal(stage(exactly(5 * 1024 + 1)).find())).reason).toBe('metadata_document_unavailable');
  });

  it.each(['timeout', 'address_forbidden', 'unreachable'] as const)('is refused for the failure %s', async failure => {
    const { find, documents } = stage();
    documents.answers.set(client_id, new OutboundError(failure, 'nobody is there'));
    expect((await refusal(find())).fullDescription).toContain('nobody is there');
  });

  it.each([
    ['is no JSON', 'nonsense'],
    ['is a list', [metadata]],
    ['is null', 'null'],
    ['has no client_id', { ...metadata, client_id: undefined }],
    ['is that of another client', { ...metadata, client_id: 'https://app.example/other.json' }],
    ['is that of nearly this client', { ...metadata, client_id: 'https://APP.example/client.json' }],
    ['has a secret', { ...metadata, client_secret: 'x' }],
    ['has the end of a secret', { ...metadata, client_secret_expires_at: 0 }],
    ['needs a secret', { ...metadata, token_endpoint_auth_method: 'client_secret_basic' }],
    ['needs a secret in the body', { ...metadata, token_endpoint_auth_method: 'client_secret_post' }],
    ['needs a secret for assertions', { ...metadata, token_endpoint_auth_method: 'client_secret_jwt' }],
    ['has a secret key', { ...metadata, jwks: { keys: [{ kty: 'oct', k: 'AAAA' }] } }],
    ['has a private key', { ...metadata, jwks: { keys: [{ kty: 'OKP', crv: 'Ed25519', x: 'AA', d: 'AA' }] } }],
    ['has no redirect URI', { ...metadata, redirect_uris: [] }],
    ['has a redirect URI without TLS', { ...metadata, redirect_uris: ['http://app.example/cb'] }],
    ['has a script as redirect URI', { ...metadata, redirect_uris: ['javascript:alert(1)'] }],
    ['has a script as logo', { ...metadata, logo_uri: 'javascript:alert(1)' }],
  ])('is refused when the document %s', async (_what, document) => {
    const error = await refusal(stage(document).find());
    expect([error.code, error.reason]).toEqual(['invalid_client', 'metadata_document_invalid']);
  });

  it('is not confused by names that objects have', async () => {
    const document = JSON.stringify(metadata).replace('{', '{"__proto__": {"client_secret": "x"}, ');
    expect(await stage(document).find()).toMatchObject({ client_id });
  });
});

describe('a document is kept', () => {
  it.each([
    ['nothing is said', {}, 300],
    ['max-age is', { 'cache-control': 'public, max-age=60' }, 60],
    ['max-age is too much', { 'cache-control': 'max-age=999999999' }, 3600],
  ])('for some time: %s', async (_what, headers, seconds) => {
    const { find, documents, pass } = stage(metadata, { headers: { ...json, ...headers } });
    await find();
    pass(seconds - 1);
    await find();
    expect(documents.asked).toHaveLength(1);
    pass(1);
    await find();
    expect(documents.asked).toHaveLength(2);
  });

  it.each(['no-store', 'no-cache', 'max-age=0'])('not at all with %s', async directive => {
    const { find, documents } = stage(metadata, { headers: { ...json, 'cache-control': directive } });
    await find();
    await find();
    expect(documents.asked).toHaveLength(2);
  });

  it('only when it was good: a refusal is forgotten', async () => {
    const { find, documents } = stage('nonsense', { headers: { ...json, 'cache-control': 'max-age=3600' } });
    await refusal(find());
    documents.answers.set(client_id, { body: JSON.stringify(metadata) });
    expect(await find()).toMatchObject({ client_id });
  });

  it('and what it said last is remembered for what the client was given', async () => {
    const { find, documents, server, pass } = stage();
    await find();
    pass(3600);
    documents.answers.clear();
    await refusal(find());
    expect(await recallClient(server, client_id)).toMatchObject({ client_id });
    expect(await recallClient(server, 'https://app.example/never')).toBeUndefined();
  });
});

describe('a flood of requests', () => {
  it('that come at once waits for one answer', async () => {
    const { find, documents } = stage();
    await Promise.all(Array.from({ length: 50 }, () => find()));
    expect(documents.asked).toHaveLength(1);
  });

  it('for what cannot be read fetches it a few times a second only', async () => {
    const { find, documents, pass } = stage('nonsense');
    const reasons = new Set<string>();
    for (let count = 0; count < 20; count++) reasons.add((await refusal(find())).reason);
    expect(documents.asked).toHaveLength(5);
    expect([...reasons]).toEqual(['metadata_document_invalid', 'metadata_document_busy']);
    pass(1);
    expect((await refusal(find())).reason).toBe('metadata_document_invalid');
  });

  it('for many addresses fetches a few at a time only, and says when to come again', async () => {
    const { find, documents } = stage();
    const ids = Array.from({ length: 100 }, (_, count) => `https://app.example/${count}`);
    const errors = await Promise.all(ids.map(id => refusal(find(id))));
    expect(documents.asked).toHaveLength(20);
    const busy = errors.filter(({ reason }) => reason === 'metadata_document_busy');
    expect(busy).toHaveLength(80);
    expect(busy[0]).toMatchObject({ status: 503, details: { headers: { 'Retry-After': '1' } } });
  });

  it('that one host answers slowly leaves the documents of others alone, and so does one client', async () => {
    const { server } = stage();
    const never = new Promise<never>(() => {});
    let refusals = 0;
    const begin = (url: string, client_id: string) =>
      void fetchInTurn(server, { name: url, url, client_id }, () => never).catch(() => refusals++);
    const refused = () => new Promise(resolve => setImmediate(() => resolve(refusals)));
    for (let count = 0; count < 30; count++) begin(`https://slow.example/${count}`, `client ${count}`);
    expect(await refused()).toBe(10);
    for (let count = 0; count < 10; count++) begin(`https://${count}.example/`, 'one client');
    expect(await refused()).toBe(10 + 5);
    begin('https://app.example/one', 'another');
    expect(await refused()).toBe(10 + 5);
  });
});
