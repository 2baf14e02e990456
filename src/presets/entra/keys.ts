import { createHash } from 'node:crypto';
import type { AuthorizationServer } from '../../oauth/authorization-server.ts';
import type { Reply } from '../../oauth/endpoints/endpoint.ts';
import { certificateOf } from './certificate.ts';

/** The keys of the tenant: each with its certificate, and without `alg`. */
export async function tenantKeys(server: AuthorizationServer): Promise<Reply> {
  const { keys } = await server.keys.jwks();
  const rsa = keys.filter(({ kty }) => kty === 'RSA');
  const body = await Promise.all(
    rsa.map(async ({ kid, n, e }) => {
      const certificate = await certificateOf(server, kid);
      const x5t = createHash('sha1').update(certificate).digest('base64url');
      const { host } = new URL(server.issuer);
      const known = { kty: 'RSA', use: 'sig', kid, x5t, n, e, x5c: [certificate.toString('base64')] };
      return { ...known, cloud_instance_name: host, issuer: server.iss };
    }),
  );
  return { kind: 'json', status: 200, body: { keys: body } };
}
