import * as cognito from '@aws-sdk/client-cognito-identity-provider';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox, SandboxConfig } from '../../src/index.ts';
import { createSandbox } from '../support/bundle.ts';
import { pool } from '../support/cognito.ts';
import { secretHash, totpAt } from '../support/user-pool.ts';

// The unmodified AWS SDK against the user pool API. Only its endpoint says where the sandbox is.

const UserPoolId = 'eu-west-1_Shop1';
const ClientId = 'spa';
const Password = 'Some-password-1';

let sandbox: Sandbox;
let sdk: cognito.CognitoIdentityProvider;
beforeAll(async () => {
  [sandbox, sdk] = await start();
});
afterAll(() => sandbox.stop());

async function start(more: SandboxConfig = {}): Promise<[Sandbox, cognito.CognitoIdentityProvider]> {
  const started = await createSandbox({ ...pool, ...more });
  const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'any' };
  const options = { endpoint: started.url, region: 'eu-west-1', credentials, maxAttempts: 1 };
  return [started, new cognito.CognitoIdentityProvider(options)];
}

async function addUser(Username: string, verified = false): Promise<void> {
  const UserAttributes = [
    { Name: 'email', Value: `${Username}@example.com` },
    { Name: 'email_verified', Value: String(verified) },
  ];
  await sdk.adminCreateUser({ UserPoolId, Username, UserAttributes, DesiredDeliveryMediums: ['EMAIL'] });
  await sdk.adminSetUserPassword({ UserPoolId, Username, Password, Permanent: true });
}

const login = (USERNAME: string, PASSWORD = Password, client = sdk) =>
  client.initiateAuth({ AuthFlow: 'USER_PASSWORD_AUTH', ClientId, AuthParameters: { USERNAME, PASSWORD } });

async function accessToken(username: string): Promise<string> {
  return (await login(username)).AuthenticationResult?.AccessToken ?? '';
}

/** A challenge of a login, answered. */
const answer = (
  begun: { readonly Session?: string | undefined },
  ChallengeName: cognito.ChallengeNameType,
  ChallengeResponses: Record<string, string>,
  client = sdk,
) => client.respondToAuthChallenge({ ClientId, ChallengeName, Session: begun.Session, ChallengeResponses });

describe('the AWS SDK', () => {
  it('disables a user, whose tokens end, and enables the user again', async () => {
    await addUser('dave');
    const { AuthenticationResult } = await login('dave');
    const AccessToken = AuthenticationResult?.AccessToken;
    await sdk.adminDisableUser({ UserPoolId, Username: 'dave' });
    expect(await sdk.adminGetUser({ UserPoolId, Username: 'dave' })).toMatchObject({ Enabled: false });
    const disabled = await sdk.listUsers({ UserPoolId, Filter: 'status = "Disabled"' });
    expect(disabled.Users?.map(({ Username }) => Username)).toEqual(['dave']);
    await expect(login('dave')).rejects.toThrow('User is disabled.');
    await expect(login('dave', 'x')).rejects.toThrow('Incorrect username or password.');
    await expect(sdk.getUser({ AccessToken })).rejects.toThrow(cognito.NotAuthorizedException);
    await expect(sdk.forgotPassword({ ClientId, Username: 'dave' })).rejects.toThrow('User is disabled.');
    await sdk.adminUpdateUserAttributes({
      UserPoolId,
      Username: 'dave',
      UserAttributes: [{ Name: 'name', Value: 'D' }],
    });
    await sdk.adminEnableUser({ UserPoolId, Username: 'dave' });
    const user = await sdk.getUser({ AccessToken: await accessToken('dave') });
    expect(user.UserAttributes).toContainEqual({ Name: 'name', Value: 'D' });
    await expect(sdk.adminEnableUser({ UserPoolId, Username: 'nobody' })).rejects.toThrow(
      cognito.UserNotFoundException,
    );
  });

  it('keeps a sign-up disabled until it is enabled', async () => {
    await sdk.signUp({ ClientId, Username: 'wendy', Password });
    await sdk.adminDisableUser({ UserPoolId, Username: 'wendy' });
    await sdk.adminConfirmSignUp({ UserPoolId, Username: 'wendy' });
    await expect(login('wendy')).rejects.toThrow('User is disabled.');
    await sdk.adminEnableUser({ UserPoolId, Username: 'wendy' });
    expect(await sdk.adminGetUser({ UserPoolId, Username: 'wendy' })).toMatchObject({
      ...{ Enabled: true, UserStatus: 'CONFIRMED' },
    });
    expect(await accessToken('wendy')).not.toBe('');
  });

  it('demands a new password, which is set with a code', async () => {
    await addUser('erin', true);
    await sdk.adminResetUserPassword({ UserPoolId, Username: 'erin' });
    expect((await sdk.adminGetUser({ UserPoolId, Username: 'erin' })).UserStatus).toBe('RESET_REQUIRED');
    await expect(login('erin')).rejects.toThrow(cognito.PasswordResetRequiredException);
    const reset = { ClientId, Username: 'erin', ConfirmationCode: '123456', Password: 'Other-password-1' };
    await sdk.confirmForgotPassword(reset);
    expect((await login('erin', 'Other-password-1')).AuthenticationResult).toBeDefined();
    await sdk.adminCreateUser({ UserPoolId, Username: 'temporary' });
    await expect(sdk.adminResetUserPassword({ UserPoolId, Username: 'temporary' })).rejects.toThrow(
      'User password cannot be reset in the current state.',
    );
    await expect(sdk.adminResetUserPassword({ UserPoolId, Username: 'bob' })).rejects.toThrow(
      'there is no registered/verified email',
    );
  });

  it('changes and removes groups, and lists who is in them', async () => {
    const GroupName = 'editors';
    const names = ({ Users = [] }: cognito.ListUsersInGroupCommandOutput) => Users.map(({ Username }) => Username);
    await sdk.createGroup({ UserPoolId, GroupName, Description: 'first', Precedence: 5 });
    await addUser('frank');
    for (const Username of ['frank', 'bob']) await sdk.adminAddUserToGroup({ UserPoolId, Username, GroupName });
    const first = await sdk.listUsersInGroup({ UserPoolId, GroupName, Limit: 1 });
    const second = await sdk.listUsersInGroup({ UserPoolId, GroupName, NextToken: first.NextToken });
    expect([names(first), names(second)]).toEqual([['bob'], ['frank']]);
    const { Group } = await sdk.updateGroup({ UserPoolId, GroupName, Description: 'second' });
    expect(Group).toMatchObject({ Description: 'second', Precedence: 5, LastModifiedDate: expect.any(Date) });
    await sdk.deleteGroup({ UserPoolId, GroupName });
    await expect(sdk.getGroup({ UserPoolId, GroupName })).rejects.toThrow(cognito.ResourceNotFoundException);
    expect(decodeJwt(await accessToken('frank'))).not.toHaveProperty('cognito:groups', [GroupName]);
    // groups of the configuration, too
    await sdk.updateGroup({ UserPoolId, GroupName: 'admins', Precedence: 0 });
    expect(names(await sdk.listUsersInGroup({ UserPoolId, GroupName: 'admins' }))).toEqual(['alice']);
  });

  it('sets up a second factor of a user who is logged in', async () => {
    await addUser('grace');
    const AccessToken = await accessToken('grace');
    const prefer = (Enabled: boolean) =>
      sdk.setUserMFAPreference({ AccessToken, SoftwareTokenMfaSettings: { Enabled, PreferredMfa: Enabled } });
    await expect(prefer(true)).rejects.toThrow('User has not verified software token mfa');
    const { SecretCode = '' } = await sdk.associateSoftwareToken({ AccessToken });
    expect(SecretCode).toMatch(/^[A-Z2-7]{32}$/);
    const code = () => totpAt(SecretCode, sandbox.clock());
    await expect(sdk.verifySoftwareToken({ AccessToken, UserCode: '000000' })).rejects.toThrow(
      cognito.EnableSoftwareTokenMFAException,
    );
    expect(await sdk.verifySoftwareToken({ AccessToken, UserCode: code() })).toMatchObject({ Status: 'SUCCESS' });
    expect((await login('grace')).AuthenticationResult).toBeDefined();
    await prefer(true);
    const begun = await login('grace');
    expect(begun.ChallengeName).toBe('SOFTWARE_TOKEN_MFA');
    const answers = { USERNAME: 'grace', SOFTWARE_TOKEN_MFA_CODE: code() };
    expect((await answer(begun, 'SOFTWARE_TOKEN_MFA', answers)).AuthenticationResult).toBeDefined();
    expect(await sdk.getUser({ AccessToken })).toMatchObject({ UserMFASettingList: ['SOFTWARE_TOKEN_MFA'] });
    await prefer(false);
    expect((await login('grace')).AuthenticationResult).toBeDefined();
    await sdk.adminSetUserMFAPreference({ UserPoolId, Username: 'grace', SoftwareTokenMfaSettings: { Enabled: true } });
    expect((await login('grace')).ChallengeName).toBe('SOFTWARE_TOKEN_MFA');
    await expect(sdk.setUserMFAPreference({ AccessToken, SMSMfaSettings: { Enabled: true } })).rejects.toThrow(
      'only SOFTWARE_TOKEN_MFA is offered',
    );
  });

  it('sets up a second factor in a login where the pool demands one', async () => {
    const [strict, client] = await start({ preset: { ...pool.preset, mfa: 'on' } });
    await using _ = strict;
    const begun = await login('alice', 'Alice-password-1', client);
    expect(begun).toMatchObject({
      ...{ ChallengeName: 'MFA_SETUP', ChallengeParameters: { MFAS_CAN_SETUP: '["SOFTWARE_TOKEN_MFA"]' } },
    });
    const finish = (session: { readonly Session?: string | undefined }) =>
      answer(session, 'MFA_SETUP', { USERNAME: 'alice' }, client);
    await expect(finish(begun)).rejects.toThrow('No MFA mechanism registered');
    const { SecretCode = '', Session } = await client.associateSoftwareToken({ Session: begun.Session });
    const UserCode = totpAt(SecretCode, strict.clock());
    const verified = await client.verifySoftwareToken({ Session, UserCode });
    expect((await finish(verified)).AuthenticationResult).toBeDefined();
    expect((await login('alice', 'Alice-password-1', client)).ChallengeName).toBe('SOFTWARE_TOKEN_MFA');
    const { UserPool } = await client.describeUserPool({ UserPoolId });
    expect(UserPool?.MfaConfiguration).toBe('ON');
  });

  it('lets a user choose how to log in', async () => {
    await addUser('heidi', true);
    const begin = (more: object = {}) =>
      sdk.initiateAuth({ AuthFlow: 'USER_AUTH', ClientId, AuthParameters: { USERNAME: 'heidi', ...more } });
    const select = async (ANSWER: string, more: object = {}) =>
      answer(await begin(), 'SELECT_CHALLENGE', { USERNAME: 'heidi', ANSWER, ...more });
    expect(await begin()).toMatchObject({
      ...{ ChallengeName: 'SELECT_CHALLENGE', AvailableChallenges: ['PASSWORD_SRP', 'PASSWORD', 'EMAIL_OTP'] },
    });
    for (const done of [
      begin({ PREFERRED_CHALLENGE: 'PASSWORD', PASSWORD: Password }),
      select('PASSWORD', { PASSWORD: Password }),
    ])
      expect((await done).AuthenticationResult).toBeDefined();
    expect(await select('PASSWORD_SRP', { SRP_A: 'abcdef' })).toMatchObject({ ChallengeName: 'PASSWORD_VERIFIER' });
    const password = await select('PASSWORD');
    expect(password.ChallengeName).toBe('PASSWORD');
    const byPassword = { USERNAME: 'heidi', PASSWORD: Password };
    expect((await answer(password, 'PASSWORD', byPassword)).AuthenticationResult).toBeDefined();
    const sent = await begin({ PREFERRED_CHALLENGE: 'EMAIL_OTP' });
    expect(sent).toMatchObject({
      ChallengeName: 'EMAIL_OTP',
      ChallengeParameters: { CODE_DELIVERY_DELIVERY_MEDIUM: 'EMAIL', CODE_DELIVERY_DESTINATION: 'h***@e***' },
    });
    const type = (EMAIL_OTP_CODE: string) => answer(sent, 'EMAIL_OTP', { USERNAME: 'heidi', EMAIL_OTP_CODE });
    await expect(type('000000')).rejects.toThrow(cognito.CodeMismatchException);
    expect((await type('123456')).AuthenticationResult).toBeDefined();
    await expect(type('123456')).rejects.toThrow(cognito.NotAuthorizedException);
    await expect(select('WEB_AUTHN')).rejects.toThrow('expected one of PASSWORD_SRP, PASSWORD, EMAIL_OTP');
    const nobody = { AuthFlow: 'USER_AUTH', ClientId, AuthParameters: { USERNAME: 'nobody' } } as const;
    expect((await sdk.initiateAuth(nobody)).AvailableChallenges).toEqual(['PASSWORD_SRP', 'PASSWORD']);
  });

  it('lists the pool, and adds and removes clients of it', async () => {
    const { UserPools } = await sdk.listUserPools({ MaxResults: 10 });
    expect(UserPools).toMatchObject([{ Id: UserPoolId, Name: 'Shop1', CreationDate: expect.any(Date) }]);
    const { UserPoolClient: made } = await sdk.createUserPoolClient({
      ...{ UserPoolId, ClientName: 'made', GenerateSecret: true, AccessTokenValidity: 10, RefreshTokenValidity: 2 },
      ...{ TokenValidityUnits: { AccessToken: 'minutes' }, CallbackURLs: ['https://shop.example/callback'] },
      ...{ AllowedOAuthFlows: ['code'], AllowedOAuthScopes: ['openid'], AllowedOAuthFlowsUserPoolClient: true },
      ExplicitAuthFlows: ['ALLOW_USER_PASSWORD_AUTH', 'ALLOW_REFRESH_TOKEN_AUTH'],
    });
    expect(made).toMatchObject({
      ...{ ClientName: 'made', ClientId: expect.stringMatching(/^[a-z0-9]{26}$/), ClientSecret: expect.any(String) },
      ...{ AccessTokenValidity: 600, RefreshTokenValidity: 172_800, CallbackURLs: ['https://shop.example/callback'] },
      ...{ AllowedOAuthFlows: ['code'], AllowedOAuthScopes: ['openid'] },
    });
    const { ClientId: id = '', ClientSecret = '' } = made ?? {};
    const SECRET_HASH = secretHash('alice', id, ClientSecret);
    const AuthParameters = { USERNAME: 'alice', PASSWORD: 'Alice-password-1', SECRET_HASH };
    const begun = { AuthFlow: 'USER_PASSWORD_AUTH', ClientId: id, AuthParameters } as const;
    expect((await sdk.initiateAuth(begun)).AuthenticationResult).toMatchObject({ ExpiresIn: 600 });
    await sdk.deleteUserPoolClient({ UserPoolId, ClientId: id });
    await expect(sdk.initiateAuth(begun)).rejects.toThrow(cognito.ResourceNotFoundException);
    const plain = await sdk.createUserPoolClient({ UserPoolId, ClientName: 'plain' });
    expect(plain.UserPoolClient).not.toHaveProperty('ClientSecret');
    await expect(
      sdk.createUserPoolClient({
        ...{ UserPoolId, ClientName: 'both', AllowedOAuthFlows: ['code', 'client_credentials'] },
      }),
    ).rejects.toThrow(cognito.InvalidOAuthFlowException);
  });

  it('is told of an action that is not served', async () => {
    await expect(sdk.listDevices({ AccessToken: 'x' })).rejects.toThrow('does not serve this call');
  });
});
