import type { ClaimRule } from '../../protocol/dialects/claim-rules.ts';
import type { DialectData } from '../../protocol/dialects/dialect-data.ts';

/** Claims of the user that both kinds of tokens have, but for tokens of Graph. */
const groups: readonly ClaimRule[] = [
  { when: ['user', '!facts.graph'], claims: { roles: '${user.claims.roles}', groups: '${facts.groups}' } },
  { when: ['facts.has_groups', '!facts.graph'], claims: { hasgroups: true } },
  {
    when: ['facts.groups_endpoint', '!facts.graph'],
    claims: { _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: '${facts.groups_endpoint}' } } },
  },
];

const names = {
  name: '${user.claims.name}',
  given_name: '${user.claims.given_name}',
  family_name: '${user.claims.family_name}',
};

const common = { oid: '${facts.oid}', tid: '${facts.tid}', uti: '${facts.uti}' };

const accessTokenRules: readonly ClaimRule[] = [
  { claims: { aud: '${facts.aud}', ...common, scp: '${facts.scp}' } },
  // the pairwise `sub` of an application is the object id of its service principal
  { when: 'facts.app', claims: { sub: '${facts.oid}', idtyp: 'app' } },
  {
    when: '!facts.first',
    claims: { azp: '${client.client_id}', azpacr: '${facts.azpacr}', ver: '2.0' },
  },
  { when: ['user', '!facts.first'], claims: { name: names.name, preferred_username: '${facts.upn}' } },
  {
    when: 'facts.first',
    claims: {
      iss: '${facts.first_issuer}',
      appid: '${client.client_id}',
      appidacr: '${facts.azpacr}',
      ver: '1.0',
    },
  },
  {
    when: ['user', 'facts.first'],
    claims: { acr: '1', amr: ['pwd'], ...names, unique_name: '${facts.upn}', upn: '${facts.upn}' },
  },
  ...groups,
];

const idTokenRules: readonly ClaimRule[] = [
  { claims: { ...common, nbf: '${token.iat}', name: names.name, ver: '2.0' } },
  { when: '!facts.first_endpoint', claims: { preferred_username: '${facts.upn}' } },
  { when: ['user', 'scope.email'], claims: { email: '${user.claims.email}' } },
  { when: 'facts.front', claims: { at_hash: '${token.at_hash}' } },
  {
    when: 'facts.first_endpoint',
    claims: {
      iss: '${facts.first_issuer}',
      ver: '1.0',
      amr: ['pwd'],
      ...names,
      unique_name: '${facts.upn}',
      upn: '${facts.upn}',
    },
  },
  ...groups,
];

/** Tokens, UserInfo and the token response of Entra ID. */
export const forms: DialectData['forms'] = {
  accessToken: {
    omit: ['client_id', 'scope', 'jti', 'auth_time', 'acr', 'amr', 'aud'],
    rules: accessTokenRules,
  },
  idToken: { omit: ['azp', 'acr', 'amr', 'at_hash'], rules: idTokenRules },
  userinfo: {
    omit: ['preferred_username', 'email_verified'],
    rules: [
      { when: 'scope.profile', claims: { ...names, picture: '${facts.address}/v1.0/me/photo/$value' } },
      { when: 'scope.email', claims: { email: '${user.claims.email}' } },
    ],
  },
  tokenResponse: {
    omit: ['scope'],
    rules: [
      {
        claims: {
          scope: '${facts.scope}',
          ext_expires_in: '${token.expires_in}',
          client_info: '${facts.client_info}',
        },
      },
      // numbers are texts there
      { when: 'facts.first_endpoint', claims: { resource: '${facts.aud}', '...': '${facts.times}' } },
    ],
  },
};
