import type { AuthorizationServer } from '../../oauth/authorization-server.ts';
import type { Reply } from '../../oauth/endpoints/endpoint.ts';
import { certifiedKeys } from '../../oauth/tokens/key-certificate.ts';

/** The keys of the tenant: each with its certificate, and without `alg`. */
export async function tenantKeys(server: AuthorizationServer): Promise<Reply> {
  const { keys } = await certifiedKeys(server);
  const { host } = new URL(server.issuer);
  const body = keys
    .filter(({ kty }) => kty === 'RSA')
    .map(({ kid, n, e, x5t, x5c }) => {
      const known = { kty: 'RSA', use: 'sig', kid, x5t, n, e, x5c };
      return { ...known, cloud_instance_name: host, issuer: server.iss };
    });
  return { kind: 'json', status: 200, body: { keys: body } };
}
