import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import type { Reply } from '../../protocol/endpoints/endpoint.ts';
import { certifiedKeys } from '../../protocol/tokens/key-certificate.ts';

/** The keys as X.509 certificates in PEM (RFC 7468 §5), by `kid`. */
export async function certificates(server: AuthorizationServer): Promise<Reply> {
  const { keys } = await certifiedKeys(server);
  const pems = keys.flatMap(({ kid, kty, x5c }) => (kty === 'RSA' && x5c ? [[kid, pemOf(x5c[0])] as const] : []));
  return { kind: 'json', status: 200, body: Object.fromEntries(pems) };
}

function pemOf(der = ''): string {
  const lines = der.match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}
