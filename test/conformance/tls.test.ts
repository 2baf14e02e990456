import { type ConnectionOptions, connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { createSandbox } from '../support/bundle.ts';
import { portOf } from '../support/wire.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({ tls: 'self-signed', profile: 'fapi2' });
});
afterAll(() => sandbox.stop());

type Offer = Pick<ConnectionOptions, 'ciphers' | 'minVersion' | 'maxVersion'>;

/** What a client that offers this ends at: version and suite, or the error of the handshake. */
function handshake(offer: Offer): Promise<string> {
  return new Promise(resolve => {
    // OpenSSL would not offer old versions and weak suites at its usual level of security
    const ciphers = `${offer.ciphers ?? 'ALL'}:@SECLEVEL=0`;
    const options = {
      host: '127.0.0.1',
      servername: 'localhost',
      port: portOf(sandbox.url),
      ca: sandbox.tls?.ca ?? '',
    };
    const socket = connect({ ...options, ...offer, ciphers });
    socket.on('secureConnect', () => {
      resolve(`${socket.getProtocol()} ${socket.getCipher().standardName}`);
      socket.destroy();
    });
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  });
}

describe('fapi2-security-profile-final TLS versions and ciphers (RFC 9325)', () => {
  it.each(['TLSv1', 'TLSv1.1'] as const)('refuses %s', async version => {
    const error = await handshake({ minVersion: version, maxVersion: version });
    expect(error).toMatch(/ALERT_PROTOCOL_VERSION/);
  });

  it.each(['TLSv1.2', 'TLSv1.3'] as const)('speaks %s', async version => {
    expect(await handshake({ minVersion: version, maxVersion: version })).toMatch(new RegExp(`^${version} TLS_`));
  });

  it.each(['ECDHE-ECDSA-AES128-GCM-SHA256', 'ECDHE-ECDSA-AES256-GCM-SHA384'])(
    'speaks TLS 1.2 with %s',
    async ciphers => {
      const spoken = await handshake({ ciphers, maxVersion: 'TLSv1.2' });
      expect(spoken).toMatch(/^TLSv1\.2 TLS_ECDHE_ECDSA_WITH_AES_(128|256)_GCM_SHA(256|384)$/);
    },
  );

  it.each([
    ...['ECDHE-ECDSA-AES128-SHA', 'ECDHE-ECDSA-AES256-SHA384', 'ECDHE-RSA-AES128-SHA256', 'ECDHE-RSA-AES256-SHA'],
    ...['AES128-GCM-SHA256', 'AES256-GCM-SHA384', 'AES128-SHA', 'AES256-SHA256', 'DHE-RSA-AES128-SHA'],
    ...['ECDHE-ECDSA-AES128-CCM8', 'ECDHE-ECDSA-CAMELLIA128-SHA256', 'ECDHE-ECDSA-NULL-SHA', 'aNULL'],
  ])('refuses TLS 1.2 with %s', async ciphers => {
    expect(await handshake({ ciphers, maxVersion: 'TLSv1.2' })).toMatch(/HANDSHAKE_FAILURE/);
  });

  it('refuses a client that offers no suite but weak ones, however many', async () => {
    const ciphers = 'ALL:!AESGCM:!CHACHA20';
    expect(await handshake({ ciphers, maxVersion: 'TLSv1.2' })).toMatch(/HANDSHAKE_FAILURE/);
  });
});
