import { CognitoJwtVerifier } from 'aws-jwt-verify';
import { SimpleJwksCache } from 'aws-jwt-verify/jwk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { createSandbox } from '../support/bundle.ts';
import { pool } from '../support/cognito.ts';

// The unmodified aws-jwt-verify against a pool with the identifier of AWS. Only its fetcher knows where the sandbox is.
const userPoolId = 'eu-west-1_Shop1';
const aws = 'https://cognito-idp.eu-west-1.amazonaws.com';

let sandbox: Sandbox;
const fetched: string[] = [];
beforeAll(async () => {
  sandbox = await createSandbox({ ...pool, preset: { ...pool.preset, issuer: 'aws' } });
});
afterAll(() => sandbox.stop());

const fetcher = {
  async fetch(uri: string) {
    fetched.push(uri);
    return (await fetch(uri.replace(aws, sandbox.url))).arrayBuffer();
  },
};

function verifier(tokenUse: 'access' | 'id', more: { clientId?: string; groups?: string } = {}) {
  return CognitoJwtVerifier.create(
    { userPoolId, tokenUse, clientId: 'spa', ...more },
    { jwksCache: new SimpleJwksCache({ fetcher }) },
  );
}

async function tokens(): Promise<{ AccessToken: string; IdToken: string }> {
  const response = await fetch(`${sandbox.url}/`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': 'AWSCognitoIdentityProviderService.InitiateAuth',
    },
    body: JSON.stringify({
      ...{ AuthFlow: 'USER_PASSWORD_AUTH', ClientId: 'spa' },
      AuthParameters: { USERNAME: 'alice', PASSWORD: 'Alice-password-1' },
    }),
  });
  const body = (await response.json()) as { AuthenticationResult: { AccessToken: string; IdToken: string } };
  return body.AuthenticationResult;
}

describe('aws-jwt-verify', () => {
  it('verifies access and ID tokens by the keys of the pool', async () => {
    const { AccessToken, IdToken } = await tokens();
    expect(await verifier('access').verify(AccessToken)).toMatchObject({
      iss: `${aws}/${userPoolId}`,
      username: 'alice',
    });
    expect(await verifier('id', { groups: 'admins' }).verify(IdToken)).toMatchObject({ 'cognito:username': 'alice' });
    expect(fetched).toContain(`${aws}/${userPoolId}/.well-known/jwks.json`);
  });

  it('refuses a token for another use, of another client, of another group, and one that has expired', async () => {
    const { AccessToken, IdToken } = await tokens();
    await expect(verifier('id').verify(AccessToken)).rejects.toThrow('Token use not allowed: access. Expected: id');
    await expect(verifier('access', { clientId: 'other' }).verify(AccessToken)).rejects.toThrow(
      'Client ID not allowed',
    );
    await expect(verifier('id', { groups: 'others' }).verify(IdToken)).rejects.toThrow('Cognito group not allowed');
    const expired = await sandbox.issueToken({ client: 'spa', user: 'alice', defect: 'expired' });
    await expect(verifier('access').verify(expired.token)).rejects.toThrow('Token expired');
  });

  it('follows a rotation of the keys', async () => {
    const check = verifier('access');
    await check.verify((await tokens()).AccessToken);
    await sandbox.rotateKeys();
    await check.verify((await tokens()).AccessToken);
  });
});
