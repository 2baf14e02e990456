import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { get } from 'node:http';
import { request } from 'node:https';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { type Listening, listen } from '../../../src/server/http/listen.ts';
import { createCertificateAuthority } from '../../../src/server/tls/certificate-authority.ts';
import { createClientAuthority } from '../../../src/server/tls/client-authority.ts';
import { peerCertificate } from '../../../src/server/tls/peer-certificate.ts';
import { createSelfSigned, nameConstraints } from '../../../src/server/tls/self-signed.ts';
import type { TlsServerOptions } from '../../../src/server/tls/tls-options.ts';

const made = await createSelfSigned([], new Date());
const other = await createSelfSigned([], new Date());
const clients = await createClientAuthority(new Date());
const otherClients = await createClientAuthority(new Date());
let listening: Listening | undefined;
afterEach(async () => {
  await listening?.close(0);
});

const withClients = { ...made.server, clientCertificates: { ca: [clients.certificate] } };

async function serve(listener: RequestListener, tls: TlsServerOptions = made.server): Promise<number> {
  listening = await listen(listener, 'localhost', 0, { tls });
  return listening.port;
}

function ask(port: number, options: ConnectionOptions = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const call = request({ host: 'localhost', port, ca: made.ca, agent: false, ...options }, response => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve(text));
    });
    call.on('error', reject);
    call.end();
  });
}

describe('a server that speaks HTTPS', () => {
  it.each(['localhost', '127.0.0.1', '::1'])('is trusted with its CA, as %s', async host => {
    const port = await serve((_, response) => response.end('hello'));
    expect(await ask(port, { host })).toBe('hello');
  });

  it('is not trusted without its CA', async () => {
    const port = await serve((_, response) => response.end());
    await expect(ask(port, { ca: other.ca })).rejects.toThrow(/certificate/);
  });

  it('is not trusted with a name its CA may not vouch for', async () => {
    const authority = await createCertificateAuthority({
      commonName: 'narrow',
      now: new Date(),
      extensions: [nameConstraints(['localhost'])],
    });
    const names = [{ type: 'dns', value: 'bank.example' }] as const;
    const forged = await authority.issue({ subject: 'CN=bank', names: [...names], usage: 'server', now: new Date() });
    const port = await serve((_, response) => response.end(), forged);
    await expect(ask(port, { ca: authority.certificate, servername: 'bank.example' })).rejects.toThrow(/subtree/);
  });

  it.each(['TLSv1.2', 'TLSv1.3'] as const)('speaks %s with a suite of BCP 195', async version => {
    const port = await serve((req, response) => response.end((req.socket as TLSSocket).getCipher().standardName));
    const suite = await ask(port, { minVersion: version, maxVersion: version });
    expect(suite).toMatch(version === 'TLSv1.3' ? /^TLS_(AES|CHACHA20)/ : /^TLS_ECDHE_ECDSA_WITH_AES_\d+_GCM_/);
  });

  it.each([
    ['TLS 1.1', { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }],
    ['a suite without forward secrecy', { maxVersion: 'TLSv1.2', ciphers: 'AES128-GCM-SHA256' }],
    ['a suite without authenticated encryption', { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-SHA256' }],
  ] as const)('does not speak %s', async (_, options) => {
    const port = await serve((_, response) => response.end());
    await expect(ask(port, options)).rejects.toThrow();
  });

  it('tells who speaks plain HTTP to write https', async () => {
    const port = await serve((_, response) => response.end());
    const answer = await new Promise<string>((resolve, reject) => {
      get({ host: '127.0.0.1', port, agent: false }, response => {
        response.setEncoding('utf8').on('data', text => resolve(`${response.statusCode} ${text}`));
      }).on('error', reject);
    });
    expect(answer).toBe('400 This port speaks HTTPS: write https:// instead of http:// in the address.\n');
    expect(await ask(port)).toBe('');
  });

  it('only closes the connection on what is neither', async () => {
    const port = await serve((_, response) => response.end());
    const answer = await new Promise<string>(resolve => {
      const socket = connect(port, '127.0.0.1', () => socket.write('\x00\x01\x02 nonsense, and more of it'));
      let text = '';
      socket.on('data', chunk => {
        text += chunk.toString('latin1');
      });
      socket.on('error', () => undefined);
      socket.on('close', () => resolve(text));
    });
    expect(answer).not.toContain('HTTP/1.1');
    expect(await ask(port)).toBe('');
  });

  it('stops while a connection waits that has not begun a handshake', async () => {
    const port = await serve((_, response) => response.end());
    const socket = connect(port, '127.0.0.1');
    const closed = new Promise<void>(resolve => {
      socket.on('error', () => undefined);
      socket.on('close', () => resolve());
    });
    await new Promise(resolve => socket.once('connect', resolve));
    await listening?.close(0.1);
    await closed;
  });
});

describe('the certificate of a client', () => {
  const tell: RequestListener = (req, response) => response.end(JSON.stringify(peerCertificate(req.socket) ?? null));

  it('is not asked for where it is not wanted', async () => {
    const port = await serve(tell);
    expect(await ask(port, await clients.issue())).toBe('null');
  });

  it('can be absent', async () => {
    const port = await serve(tell, withClients);
    expect(await ask(port)).toBe('null');
  });

  it('is trusted when a known CA issued it', async () => {
    const port = await serve(tell, withClients);
    const { isTrusted, thumbprint } = JSON.parse(await ask(port, await clients.issue()));
    expect(isTrusted).toBe(true);
    expect(thumbprint).toMatch(/^[\w-]{43}$/);
  });

  it('is still there when a connection resumes a session', async () => {
    const port = await serve(tell, withClients);
    const { cert, key } = await clients.issue();
    const options = { host: 'localhost', port, ca: made.ca, cert, key, servername: 'localhost' };
    const first = connectTls(options);
    const session = once(first, 'session');
    first.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const [ticket] = await session;
    first.destroy();
    const second = connectTls({ ...options, session: ticket });
    await once(second, 'secureConnect');
    expect(second.isSessionReused()).toBe(true);
    second.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    expect(await text(second)).toContain('"isTrusted":true');
  });

  it('is told, but not trusted, when it is one for servers', async () => {
    const port = await serve(tell, { ...made.server, clientCertificates: { ca: [made.ca] } });
    expect(JSON.parse(await ask(port, made.server))).toMatchObject({ isTrusted: false });
  });

  it('is told, but not trusted, when another CA issued it', async () => {
    const port = await serve(tell, withClients);
    expect(JSON.parse(await ask(port, await otherClients.issue()))).toMatchObject({ isTrusted: false });
  });

  it('is that of the connection whatever a header says', async () => {
    const port = await serve(tell, withClients);
    const { cert } = await clients.issue();
    const answer = await new Promise<string>((resolve, reject) => {
      const headers = {
        'X-Client-Cert': encodeURIComponent(cert),
        'Client-Cert': ':MIIB:',
        'X-SSL-Client-Verify': 'SUCCESS',
      };
      request({ host: 'localhost', port, ca: made.ca, agent: false, headers }, response => {
        response.setEncoding('utf8').on('data', resolve);
      })
        .on('error', reject)
        .end();
    });
    expect(answer).toBe('null');
  });

  it('is not there on a connection without TLS', async () => {
    listening = await listen(tell, '127.0.0.1', 0);
    const answer = await (await fetch(`http://127.0.0.1:${listening.port}/`)).text();
    expect(answer).toBe('null');
  });
});
