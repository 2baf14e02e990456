import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ClientCertificate } from '../../../src/protocol/authorization.ts';
import type { RegisteredClient } from '../../../src/protocol/clients/client.ts';
import { token } from '../../../src/protocol/endpoints/token.ts';
import { featureNames } from '../../../src/protocol/feature.ts';
import { type ClientCertificateOptions, createClientAuthority } from '../../../src/server/tls/client-authority.ts';
import { createTestServer, eventsOf, refusal, sensor, type TestServerOptions } from '../../support/server.ts';

const authority = await createClientAuthority(new Date());

/** A certificate as a connection shows it. */
async function certificate(options: ClientCertificateOptions = {}, isTrusted = true): Promise<ClientCertificate> {
  const { raw } = new X509Certificate((await authority.issue(options)).cert);
  return { der: raw.toString('base64'), thumbprint: 'the thumbprint', isTrusted };
}

function jwkOf({ der }: ClientCertificate): Record<string, unknown> {
  return { ...new X509Certificate(Buffer.from(der, 'base64')).publicKey.export({ format: 'jwk' }) };
}

const { client_secret: _, ...withoutSecret } = sensor;

function robot(changes: Partial<RegisteredClient>): RegisteredClient {
  return { ...withoutSecret, client_id: 'robot', token_endpoint_auth_methods: ['tls_client_auth'], ...changes };
}

/** A token request of the robot, over a connection with this certificate. */
async function ask(
  client: RegisteredClient,
  certificate: ClientCertificate | undefined,
  { parameters = {}, ...options }: TestServerOptions & { parameters?: Record<string, string> } = {},
) {
  const it = createTestServer({ clients: [client], ...options });
  const request = it.request(
    { grant_type: 'client_credentials', client_id: 'robot', ...parameters },
    certificate === undefined ? {} : { certificate },
  );
  return { it, reply: await token(it.server, request) };
}

const shown = await certificate({ subject_dn: 'CN=anything' }, false);
const another = await certificate({ subject_dn: 'CN=anything' }, false);
const bySubject = robot({ tls_client_auth_subject_dn: 'CN=robot,O=Example' });
const robotCertificate = await certificate({ subject_dn: 'CN=robot,O=Example' });

describe('tls_client_auth', () => {
  it('is proven by a certificate of a trusted CA with the registered subject', async () => {
    const { it: at, reply } = await ask(bySubject, robotCertificate);
    expect(reply).toMatchObject({ kind: 'json', status: 200, body: { token_type: 'Bearer' } });
    expect(eventsOf(at.events, 'client.authenticated')).toMatchObject([
      { client_id: 'robot', method: 'tls_client_auth' },
    ]);
  });

  it.each([
    ['san_dns', 'Robot.example', 'robot.example'],
    ['san_uri', 'spiffe://example/robot', 'spiffe://example/robot'],
    ['san_ip', '::1', '0:0:0:0:0:0:0:1'],
    ['san_email', 'robot@example.com', 'robot@EXAMPLE.com'],
  ] as const)('is proven by the registered %s', async (kind, inCertificate, registered) => {
    const named = await certificate({ subject_dn: 'CN=somebody', [kind]: inCertificate });
    const { reply } = await ask(robot({ [`tls_client_auth_${kind}`]: registered }), named);
    expect(reply).toMatchObject({ status: 200 });
  });

  it.each([
    ['another subject', bySubject, { subject_dn: 'CN=robot,O=Another' }, 'CN=robot,O=Another'],
    ['a longer subject', bySubject, { subject_dn: 'OU=x,CN=robot,O=Example' }, 'OU=x,CN=robot,O=Example'],
    ['another DNS name', robot({ tls_client_auth_san_dns: 'a.example' }), { san_dns: 'b.example' }, 'b.example'],
    ['no DNS name', robot({ tls_client_auth_san_dns: 'a.example' }), { subject_dn: 'CN=a.example' }, 'none'],
    ['the name as another kind', robot({ tls_client_auth_san_dns: 'a.example' }), { san_email: 'a.example' }, 'none'],
    ['a wildcard', robot({ tls_client_auth_san_dns: 'a.example' }), { san_dns: '*.example' }, '*.example'],
  ] as const)('is not proven by a certificate with %s', async (_, client, options, sent) => {
    const error = await refusal(ask(client, await certificate(options)));
    expect(error).toMatchObject({ code: 'invalid_client', status: 401, reason: 'certificate_subject_mismatch' });
    expect(error.details).toMatchObject({ client_id: 'robot', sent });
  });

  it('is not proven by a certificate of a CA nobody trusts', async () => {
    const error = await refusal(ask(bySubject, { ...robotCertificate, isTrusted: false }));
    expect(error).toMatchObject({ code: 'invalid_client', reason: 'certificate_untrusted' });
    expect(error.details.sent).toBe('a certificate of CN=robot,O=Example');
  });

  it('is not proven without a certificate', async () => {
    const error = await refusal(ask(bySubject, undefined));
    expect(error).toMatchObject({ code: 'invalid_client', reason: 'certificate_missing' });
  });

  it('is not proven by a secret', async () => {
    const parameters = { client_secret: 'a secret' };
    const error = await refusal(ask(bySubject, robotCertificate, { parameters }));
    expect(error).toMatchObject({ code: 'invalid_client', reason: 'authentication_method_not_registered' });
  });

  it('means nothing where the feature is off', async () => {
    const features = new Set(featureNames.filter(name => name !== 'mtls'));
    const error = await refusal(ask(bySubject, robotCertificate, { features }));
    expect(error).toMatchObject({ code: 'invalid_client', reason: 'client_secret_missing' });
  });
});

describe('self_signed_tls_client_auth', () => {
  const selfSigned = (keys: readonly Record<string, unknown>[]) =>
    robot({ token_endpoint_auth_methods: ['self_signed_tls_client_auth'], jwks: { keys } });

  it.each([
    ['a certificate in x5c', [{ ...jwkOf(shown), x5c: [shown.der] }]],
    ['a public key', [{ kty: 'oct' }, jwkOf(another), jwkOf(shown)]],
  ])('is proven by %s of the jwks, with any issuer', async (_, keys) => {
    const { it: at, reply } = await ask(selfSigned(keys), shown);
    expect(reply).toMatchObject({ status: 200 });
    expect(eventsOf(at.events, 'client.authenticated')).toMatchObject([{ method: 'self_signed_tls_client_auth' }]);
  });

  it.each([
    ['another certificate', [{ ...jwkOf(another), x5c: [another.der] }]],
    ['another certificate behind the one', [{ ...jwkOf(another), x5c: [another.der, shown.der] }]],
    ['its key with another certificate', [{ ...jwkOf(shown), x5c: [another.der] }]],
    ['another key', [jwkOf(another)]],
    ['no key', []],
    ['what is no key', [{ kty: 'EC', crv: 'P-256', x: 1 }, { x5c: [] }, { x5c: [1] }]],
  ])('is not proven where the jwks have %s', async (_, keys) => {
    const error = await refusal(ask(selfSigned(keys), shown));
    expect(error).toMatchObject({ code: 'invalid_client', reason: 'certificate_not_registered' });
    expect(error.details.client_id).toBe('robot');
  });

  it('is proven by a key at the jwks_uri', async () => {
    const client = robot({
      token_endpoint_auth_methods: ['self_signed_tls_client_auth'],
      jwks_uri: 'https://robot.example/jwks',
    });
    const body = JSON.stringify({ keys: [jwkOf(shown)] });
    const get = async () => ({ status: 200, headers: {}, body, milliseconds: 1 });
    const { reply } = await ask(client, shown, { outbound: { get, post: get } });
    expect(reply).toMatchObject({ status: 200 });
    expect(await refusal(ask(client, shown))).toMatchObject({ reason: 'client_keys_unavailable' });
  });
});

describe('a client that is registered for both', () => {
  const both = robot({
    token_endpoint_auth_methods: ['tls_client_auth', 'self_signed_tls_client_auth'],
    tls_client_auth_subject_dn: 'CN=robot,O=Example',
    jwks: { keys: [] },
  });

  it('may use either', async () => {
    const { it: at } = await ask(both, robotCertificate);
    expect(eventsOf(at.events, 'client.authenticated')).toMatchObject([{ method: 'tls_client_auth' }]);
  });
});
