import type { ClaimRule } from '../../protocol/dialects/claim-rules.ts';
import type { ClaimForm, DialectData } from '../../protocol/dialects/dialect-data.ts';
import type { PresetOptions } from '../../sandbox/provider.ts';
import { isOrg, orgId } from './servers.ts';

const login = '${user.login}';

/** The names of groups. A group below another one has the names of both, such as `acme/engineering`. */
const groups: ClaimRule = {
  when: ['user', 'scope.groups'],
  claims: { groups: ['Everyone', '${...user.group_names}'] },
};

/** Tokens, UserInfo and introspection of an authorization server without claims of its own. */
export function formsOf(options: PresetOptions): DialectData['forms'] {
  return {
    accessToken: accessToken(isOrg(options) ? '${issuer}' : 'api://${options.server}'),
    idToken,
    userinfo: {
      omit: [],
      rules: [
        { when: 'scope.profile', claims: { preferred_username: login, zoneinfo: '${user.claims.zoneinfo}' } },
        groups,
      ],
    },
  };
}

/** `aud` is the audience of the authorization server, unless the client or the request names another. */
function accessToken(aud: string): ClaimForm {
  return {
    omit: ['client_id', 'nbf', 'scope', 'sid', 'acr', 'amr', 'azp'],
    rules: [
      {
        claims: {
          ver: 1,
          jti: 'AT.${token.jti}',
          aud,
          cid: '${client.client_id}',
          scp: '${scope_names}',
          sub: '${client.client_id}',
        },
      },
      { claims: { aud: ['${...audience}'] } },
      { when: 'user', claims: { uid: '${token.sub}', sub: login } },
    ],
  };
}

const idToken: ClaimForm = {
  omit: ['azp', 'acr', 'sid'],
  rules: [
    { claims: { ver: 1, jti: 'ID.${ids.token}', idp: orgId, amr: '${session.amr}' } },
    // for an app with single logout
    { when: 'client.frontchannel_logout_uri', claims: { sid: '${session.sid}' } },
    { when: 'client.backchannel_logout_uri', claims: { sid: '${session.sid}' } },
    { when: 'scope.profile', claims: { name: '${user.claims.name}', preferred_username: login } },
    { when: 'scope.email', claims: { email: '${user.claims.email}' } },
    groups,
  ],
};
