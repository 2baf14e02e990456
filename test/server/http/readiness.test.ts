import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from 'vitest';
import { version } from '../../../src/package.ts';
import { createIssuer } from '../../../src/sandbox/create-issuer.ts';
import { createLazyOutbound } from '../../../src/sandbox/process/outbound.ts';
import { createWhole } from '../../../src/sandbox/running-extensions.ts';
import { listen } from '../../../src/server/http/listen.ts';
import { createRequestLog } from '../../../src/server/http/log/request-log.ts';
import { createReadiness, type ReadyCheck } from '../../../src/server/http/readiness.ts';
import { createSenderMark } from '../../../src/server/http/request-context.ts';
import { loadConfig } from '../../support/load-config.ts';

const config = await loadConfig({ overrides: { port: 0 } });
const readiness = createReadiness();
const url = 'http://localhost:9000/tenant';
const grantbox = { version, started: readiness.started.toISOString(), issuer: url, url };
const log = createRequestLog({ level: 'silent', format: 'json', destination: { write() {} } });
const issuer = createIssuer(config, url, {
  port: 9000,
  tls: undefined,
  now: () => Date.now() / 1000,
  outbound: createLazyOutbound('loopback'),
  strangersOutbound: createLazyOutbound('loopback'),
  log,
  mark: createSenderMark(),
  modules: config.modules,
  whole: await createWhole({ extensions: [], providers: [] }, { config, log, readiness }),
  readiness,
});
const { port, close } = await listen(issuer.listener, 'localhost', 0);
afterAll(() => close(0));

function probe(path: string, host = `localhost:${port}`): Promise<{ status: number | undefined; body: unknown }> {
  return new Promise((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port, path, headers: { host }, agent: false }, async response => {
      resolve({ status: response.statusCode, body: await json(response) });
    });
    call.on('error', reject).end();
  });
}

describe('/ready', () => {
  it('says UP with the state of the server, at the root and below the issuer', async () => {
    const up = { status: 200, body: { status: 'UP', server: { state: 'UP' } } };
    expect(await probe('/ready')).toEqual(up);
    expect(await probe('/tenant/ready')).toEqual(up);
  });

  it('answers a probe that uses the address of the process, which no other path does', async () => {
    expect((await probe('/ready', '10.1.2.3:9000')).status).toBe(200);
    expect((await probe('/ready/', '10.1.2.3:9000')).status).toBe(421);
    expect((await probe('/oauth2/jwks', '10.1.2.3:9000')).status).toBe(421);
  });

  it('says UP also in the form of Keycloak, with the text that its probes look for', async () => {
    const checks = [{ name: 'server', status: 'UP' }];
    for (const path of ['', '/tenant']) {
      expect(await probe(`${path}/health/ready`, '10.1.2.3:9000')).toEqual({
        status: 200,
        body: { status: 'UP', checks },
      });
      for (const kind of ['live', 'started'])
        expect(await probe(`${path}/health/${kind}`, '10.1.2.3:9000')).toEqual({
          status: 200,
          body: { status: 'UP', checks: [] },
        });
    }
    const text = await (await fetch(`http://localhost:${port}/health/ready`)).text();
    expect(text).toContain('"status": "UP"');
  });

  it('is in no list of requests', () => {
    expect(issuer.events.latest('request.completed', 10).filter(({ endpoint }) => endpoint === 'ready')).toEqual([]);
    expect(issuer.events.latest('page.served', 10)).not.toEqual([]);
  });

  it('says DOWN with 503 and the reason while an added check is DOWN, and /health names it and stays UP', async () => {
    let store: ReadyCheck = { name: 'store', state: 'DOWN', detail: 'no connection' };
    readiness.add(() => store);
    expect(await probe('/ready')).toEqual({
      status: 503,
      body: { status: 'DOWN', server: { state: 'UP' }, store: { state: 'DOWN', detail: 'no connection' } },
    });
    expect(await probe('/health')).toEqual({
      status: 200,
      body: { status: 'UP', grantbox, store: { state: 'DOWN', detail: 'no connection' } },
    });
    expect(await probe('/health/ready')).toEqual({
      status: 503,
      body: {
        status: 'DOWN',
        checks: [
          { name: 'server', status: 'UP' },
          { name: 'store', status: 'DOWN', data: { detail: 'no connection' } },
        ],
      },
    });
    expect(await probe('/health/live')).toEqual({ status: 200, body: { status: 'UP', checks: [] } });
    store = { name: 'store', state: 'UP' };
    expect(await probe('/ready')).toMatchObject({ status: 200, body: { status: 'UP', store: { state: 'UP' } } });
  });

  it('says DOWN from the beginning of a drain on, while everything else is still answered', async () => {
    readiness.drain();
    expect(await probe('/ready')).toMatchObject({ status: 503, body: { status: 'DOWN', server: { state: 'DOWN' } } });
    expect((await probe('/health')).status).toBe(200);
    expect((await probe('/tenant/.well-known/openid-configuration')).status).toBe(200);
  });
});
