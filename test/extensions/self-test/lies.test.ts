import type { RequestListener } from 'node:http';
import { afterAll, describe, expect, it } from 'vitest';
import { checks } from '../../../src/extensions/self-test/checks.ts';
import { createSelfTesting } from '../../../src/extensions/self-test/issuer/self-testing.ts';
import type { SelfTestReport } from '../../../src/extensions/self-test/report.ts';
import type { AuthorizationServer } from '../../../src/protocol/authorization-server.ts';
import { oauthMetadata, openidConfiguration } from '../../../src/protocol/endpoints/metadata.ts';
import { featureNames } from '../../../src/protocol/feature.ts';
import { createIssuer } from '../../../src/sandbox/composition/issuer.ts';
import { createDeferredListener } from '../../../src/sandbox/composition/listeners.ts';
import { createLazyOutbound } from '../../../src/sandbox/composition/outbound.ts';
import { loadConfig } from '../../../src/sandbox/config/load-config.ts';
import { listen } from '../../../src/server/http/listen.ts';
import { createRequestLog } from '../../../src/server/http/log/request-log.ts';
import { createReadiness } from '../../../src/server/http/readiness.ts';
import { createSenderMark } from '../../../src/server/http/sender-mark.ts';
import { writeKeysFile } from '../../support/self-test.ts';

const config = await loadConfig({ overrides: { port: 0, keysFile: writeKeysFile() } });
const log = createRequestLog({ level: 'silent', format: 'json', destination: { write() {} } });
const now = () => Date.now() / 1000;
const door = createDeferredListener();
const { port, close } = await listen(door.listener, 'localhost', 0);
afterAll(() => close(0));
const shared = {
  port,
  tls: undefined,
  now,
  outbound: createLazyOutbound('loopback'),
  strangersOutbound: createLazyOutbound('loopback'),
  log,
  mark: createSenderMark(),
  readiness: createReadiness(),
};
const honest = createIssuer(config, `http://localhost:${port}`, shared);

type Lie = (server: AuthorizationServer) => Partial<AuthorizationServer>;

/** The self-test of a server that is as the configuration says, but for the lie. */
async function testWith(lie: Lie, between: (next: RequestListener) => RequestListener = next => next) {
  const { server } = honest.tested;
  const lying = { ...honest, tested: { ...honest.tested, server: { ...server, ...lie(server) } } };
  const disturbed = createDeferredListener();
  const diverting = { ...door, divert: disturbed.divert };
  door.open(between(disturbed.listener));
  return createSelfTesting(diverting, [lying]).run();
}

/** Of each lie its member and value. */
function lies({ lies: found }: SelfTestReport): string[] {
  return found.map(({ member, value }) => `${member} ${value}`);
}

const patience = { timeout: 120_000 };

describe('the self-test', patience, () => {
  it('finds a grant that is advertised, and that nobody handles', async () => {
    const without = (server: AuthorizationServer) => {
      const grants = new Map(server.grants);
      return Object.assign(grants, {
        get: (name: string) => (name === 'refresh_token' ? undefined : server.grants.get(name)),
      });
    };
    const report = await testWith(server => ({ grants: without(server) }));
    expect(lies(report)).toContain('grant_types_supported refresh_token');
    const [lie] = report.lies.filter(({ value }) => value === 'refresh_token');
    expect(lie?.happened).toMatch(/^the token endpoint answered 400 unsupported_grant_type: /);
  });

  it('finds a key that signs and is not published', async () => {
    const unpublished: Lie = ({ keys }) => ({
      keys: { ...keys, jwks: async () => ({ keys: (await keys.jwks()).keys.filter(({ alg }) => alg !== 'PS384') }) },
    });
    expect(lies(await testWith(unpublished))).toEqual([
      'authorization_signing_alg_values_supported PS384',
      'introspection_signing_alg_values_supported PS384',
      'id_token_signing_alg_values_supported PS384',
      'userinfo_signing_alg_values_supported PS384',
    ]);
  });

  it.each<[string, (keys: readonly Record<string, unknown>[]) => Record<string, unknown>[], RegExp]>([
    [
      'a private key that is published',
      ([first = {}, ...others]) => [{ ...first, d: 'secret' }, ...others],
      /private member d/,
    ],
  ])('finds %s', async (_, change, happened) => {
    const report = await testWith(({ keys }) => ({
      keys: { ...keys, jwks: async () => ({ keys: change((await keys.jwks()).keys as never) as never }) },
    }));
    expect(report.lies.find(({ member }) => member === 'jwks_uri')?.happened).toMatch(happened);
  });

  it('finds documents that do not answer', async () => {
    const lost = between(/openid-configuration/, (_, res) => res.writeHead(500).end());
    const { lies: found } = await testWith(() => ({}), lost);
    expect(found).toMatchObject([{ member: 'metadata', happened: expect.stringContaining('answered 500') }]);
  });

  it('finds two documents that do not agree', async () => {
    const other = sendJson({ issuer: `http://localhost:${port}`, token_endpoint: `http://localhost:${port}/other` });
    const { lies: found } = await testWith(() => ({}), between(/oauth-authorization-server/, other));
    expect(found.map(({ member, happened }) => [member, happened])).toContainEqual([
      'issuer',
      'token_endpoint differs between the documents',
    ]);
  });

  it('says where no check knows a member or a value, and takes neither for a lie', async () => {
    const document = {
      ...openidConfiguration(honest.tested.server),
      prompt_values_supported: ['create'],
      brand_new_supported: true,
    };
    const { notExercised } = await testWith(() => ({}), between(/openid-configuration/, sendJson(document)));
    expect(notExercised.map(({ member, why }) => [member, why])).toEqual([
      ['prompt_values_supported', 'no check knows this value'],
      ['brand_new_supported', 'no check knows this member'],
    ]);
  });
});

describe('the checks', () => {
  const { server } = honest.tested;
  const { dropIns } = server;
  const all: AuthorizationServer = {
    ...server,
    features: new Set(featureNames),
    acrValues: ['gold'],
    ...(dropIns && { dropIns: { ...dropIns, requestEncryption: true } }),
  };
  const documents = [all, server, { ...all, profile: 'fapi2' as const }].flatMap(each => [
    openidConfiguration(each),
    oauthMetadata(each),
  ]);
  const members = [...new Set(documents.flatMap(document => Object.keys(document)))];

  it.each(members)('have one for %s', member => {
    expect(checks).toHaveProperty(member);
  });

  it('have none for what is never advertised', () => {
    expect(Object.keys(checks).filter(name => !members.includes(name))).toEqual([]);
  });
});

function sendJson(body: object): RequestListener {
  return (_, res) => res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

function between(path: RegExp, answer: RequestListener) {
  return (next: RequestListener): RequestListener =>
    (req, res) =>
      path.test(req.url ?? '') ? answer(req, res) : next(req, res);
}
