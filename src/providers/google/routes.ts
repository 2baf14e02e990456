import type { AnyMembers } from '../../base/text/record.ts';
import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import { authorize } from '../../protocol/endpoints/authorize.ts';
import type { EndpointRequest, Reply } from '../../protocol/endpoints/endpoint.ts';
import { userinfo } from '../../protocol/endpoints/userinfo.ts';
import type { PresetPlace } from '../../sandbox/provider.ts';
import { asJson, asPage } from '../../server/http/error-replies.ts';
import type { EndpointRoute } from '../../server/http/route.ts';
import { forClients, ownRoute } from '../own-route.ts';
import { withQueryToken } from '../query-token.ts';
import { certificates } from './certificates.ts';
import { deviceCode, googleToken, revokeToken } from './endpoints.ts';
import { asBearerError } from './error-forms.ts';
import { tokeninfo } from './tokeninfo.ts';

/** Endpoints of Google that are its own, or differ from the usual ones, and older addresses that SDKs still have. */
export function routes({ base, paths }: PresetPlace): readonly EndpointRoute[] {
  const own = ownRoute('Google');
  const tokenRules = { form: asJson, ...forClients, credentials: true } as const;
  const tokenPaths = [paths.token, '/oauth2/v4/token', '/o/oauth2/token'];
  const userinfoPaths = [paths.userinfo, '/oauth2/v3/userinfo'];
  const anyPlace = { form: asJson, ...forClients, body: 'anywhere' } as const;
  const forms = { form: asBearerError, ...forClients } as const;
  return [
    ...tokenPaths.map(path => own('token POST', base + path, 'token endpoint', googleToken, tokenRules)),
    ...userinfoPaths.map(path => own('userinfo GET POST', base + path, 'UserInfo', withQueryToken(userinfo), forms)),
    ...['/oauth2/v2/userinfo', '/oauth2/v1/userinfo'].map(path =>
      own(
        'userinfo GET POST',
        base + path,
        'UserInfo with the older names of its members',
        withQueryToken(olderUserinfo),
        forms,
      ),
    ),
    own('authorize GET POST', `${base}/o/oauth2/auth`, 'authorization endpoint, older address', authorize, {
      form: asPage,
    }),
    own('certs GET', `${base}/oauth2/v1/certs`, 'certificates of the public keys by `kid`', certificates, {
      form: asJson,
      cors: 'anyone',
      constant: true,
    }),
    own('revoke GET POST', base + paths.revoke, 'revocation endpoint', revokeToken, anyPlace),
    own('tokeninfo GET POST', `${base}/tokeninfo`, 'claims of a token, as texts', tokeninfo, anyPlace),
    own('device_authorization POST', base + paths.deviceAuthorization, 'device authorization', deviceCode, {
      form: asJson,
      ...forClients,
      feature: 'device',
    }),
  ];
}

async function olderUserinfo(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  const reply = await userinfo(server, request);
  if (reply.kind !== 'json') return reply;
  const { sub: id, email_verified: verified_email, ...others } = reply.body as AnyMembers; // UserInfo is JSON
  return { ...reply, body: { id, ...others, ...(verified_email === undefined ? {} : { verified_email }) } };
}
