import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { OutboundError } from '../../../src/protocol/outbound.ts';
import { createOutbound, type OutboundReach } from '../../../src/server/outbound/outbound.ts';
import { createSelfSigned } from '../../../src/server/tls/self-signed.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** A resolver that knows these names and counts how often it is asked. */
function resolver(names: Readonly<Record<string, readonly string[]>>) {
  const asked: string[] = [];
  const resolve = async (host: string) => {
    asked.push(host);
    return names[host] ?? [];
  };
  return { asked, resolve };
}

async function refused(work: Promise<unknown>): Promise<OutboundError> {
  const outcome = await work.then(
    value => new Error(`not refused: ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
  if (outcome instanceof OutboundError) return outcome;
  throw outcome;
}

const local = createOutbound({ reach: 'loopback' });

describe('a call', () => {
  it('gets status, headers and body', async () => {
    const port = await serve((req, res) => {
      res.writeHead(203, { 'X-Kind': ['one', 'two'], 'Content-Type': 'text/plain' }).end(`${req.method} ${req.url} ü`);
    });
    const answer = await local.get(`http://127.0.0.1:${port}/keys?a=b#c`);
    expect(answer).toMatchObject({ status: 203, body: 'GET /keys?a=b ü' });
    expect(answer.headers).toMatchObject({ 'x-kind': 'one', 'content-type': 'text/plain' });
    expect(answer.milliseconds).toBeGreaterThan(0);
  });

  it('posts a body with its headers', async () => {
    const port = await serve(async (req, res) => {
      const chunks = await req.toArray();
      res.end(`${req.headers['content-type']} ${req.headers['content-length']} ${Buffer.concat(chunks)}`);
    });
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const answer = await local.post(`http://127.0.0.1:${port}/`, 'logout_token=ä', { headers });
    expect(answer.body).toBe('application/x-www-form-urlencoded 15 logout_token=ä');
  });

  it('follows no redirect', async () => {
    let calls = 0;
    const port = await serve((_req, res) => {
      calls++;
      res.writeHead(302, { Location: '/elsewhere' }).end();
    });
    const answer = await local.get(`http://127.0.0.1:${port}/`);
    expect(answer).toMatchObject({ status: 302, headers: { location: '/elsewhere' } });
    expect(calls).toBe(1);
  });

  it('keeps no connection', async () => {
    const port = await serve((req, res) => res.end(req.headers.connection));
    expect((await local.get(`http://127.0.0.1:${port}/`)).body).toBe('close');
  });

  it('names the host, and connects to the address that was checked', async () => {
    const port = await serve((req, res) => res.end(req.headers.host));
    const { resolve, asked } = resolver({ 'keys.test': ['127.0.0.1'] });
    const answer = await createOutbound({ reach: 'loopback', resolve }).get(`http://keys.test:${port}/`);
    expect(answer.body).toBe(`keys.test:${port}`);
    expect(asked).toEqual(['keys.test']);
  });

  it('resolves once, so that a name cannot change between check and connection', async () => {
    const port = await serve((_req, res) => res.end('ours'));
    const answers = [['127.0.0.1'], ['169.254.169.254']];
    const outbound = createOutbound({ reach: 'loopback', resolve: async () => answers.shift() ?? [] });
    expect((await outbound.get(`http://rebinding.test:${port}/`)).body).toBe('ours');
    expect(answers).toEqual([['169.254.169.254']]);
  });

  it('leaves out the addresses that may not be reached', async () => {
    const port = await serve((_req, res) => res.end('ours'));
    const { resolve } = resolver({ 'mixed.test': ['169.254.169.254', '10.0.0.1', '127.0.0.1'] });
    const answer = await createOutbound({ reach: 'loopback', resolve }).get(`http://mixed.test:${port}/`);
    expect(answer.body).toBe('ours');
  });
});

describe('a call over TLS', () => {
  it('trusts the authority it is given, for the names in the certificate', async () => {
    const { server: certified, ca } = await createSelfSigned(['keys.test'], new Date());
    const server = createTlsServer(certified, (_req, res) => res.end('safe')).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { resolve } = resolver({ 'keys.test': ['127.0.0.1'], 'other.test': ['127.0.0.1'] });
    const trusting = createOutbound({ reach: 'loopback', resolve, ca });
    expect((await trusting.get(`https://keys.test:${port}/`)).body).toBe('safe');
    expect((await refused(trusting.get(`https://other.test:${port}/`))).message).toMatch(
      'ERR_TLS_CERT_ALTNAME_INVALID',
    );
    const strange = await refused(createOutbound({ reach: 'loopback', resolve }).get(`https://keys.test:${port}/`));
    expect(strange).toMatchObject({ failure: 'unreachable', message: expect.stringMatching(/CERT|ISSUER|SIGN/) });
  });
});

describe('a call is refused', () => {
  it.each([
    'ftp://127.0.0.1/',
    'file:///etc/passwd',
    'data:text/plain,x',
    'http://user@127.0.0.1/',
    'http://:secret@127.0.0.1/',
    '//127.0.0.1/',
    '/keys',
    'http://',
    '',
  ])('for the URL %j', async url => {
    expect((await refused(local.get(url))).failure).toBe('url_invalid');
  });

  const nowhere: Record<OutboundReach, string[]> = {
    loopback: [
      'http://10.0.0.1/',
      'http://192.168.0.1/',
      'http://[fd00::1]/',
      'http://8.8.8.8/',
      'http://[::ffff:10.0.0.1]/',
    ],
    private: ['http://8.8.8.8/', 'http://[2606:4700::1111]/', 'http://[::ffff:8.8.8.8]/'],
    any: [
      'http://0.0.0.0/',
      'http://0/',
      'http://[::]/',
      'http://169.254.169.254/latest/meta-data/',
      'http://2852039166/',
      'http://0xa9fea9fe/',
      'http://0xa9.0xfe.0xa9.0xfe/',
      'http://0251.0376.0251.0376/',
      'http://169.254.43518/',
      'http://[::ffff:169.254.169.254]/',
      'http://[::ffff:a9fe:a9fe]/',
      'http://[fe80::1]/',
      'http://[fd00:ec2::254]/',
      'http://100.100.100.200/',
      'http://224.0.0.1/',
    ],
  };
  const rows = Object.entries(nowhere).flatMap(([reach, urls]) =>
    urls.map(url => [reach as OutboundReach, url] as const),
  );

  it.each(rows)('with OUTBOUND=%s to %s, before anything is resolved', async (reach, url) => {
    const { resolve, asked } = resolver({});
    expect((await refused(createOutbound({ reach, resolve }).get(url))).failure).toBe('address_forbidden');
    expect(asked).toEqual([]);
  });

  it.each([
    ['loopback', '10.1.2.3', /10\.1\.2\.3 is a private address, which OUTBOUND=private allows/],
    ['loopback', '8.8.8.8', /8\.8\.8\.8 is a public address, which OUTBOUND=any allows/],
    ['private', '8.8.8.8', /which OUTBOUND=any allows/],
    ['any', '169.254.169.254', /link-local, a metadata service or otherwise special/],
    ['any', 'fe80::1%eth0', /link-local/],
    ['any', '::ffff:a9fe:a9fe', /link-local/],
  ] as const)('with OUTBOUND=%s to a name of %s, and told why', async (reach, address, why) => {
    const { resolve } = resolver({ 'name.test': [address] });
    const error = await refused(createOutbound({ reach, resolve }).get('http://name.test/'));
    expect(error.failure).toBe('address_forbidden');
    expect(error.message).toMatch(why);
  });
});

describe('a call fails', () => {
  it('where the name has no address', async () => {
    const { resolve } = resolver({});
    expect((await refused(createOutbound({ reach: 'any', resolve }).get('http://none.test/'))).failure).toBe(
      'unreachable',
    );
  });

  it('where the name cannot be resolved', async () => {
    const resolve = async () => {
      throw Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' });
    };
    const error = await refused(createOutbound({ reach: 'any', resolve }).get('http://none.test/'));
    expect(error).toMatchObject({ failure: 'unreachable', message: 'none.test could not be reached: ENOTFOUND' });
  });

  it('where nobody listens', async () => {
    const port = await serve(() => {});
    for (const server of servers.splice(0)) server.close();
    const error = await refused(local.get(`http://127.0.0.1:${port}/`));
    expect(error).toMatchObject({ failure: 'unreachable', message: expect.stringContaining('ECONNREFUSED') });
  });

  it('where the connection is cut in the middle of the body', async () => {
    const port = await serve((_req, res) => {
      res.writeHead(200, { 'Content-Length': 100 }).write('half', () => res.destroy());
    });
    expect((await refused(local.get(`http://127.0.0.1:${port}/`))).failure).toBe('unreachable');
  });

  it.each([
    ['says so', { 'Content-Length': 2000 }],
    ['does not say so', {}],
  ])('where the body is too large and %s', async (_how, headers) => {
    const port = await serve((_req, res) => res.writeHead(200, headers).end('x'.repeat(2000)));
    const error = await refused(local.get(`http://127.0.0.1:${port}/`, { maxBytes: 1999 }));
    expect(error).toMatchObject({ failure: 'too_large', message: 'the response has more than 1999 bytes' });
  });

  it('beyond 64 KiB where nothing is said, and not at 64 KiB', async () => {
    const port = await serve((req, res) => res.end('x'.repeat(req.url === '/more' ? 65_537 : 65_536)));
    expect((await local.get(`http://127.0.0.1:${port}/`)).body.length).toBe(65_536);
    expect((await refused(local.get(`http://127.0.0.1:${port}/more`))).failure).toBe('too_large');
  });

  const hanging: [string, RequestListener][] = [
    ['no answer', () => {}],
    ['no body', (_req, res) => void res.writeHead(200).flushHeaders()],
    [
      'a body without end',
      (_req, res) => {
        const timer = setInterval(() => res.write('x'), 10);
        res.on('close', () => clearInterval(timer));
      },
    ],
  ];
  it.each(hanging)('in time where there is %s', async (_what, listener) => {
    const port = await serve(listener);
    const error = await refused(createOutbound({ reach: 'loopback', timeoutMs: 100 }).get(`http://127.0.0.1:${port}/`));
    expect(error).toMatchObject({ failure: 'timeout', message: expect.stringContaining('within 100 ms') });
  });

  it.each([
    ['sooner where the caller has less patience', 5000, 50, 50],
    ['no later where the caller has more', 50, 5000, 50],
  ])('%s', async (_what, settings, asked, waited) => {
    const port = await serve(() => {});
    const patient = createOutbound({ reach: 'loopback', timeoutMs: settings });
    const error = await refused(patient.post(`http://127.0.0.1:${port}/`, '', { timeoutMs: asked }));
    expect(error.message).toContain(`within ${waited} ms`);
  });

  it('in time where the name server says nothing', async () => {
    const resolve = () => new Promise<string[]>(() => {});
    const error = await refused(createOutbound({ reach: 'any', resolve, timeoutMs: 50 }).get('http://slow.test/'));
    expect(error.failure).toBe('timeout');
  });
});
