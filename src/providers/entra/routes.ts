import { authorize } from '../../protocol/endpoints/authorize.ts';
import { userinfo } from '../../protocol/endpoints/userinfo.ts';
import type { PresetPlace } from '../../sandbox/provider.ts';
import type { EndpointFunction } from '../../server/http/adapter.ts';
import { asChallenge, asJson, asPage } from '../../server/http/error-replies.ts';
import type { EndpointRoute } from '../../server/http/route.ts';
import { forClients, ownRoute } from '../own-route.ts';
import { authorityMetadata, firstMetadata, instanceDiscovery } from './documents.ts';
import { deviceCode, firstAuthorize, logout, tenantKeys } from './endpoints.ts';
import { asGraphError } from './graph-errors.ts';
import { rootOf } from './places.ts';
import { requireTenant } from './tenant.ts';
import { firstTokenEndpoint, tokenEndpoint } from './token-endpoint.ts';

const own = ownRoute('Entra ID');
const open = { form: asJson, cors: 'anyone', constant: true } as const;
const page = { form: asPage } as const;
const called = { form: asJson, ...forClients, credentials: true } as const;

const graph = { form: asGraphError, ...forClients, body: 'json' } as const;

/** Loaded with the first call. */
const graphCall: EndpointFunction = async (server, request) =>
  (await import('./graph/graph.ts')).answerGraph(server, request);

/** Endpoints of a tenant, by its GUID and by its other names, in both versions. */
export function routes(place: PresetPlace): readonly EndpointRoute[] {
  const { base } = place;
  const root = rootOf(place);
  return [
    ...metadataRoutes(base, root),
    ...endpointsAt(base),
    // a name in the path is another name of this tenant, or of none
    ...endpointsAt(`${root}/:tenant`),
    ...userinfoRoutes(base, root),
    // Graph has another host at Microsoft; below the tenant, each of several tenants has its own
    ...[root, base].map(at =>
      own('graph GET POST PUT DELETE', `${at}/v1.0/*call`, 'Microsoft Graph', graphCall, graph),
    ),
  ];
}

function metadataRoutes(base: string, root: string): readonly EndpointRoute[] {
  const document = '.well-known/openid-configuration';
  const named = `${root}/:tenant`;
  return [
    own('discovery GET', `${named}/v2.0/${document}`, 'metadata of version 2.0', authorityMetadata, open),
    ...[base, named].map(at =>
      own('discovery GET', `${at}/${document}`, 'metadata of version 1.0', firstMetadata, open),
    ),
    own('instances GET', `${root}/common/discovery/instance`, 'the clouds that SDKs may trust', instanceDiscovery, {
      form: asJson,
      cors: 'anyone',
    }),
  ];
}

function endpointsAt(at: string): readonly EndpointRoute[] {
  return [
    own('jwks GET', `${at}/discovery/v2.0/keys`, 'public keys with certificates', keys, open),
    own('jwks GET', `${at}/discovery/keys`, 'public keys, version 1.0', keys, open),
    own('authorize GET POST', `${at}/oauth2/v2.0/authorize`, 'authorization endpoint', ofTenant(authorize), page),
    own('authorize GET POST', `${at}/oauth2/authorize`, 'authorization endpoint, version 1.0', firstAuthorize, page),
    own('token POST', `${at}/oauth2/v2.0/token`, 'token endpoint', tokenEndpoint, called),
    own('token POST', `${at}/oauth2/token`, 'token endpoint, version 1.0', firstTokenEndpoint, called),
    ...['/oauth2/v2.0/devicecode', '/oauth2/devicecode'].map(path =>
      own('device_authorization POST', at + path, 'device authorization', deviceCode, { ...called, feature: 'device' }),
    ),
    ...['/oauth2/v2.0/logout', '/oauth2/logout'].map(path =>
      own('end_session GET POST', at + path, 'logout', logout, page),
    ),
  ];
}

function userinfoRoutes(base: string, root: string): readonly EndpointRoute[] {
  return [`${base}/openid/userinfo`, `${root}/oidc/userinfo`].map(path =>
    own('userinfo GET POST', path, 'UserInfo', userinfo, { form: asChallenge, ...forClients }),
  );
}

const keys = ofTenant(tenantKeys);

/** An endpoint that refuses the names of other tenants. */
function ofTenant(endpoint: EndpointFunction): EndpointFunction {
  return async (server, request) => {
    await requireTenant(server, request);
    return endpoint(server, request);
  };
}
