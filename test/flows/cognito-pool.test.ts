import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { createSandbox } from '../support/bundle.ts';
import { pool, redirect_uri } from '../support/cognito.ts';
import { createDpopKey, type DpopKey } from '../support/dpop.ts';
import { frontChannel, postForm, verifier } from '../support/preset-login.ts';
import { type PoolAnswer, secretHash, send, signed, totpAt } from '../support/user-pool.ts';

const UserPoolId = 'eu-west-1_Shop1';
const ClientId = 'spa';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({
    ...pool,
    users: [...pool.users, { sub: 'open' }],
  });
});
afterAll(() => sandbox.stop());

const act = (action: string, input: unknown, headers?: Record<string, string>) =>
  send(sandbox.url, action, input, headers);
const admin = (action: string, input: object) => act(action, { UserPoolId, ...input }, signed);

const login = (USERNAME: string, PASSWORD: string, more: object = {}) =>
  act('InitiateAuth', { AuthFlow: 'USER_PASSWORD_AUTH', ClientId, AuthParameters: { USERNAME, PASSWORD }, ...more });

interface Result {
  readonly AccessToken: string;
  readonly IdToken: string;
  readonly RefreshToken: string;
  readonly ExpiresIn: number;
  readonly TokenType: string;
}

async function resultOf(answer: Promise<PoolAnswer>): Promise<Result> {
  const { status, body } = await answer;
  expect(body).toHaveProperty('AuthenticationResult');
  expect(status).toBe(200);
  return body.AuthenticationResult as Result; // asserted above
}

const error = (__type: string, message: unknown = expect.any(String)) => ({ status: 400, body: { __type, message } });
const respond = (ChallengeName: string, Session: unknown, ChallengeResponses: object, client = ClientId) =>
  act('RespondToAuthChallenge', { ClientId: client, ChallengeName, Session, ChallengeResponses });

describe('a login by the user pool API', () => {
  it('answers a password with tokens that the pool and its UserInfo know', async () => {
    const { AccessToken, IdToken, RefreshToken, ...rest } = await resultOf(login('alice', 'Alice-password-1'));
    expect(rest).toEqual({ ExpiresIn: 3600, TokenType: 'Bearer' });
    expect(decodeJwt(AccessToken)).toMatchObject({
      ...{ token_use: 'access', scope: 'aws.cognito.signin.user.admin', username: 'alice', client_id: ClientId },
      ...{ 'cognito:groups': ['admins', 'acme/engineering'], origin_jti: decodeJwt(IdToken).origin_jti },
    });
    expect(decodeJwt(IdToken)).toMatchObject({
      token_use: 'id',
      aud: ClientId,
      name: 'Alice Archer',
      'custom:plan': 'gold',
    });
    expect(decodeJwt(IdToken)).not.toHaveProperty('at_hash');
    expect(RefreshToken).toEqual(expect.any(String));
    const userinfo = await fetch(`${sandbox.url}/oauth2/userInfo`, {
      headers: { authorization: `Bearer ${AccessToken}` },
    });
    expect(userinfo.status).toBe(403); // without the scope openid
    const { status, body } = await act('GetUser', { AccessToken });
    expect(status).toBe(200);
    expect(body.Username).toBe('alice');
    expect(body.UserAttributes).toContainEqual({ Name: 'email_verified', Value: 'true' });
  });

  it('takes an e-mail address in place of the username', async () => {
    const { AccessToken } = await resultOf(login('alice@example.com', 'Alice-password-1'));
    expect(decodeJwt(AccessToken).username).toBe('alice');
  });

  it('refreshes tokens, also those of the hosted UI, and answers without a refresh token', async () => {
    const first = await resultOf(login('alice', 'Alice-password-1'));
    const AuthParameters = { REFRESH_TOKEN: first.RefreshToken };
    const again = await resultOf(act('InitiateAuth', { AuthFlow: 'REFRESH_TOKEN_AUTH', ClientId, AuthParameters }));
    expect(Object.keys(again).sort()).toEqual(['AccessToken', 'ExpiresIn', 'IdToken', 'TokenType']);
    expect(decodeJwt(again.AccessToken).origin_jti).toBe(decodeJwt(first.AccessToken).origin_jti);
    const other = await resultOf(act('GetTokensFromRefreshToken', { ClientId, RefreshToken: first.RefreshToken }));
    expect(decodeJwt(other.IdToken)).toMatchObject({ token_use: 'id', name: 'Alice Archer' });
  });

  it('asks a user with a temporary password for another one', async () => {
    await admin('AdminCreateUser', {
      ...{
        Username: 'dave',
        TemporaryPassword: 'Temporary-1!',
        UserAttributes: [{ Name: 'email', Value: 'dave@example.com' }],
      },
    });
    const { body } = await login('dave', 'Temporary-1!');
    expect(body).toMatchObject({ ChallengeName: 'NEW_PASSWORD_REQUIRED', Session: expect.any(String) });
    expect(body.ChallengeParameters).toMatchObject({ userAttributes: '{"email":"dave@example.com"}' });
    const answer = { USERNAME: 'dave', NEW_PASSWORD: 'New-password-1', 'userAttributes.name': 'Dave' };
    expect(await respond('NEW_PASSWORD_REQUIRED', body.Session, { ...answer, NEW_PASSWORD: 'short' })).toEqual(
      error('InvalidPasswordException', 'Password did not conform with policy: Password not long enough'),
    );
    const result = await resultOf(respond('NEW_PASSWORD_REQUIRED', body.Session, answer));
    expect(decodeJwt(result.IdToken)).toMatchObject({ 'cognito:username': 'dave', name: 'Dave' });
    expect(await respond('NEW_PASSWORD_REQUIRED', body.Session, answer)).toEqual(
      error('NotAuthorizedException', 'Invalid session for the user.'),
    );
    await resultOf(login('dave', 'New-password-1'));
  });

  it('asks a user with a TOTP secret for a code', async () => {
    const carol = { sub: 'carol', password: 'Carol-password-1', claims: { totp_secret: 'JBSWY3DPEHPK3PXP' } };
    await using fixed = await createSandbox({ ...pool, users: [carol] }, { now: () => now });
    const input = { AuthFlow: 'USER_PASSWORD_AUTH', ClientId };
    const AuthParameters = { USERNAME: 'carol', PASSWORD: 'Carol-password-1' };
    const { body } = await send(fixed.url, 'InitiateAuth', { ...input, AuthParameters });
    expect(body.ChallengeName).toBe('SOFTWARE_TOKEN_MFA');
    const answer = (SOFTWARE_TOKEN_MFA_CODE: string) =>
      send(fixed.url, 'RespondToAuthChallenge', {
        ...{ ClientId, ChallengeName: 'SOFTWARE_TOKEN_MFA', Session: body.Session },
        ChallengeResponses: { USERNAME: 'carol', SOFTWARE_TOKEN_MFA_CODE },
      });
    for (const code of [codeAt(now - 90), codeAt(now + 90), ''])
      expect(await answer(code)).toMatchObject({ status: 400 });
    expect(await answer('x')).toEqual(error('CodeMismatchException', 'Invalid code received for user'));
    const { AccessToken } = await resultOf(answer(codeAt(now - 30)));
    const user = await send(fixed.url, 'GetUser', { AccessToken });
    expect(user.body).toMatchObject({ UserMFASettingList: ['SOFTWARE_TOKEN_MFA'] });
    expect(JSON.stringify([user, decodeJwt(AccessToken)])).not.toContain('JBSWY3DPEHPK3PXP');
  });

  it('counts wrong passwords', async () => {
    const wrong = () => login('bob', 'x');
    for (let guess = 0; guess < 20; guess++)
      expect(await wrong()).toEqual(error('NotAuthorizedException', 'Incorrect username or password.'));
    expect(await wrong()).toEqual(error('NotAuthorizedException', 'Password attempts exceeded'));
  });

  it('checks the hash of the secret of a confidential client', async () => {
    const begin = (SECRET_HASH?: string) =>
      act('InitiateAuth', {
        ...{ AuthFlow: 'USER_PASSWORD_AUTH', ClientId: 'back-end' },
        AuthParameters: { USERNAME: 'alice', PASSWORD: 'Alice-password-1', ...(SECRET_HASH && { SECRET_HASH }) },
      });
    const { RefreshToken } = await resultOf(begin(secretHash('alice', 'back-end', 'back-end-secret')));
    const message = 'Client back-end is configured with secret but SECRET_HASH was not received';
    expect(await begin()).toEqual(error('NotAuthorizedException', message));
    expect(await begin(secretHash('bob', 'back-end', 'back-end-secret'))).toEqual(
      error('NotAuthorizedException', 'SecretHash does not match for the client: back-end'),
    );
    const refresh = (ClientSecret?: string) =>
      act('GetTokensFromRefreshToken', { ClientId: 'back-end', RefreshToken, ...(ClientSecret && { ClientSecret }) });
    await resultOf(refresh('back-end-secret'));
    expect(await refresh('x')).toEqual(error('NotAuthorizedException', 'Invalid client secret'));
    expect(await refresh()).toEqual(error('NotAuthorizedException', 'Invalid client secret'));
  });

  it('serves the flows of a back end that signs its requests', async () => {
    const input = { UserPoolId, ClientId, AuthFlow: 'ADMIN_USER_PASSWORD_AUTH' };
    const AuthParameters = { USERNAME: 'alice', PASSWORD: 'Alice-password-1' };
    await resultOf(act('AdminInitiateAuth', { ...input, AuthParameters }));
    expect(await act('AdminInitiateAuth', { ...input, AuthParameters }, {})).toEqual(
      error('MissingAuthenticationTokenException'),
    );
    const bad = { ...input, AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters };
    expect(await act('AdminInitiateAuth', bad)).toEqual(error('InvalidParameterException'));
  });
});

describe('a user of the pool', () => {
  it('signs up, confirms, and logs in', async () => {
    const Username = 'erin';
    const UserAttributes = [
      { Name: 'email', Value: 'erin@example.com' },
      { Name: 'custom:plan', Value: 'silver' },
    ];
    const { body } = await act('SignUp', { ClientId, Username, Password: 'Erin-password-1', UserAttributes });
    expect(body).toEqual({
      ...{ UserConfirmed: false, UserSub: expect.stringMatching(/^[0-9a-f-]{36}$/) },
      CodeDeliveryDetails: { AttributeName: 'email', DeliveryMedium: 'EMAIL', Destination: 'e***@e***' },
    });
    const again = act('SignUp', { ClientId, Username, Password: 'Erin-password-1' });
    expect(await again).toEqual(error('UsernameExistsException', 'User already exists'));
    expect(await login(Username, 'Erin-password-1')).toEqual(
      error('UserNotConfirmedException', 'User is not confirmed.'),
    );
    expect(await login(Username, 'x')).toEqual(error('NotAuthorizedException', 'Incorrect username or password.'));
    expect((await admin('AdminGetUser', { Username })).body).toMatchObject({ UserStatus: 'UNCONFIRMED' });
    expect((await act('ResendConfirmationCode', { ClientId, Username })).body).toMatchObject({
      CodeDeliveryDetails: {},
    });
    const confirm = (ConfirmationCode: string) => act('ConfirmSignUp', { ClientId, Username, ConfirmationCode });
    expect(await confirm('000000')).toEqual(
      error('CodeMismatchException', 'Invalid verification code provided, please try again.'),
    );
    expect(await confirm('123456')).toEqual({ status: 200, body: {} });
    expect(await confirm('123456')).toEqual(
      error('NotAuthorizedException', 'User cannot be confirmed. Current status is CONFIRMED'),
    );
    const { IdToken } = await resultOf(login(Username, 'Erin-password-1'));
    expect(decodeJwt(IdToken)).toMatchObject({ sub: body.UserSub, email_verified: true, 'custom:plan': 'silver' });
  });

  it('replaces a forgotten password', async () => {
    const forgotten = { ClientId, Username: 'frank' };
    await addUser('frank', [{ Name: 'email', Value: 'frank@example.com' }]);
    const confirm = (ConfirmationCode: string) =>
      act('ConfirmForgotPassword', { ...forgotten, ConfirmationCode, Password: 'Other-password-1' });
    const message = 'Cannot reset password for the user as there is no registered/verified email or phone_number';
    expect(await act('ForgotPassword', forgotten)).toEqual(error('InvalidParameterException', message));
    const UserAttributes = [{ Name: 'email_verified', Value: 'true' }];
    await admin('AdminUpdateUserAttributes', { Username: 'frank', UserAttributes });
    expect(await confirm('123456')).toEqual(
      error('ExpiredCodeException', 'Invalid code provided, please request a code again.'),
    );
    expect((await act('ForgotPassword', forgotten)).body).toMatchObject({
      CodeDeliveryDetails: { Destination: 'f***@e***' },
    });
    expect(await confirm('000000')).toEqual(error('CodeMismatchException'));
    expect(await confirm('123456')).toEqual({ status: 200, body: {} });
    await resultOf(login('frank', 'Other-password-1'));
    const nobody = act('ForgotPassword', { ClientId, Username: 'nobody' });
    expect(await nobody).toEqual(error('UserNotFoundException', 'Username/client id combination not found.'));
  });

  it('changes attributes and the password, signs out everywhere, and leaves', async () => {
    await addUser('grace', []);
    const { AccessToken, RefreshToken } = await resultOf(login('grace', 'Some-password-1'));
    const UserAttributes = [{ Name: 'nickname', Value: 'G' }];
    expect((await act('UpdateUserAttributes', { AccessToken, UserAttributes })).status).toBe(200);
    const change = (PreviousPassword: string) =>
      act('ChangePassword', { AccessToken, PreviousPassword, ProposedPassword: 'Third-password-1' });
    expect(await change('x')).toEqual(error('NotAuthorizedException', 'Incorrect username or password.'));
    expect(await change('Some-password-1')).toEqual({ status: 200, body: {} });
    expect(await act('GlobalSignOut', { AccessToken })).toEqual({ status: 200, body: {} });
    expect(await act('GetUser', { AccessToken })).toEqual(
      error('NotAuthorizedException', 'Access Token has been revoked'),
    );
    expect(await act('GetTokensFromRefreshToken', { ClientId, RefreshToken })).toEqual(error('NotAuthorizedException'));
    const { AccessToken: last } = await resultOf(login('grace', 'Third-password-1'));
    expect(await act('DeleteUser', { AccessToken: last })).toEqual({ status: 200, body: {} });
    expect(await login('grace', 'Third-password-1')).toEqual(error('NotAuthorizedException'));
  });

  it('needs a token with the scope of this API', async () => {
    const { token } = await sandbox.issueToken({ client: ClientId, user: 'alice', scope: 'openid' });
    expect(await act('GetUser', { AccessToken: token })).toEqual(
      error('NotAuthorizedException', 'Access Token does not have required scopes'),
    );
    expect(await act('GetUser', { AccessToken: 'x' })).toEqual(error('NotAuthorizedException', 'Invalid Access Token'));
    const expired = await sandbox.issueToken({ client: ClientId, user: 'alice', defect: 'expired' });
    expect(await act('GetUser', { AccessToken: expired.token })).toEqual(
      error('NotAuthorizedException', 'Access Token has expired'),
    );
  });

  it('refuses a token that is bound to a key, which no action can prove', async () => {
    const scope = 'openid aws.cognito.signin.user.admin';
    const clients = [{ client_id: ClientId, redirect_uris: [redirect_uri], scope }];
    const binding = await createSandbox({ ...pool, clients, autoLogin: 'alice', features: { dpop: true } });
    const tokenFor = async (proofs: DpopKey | undefined) => {
      const query = { client_id: ClientId, redirect_uri, response_type: 'code', scope };
      const code = (await frontChannel(`${binding.issuer}/oauth2/authorize`, query)).get('code') ?? '';
      const form = { grant_type: 'authorization_code', client_id: ClientId, code, redirect_uri, ...verifier };
      const htu = `${binding.issuer}/oauth2/token`;
      const DPoP = await proofs?.proof({ htu, iat: binding.clock() });
      const { body } = await postForm(htu, form, DPoP === undefined ? {} : { DPoP });
      return body.access_token;
    };
    const bound = { AccessToken: await tokenFor(await createDpopKey()) };
    expect(decodeJwt(String(bound.AccessToken))).toHaveProperty('cnf.jkt');
    expect(await send(binding.url, 'GetUser', bound)).toEqual(error('NotAuthorizedException'));
    expect((await send(binding.url, 'GetUser', { AccessToken: await tokenFor(undefined) })).status).toBe(200);
    await binding.stop();
  });

  it('revokes a refresh token with all that came from it', async () => {
    const { AccessToken, RefreshToken } = await resultOf(login('alice', 'Alice-password-1'));
    expect(await act('RevokeToken', { ClientId, Token: AccessToken })).toEqual(error('UnsupportedTokenTypeException'));
    expect(await act('RevokeToken', { ClientId, Token: RefreshToken })).toEqual({ status: 200, body: {} });
    expect(await act('GetUser', { AccessToken })).toEqual(
      error('NotAuthorizedException', 'Access Token has been revoked'),
    );
    expect(await act('GetTokensFromRefreshToken', { ClientId, RefreshToken })).toEqual(
      error('NotAuthorizedException', 'Refresh Token has been revoked'),
    );
    expect(await act('GetTokensFromRefreshToken', { ClientId, RefreshToken: 'x' })).toEqual(
      error('NotAuthorizedException', 'Invalid Refresh Token'),
    );
  });

  it('detects a rotated refresh token that is used again', async () => {
    const begun = login('alice', 'Alice-password-1', { ClientId: 'rotating' });
    const { RefreshToken } = await resultOf(begun);
    const refresh = () => act('GetTokensFromRefreshToken', { ClientId: 'rotating', RefreshToken });
    expect((await resultOf(refresh())).RefreshToken).not.toBe(RefreshToken);
    expect(await refresh()).toEqual(error('RefreshTokenReuseException'));
  });
});

async function addUser(Username: string, UserAttributes: readonly object[]): Promise<void> {
  await admin('AdminCreateUser', { Username, UserAttributes });
  await admin('AdminSetUserPassword', { Username, Password: 'Some-password-1', Permanent: true });
}

describe('the actions of a back end', () => {
  it('add, find and remove users', async () => {
    const UserAttributes = [{ Name: 'email', Value: 'heidi@example.com' }];
    const { body } = await admin('AdminCreateUser', { Username: 'heidi', UserAttributes });
    expect(body.User).toMatchObject({
      ...{ Username: 'heidi', Enabled: true, UserStatus: 'FORCE_CHANGE_PASSWORD', UserCreateDate: expect.any(Number) },
      Attributes: [{ Name: 'sub' }, { Name: 'email', Value: 'heidi@example.com' }],
    });
    expect(await admin('AdminCreateUser', { Username: 'heidi' })).toEqual(error('UsernameExistsException'));
    const found = async (Filter: string) => {
      const { body } = await admin('ListUsers', { Filter });
      return (body.Users as { Username: string }[]).map(({ Username }) => Username); // asserted by the comparison
    };
    expect(await found('email = "heidi@example.com"')).toEqual(['heidi']);
    expect(await found('email ^= "hei"')).toEqual(['heidi']);
    expect(await found('cognito:user_status = "FORCE_CHANGE_PASSWORD"')).toContain('heidi');
    expect(await admin('ListUsers', { Filter: 'shoe = 1' })).toEqual(error('InvalidParameterException'));
    const { message } = (await admin('ListUsers', { Limit: -1 })).body;
    expect(message).toContain('greater than or equal to 0');
    const first = await admin('ListUsers', { Limit: 1 });
    expect(first.body.Users).toHaveLength(1);
    const second = await admin('ListUsers', { Limit: 1, PaginationToken: first.body.PaginationToken });
    expect(second.body.Users).not.toEqual(first.body.Users);
    expect(await admin('AdminDeleteUser', { Username: 'heidi' })).toEqual({ status: 200, body: {} });
    expect(await admin('AdminGetUser', { Username: 'heidi' })).toEqual(
      error('UserNotFoundException', 'User does not exist.'),
    );
  });

  it('confirm users and end their tokens', async () => {
    await act('SignUp', { ClientId, Username: 'ivan', Password: 'Ivan-password-1' });
    expect((await admin('AdminConfirmSignUp', { Username: 'ivan' })).status).toBe(200);
    const { AccessToken } = await resultOf(login('ivan', 'Ivan-password-1'));
    expect((await admin('AdminUserGlobalSignOut', { Username: 'ivan' })).status).toBe(200);
    expect(await act('GetUser', { AccessToken })).toEqual(
      error('NotAuthorizedException', 'Access Token has been revoked'),
    );
  });

  it('manage groups, which are in the tokens', async () => {
    const add = { Username: 'judy', GroupName: 'editors' };
    await addUser('judy', []);
    expect(await admin('AdminAddUserToGroup', add)).toEqual(error('ResourceNotFoundException', 'Group not found.'));
    expect((await admin('CreateGroup', { GroupName: 'editors', Precedence: 3 })).body.Group).toMatchObject({
      Precedence: 3,
    });
    expect(await admin('CreateGroup', { GroupName: 'editors' })).toEqual(error('GroupExistsException'));
    expect((await admin('AdminAddUserToGroup', add)).status).toBe(200);
    const { AccessToken } = await resultOf(login('judy', 'Some-password-1'));
    expect(decodeJwt(AccessToken)['cognito:groups']).toEqual(['editors']);
    const names = async (action: string, input: object = {}) => {
      const { body } = await admin(action, input);
      return (body.Groups as { GroupName: string }[]).map(({ GroupName }) => GroupName); // asserted by the comparison
    };
    expect(await names('ListGroups')).toEqual(['acme/engineering', 'admins', 'editors']);
    expect(await names('AdminListGroupsForUser', { Username: 'judy' })).toEqual(['editors']);
    await admin('AdminRemoveUserFromGroup', add);
    expect(await names('AdminListGroupsForUser', { Username: 'judy' })).toEqual([]);
  });

  it('describe the pool and its clients', async () => {
    expect((await admin('DescribeUserPool', {})).body.UserPool).toMatchObject({ Id: UserPoolId, Name: 'Shop1' });
    const { body } = await admin('DescribeUserPoolClient', { ClientId: 'back-end' });
    expect(body.UserPoolClient).toMatchObject({
      ...{ ClientSecret: 'back-end-secret', AllowedOAuthFlows: ['code', 'client_credentials'] },
      RefreshTokenRotation: { Feature: 'DISABLED' },
    });
    expect((await admin('ListUserPoolClients', {})).body.UserPoolClients).toHaveLength(pool.clients.length);
    const wrong = act('DescribeUserPool', { UserPoolId: 'eu-west-1_Other' }, signed);
    expect(await wrong).toEqual(error('ResourceNotFoundException', 'User pool eu-west-1_Other does not exist.'));
    const client = admin('DescribeUserPoolClient', { ClientId: 'nobody' });
    expect(await client).toEqual(error('ResourceNotFoundException', 'User pool client nobody does not exist.'));
  });

  it('are for those who know the CONTROL_TOKEN, where there is one', async () => {
    await using closed = await createSandbox({ ...pool, controlToken: 'the-control-token' });
    const list = (key: string) =>
      send(
        closed.url,
        'ListUsers',
        { UserPoolId },
        { authorization: signed.authorization.replace('AKIDEXAMPLE', key) },
      );
    expect((await list('the-control-token')).status).toBe(200);
    expect(await list('AKIDEXAMPLE')).toEqual(error('UnrecognizedClientException'));
    const input = {
      AuthFlow: 'USER_PASSWORD_AUTH',
      ClientId,
      AuthParameters: { USERNAME: 'alice', PASSWORD: 'Alice-password-1' },
    };
    const { AccessToken } = await resultOf(send(closed.url, 'InitiateAuth', input));
    const choice = { AuthFlow: 'USER_AUTH', ClientId, AuthParameters: { USERNAME: 'alice' } };
    for (const [at, ways] of [
      [sandbox, ['PASSWORD_SRP', 'PASSWORD', 'EMAIL_OTP']],
      [closed, ['PASSWORD_SRP', 'PASSWORD']],
    ] as const)
      expect((await send(at.url, 'InitiateAuth', choice)).body.AvailableChallenges).toEqual(ways);
    expect((await send(closed.url, 'GetUser', { AccessToken })).status).toBe(200);
    for (const action of [
      ...['DeleteUser', 'ChangePassword', 'UpdateUserAttributes'],
      ...['AssociateSoftwareToken', 'VerifySoftwareToken', 'SetUserMFAPreference'],
    ])
      expect(await send(closed.url, action, { AccessToken })).toEqual(error('ForbiddenException'));
    const forgotten = { ClientId, Username: 'alice', ConfirmationCode: '123456', Password: 'Other-password-1' };
    expect(await send(closed.url, 'ConfirmForgotPassword', forgotten)).toEqual(error('ForbiddenException'));
  });
});

describe('the user pool API', () => {
  it.each([
    ['InitateAuth', '; the nearest call is InitiateAuth'],
    ['VerifyUserAttribute', '; the nearest call is UpdateUserAttributes'],
    ['UpdateUserPoolClient', '; the nearest call is ListUserPoolClients'],
    ['AdminGetDevice', ''],
    ['ListDevices', ''],
    ['CreateIdentityProvider', ''],
    ['SetUserPoolMfaConfig', ''],
    ['GetUserAttributeVerificationCode', ''],
  ])('answers %s, which it does not serve, with 501, and names no unrelated action', async (action, nearest) => {
    const message = `this sandbox speaks like Cognito, but does not serve this call${nearest}`;
    expect(await act(action, {})).toEqual({ status: 501, body: { __type: 'UnknownOperationException', message } });
  });

  it('is called at / by its header alone, also by pages of clients', async () => {
    const url = `${sandbox.url}/`;
    expect((await fetch(url, { method: 'POST' })).status).toBe(405);
    const preflight = (headers: string) =>
      fetch(url, {
        method: 'OPTIONS',
        headers: {
          ...{ origin: 'http://localhost:3000', 'access-control-request-method': 'POST' },
          'access-control-request-headers': headers,
        },
      });
    const { status, headers } = await preflight('cache-control,content-type,x-amz-target');
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-headers')).toBe('cache-control,content-type,x-amz-target');
    expect((await preflight('content-type')).status).toBe(405);
    const page = { origin: 'http://localhost:3000' };
    const input = {
      AuthFlow: 'USER_PASSWORD_AUTH',
      ClientId,
      AuthParameters: { USERNAME: 'alice', PASSWORD: 'Alice-password-1' },
    };
    expect((await act('InitiateAuth', input, page)).status).toBe(200);
    expect(await act('ListUsers', { UserPoolId }, { ...signed, ...page })).toEqual(error('ForbiddenException'));
  });

  it.each([
    ['no JSON', '{', 'SerializationException'],
    ['a list', [], 'SerializationException'],
    ['null', 'null', 'SerializationException'],
    ['wrong types', { AuthFlow: 7 }, 'SerializationException'],
    [
      'nested parameters of the wrong kind',
      { AuthFlow: 'USER_PASSWORD_AUTH', ClientId, AuthParameters: { USERNAME: [] } },
      'SerializationException',
    ],
    ['a prototype', '{"__proto__":{"ClientId":"spa"},"AuthFlow":"USER_PASSWORD_AUTH"}', 'InvalidParameterException'],
    ['nothing', {}, 'InvalidParameterException'],
    ['a client that is not there', { ClientId: 'constructor', AuthFlow: 'x' }, 'ResourceNotFoundException'],
    ['an unknown flow', { ClientId, AuthFlow: 'CUSTOM_AUTH' }, 'InvalidParameterException'],
    ['a client for machines', { ClientId: 'machine', AuthFlow: 'USER_PASSWORD_AUTH' }, 'InvalidParameterException'],
    [
      'a missing password',
      { ClientId, AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters: { USERNAME: 'alice' } },
      'InvalidParameterException',
    ],
    [
      'SRP without a number',
      { ClientId, AuthFlow: 'USER_SRP_AUTH', AuthParameters: { USERNAME: 'alice', SRP_A: 'zz' } },
      'InvalidParameterException',
    ],
    [
      'SRP with zero',
      { ClientId, AuthFlow: 'USER_SRP_AUTH', AuthParameters: { USERNAME: 'alice', SRP_A: '0' } },
      'InvalidParameterException',
    ],
    [
      'SRP of a user without a password',
      { ClientId, AuthFlow: 'USER_SRP_AUTH', AuthParameters: { USERNAME: 'open', SRP_A: '2' } },
      'InvalidParameterException',
    ],
  ])('refuses %s', async (_, input, type) => {
    expect(await act('InitiateAuth', input)).toEqual(error(type));
  });

  it.each([
    ['an unknown attribute', { UserAttributes: [{ Name: 'shoe_size', Value: '44' }] }, 'InvalidParameterException'],
    ['an attribute that is no object', { UserAttributes: ['email'] }, 'SerializationException'],
    ['a long attribute', { UserAttributes: [{ Name: 'name', Value: 'x'.repeat(3000) }] }, 'InvalidParameterException'],
    ['a username with a space', { Username: 'a b' }, 'InvalidParameterException'],
    ['a long username', { Username: 'x'.repeat(200) }, 'InvalidParameterException'],
    ['a simple password', { Password: 'simple-password' }, 'InvalidPasswordException'],
    ['an address that is none', { UserAttributes: [{ Name: 'email', Value: 'x' }] }, undefined],
  ])('refuses a sign-up with %s', async (_, more, type) => {
    const answer = await act('SignUp', {
      ClientId,
      Username: `user-${_.length}`,
      Password: 'Some-password-1',
      ...more,
    });
    if (type === undefined) expect(answer.status).toBe(200);
    else expect(answer).toEqual(error(type));
  });

  it.each([
    ['AdminGetUser', { Username: 'alice', ClientMetadata: 'x' }],
    ['AdminDisableUser', { Username: 'alice', Username2: 'ignored', Permanent: 'yes' }],
    ['AdminCreateUser', { Username: 'x', DesiredDeliveryMediums: 'EMAIL' }],
    ['AdminUpdateUserAttributes', { Username: 'alice', UserAttributes: {} }],
    ['AdminInitiateAuth', { ClientId, AuthFlow: 'ADMIN_USER_PASSWORD_AUTH', ContextData: [] }],
    ['CreateUserPoolClient', { ClientName: 'x', CallbackURLs: 'https://shop.example/' }],
    ['ListUsersInGroup', { GroupName: 'admins', Limit: '1' }],
  ])('refuses %s with a member of the wrong kind, also one that it does not use', async (action, input) => {
    expect(await admin(action, input)).toEqual(error('SerializationException'));
    expect((await admin('AdminGetUser', { Username: 'alice', Unknown: 7 })).body.Enabled).toBe(true);
  });

  it('refuses a body that is too large, in its own form', async () => {
    const { status, body } = await act('SignUp', { ClientId, Username: 'x'.repeat(70_000) });
    expect([status, body.__type]).toEqual([413, 'SerializationException']);
  });

  it('hides whether a user exists from SRP', async () => {
    const begin = (USERNAME: string) =>
      act('InitiateAuth', { ClientId, AuthFlow: 'USER_SRP_AUTH', AuthParameters: { USERNAME, SRP_A: 'abcdef' } });
    const { status, body } = await begin('nobody');
    expect([status, body.ChallengeName]).toEqual([200, 'PASSWORD_VERIFIER']);
    const { SECRET_BLOCK } = body.ChallengeParameters as { SECRET_BLOCK: string }; // asserted by the answer below
    const claim = {
      ...{ USERNAME: 'nobody', PASSWORD_CLAIM_SECRET_BLOCK: SECRET_BLOCK },
      ...{ PASSWORD_CLAIM_SIGNATURE: 'x', TIMESTAMP: 'now' },
    };
    expect(await respond('PASSWORD_VERIFIER', body.Session, claim)).toEqual(
      error('NotAuthorizedException', 'Incorrect username or password.'),
    );
  });
});

/** Unix seconds. */
const now = 1_800_000_000;

const codeAt = (time: number) => totpAt('JBSWY3DPEHPK3PXP', time);
