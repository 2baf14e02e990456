import { webcrypto } from 'node:crypto';
import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { createAgent } from '../support/agent.ts';
import { createSandbox } from '../support/bundle.ts';
import { type ClientKey, makeClientKey } from '../support/keys-server.ts';

const callback = 'https://app.example/callback';
const execute = [client.allowInsecureRequests, client.enableNonRepudiationChecks];

let sandbox: Sandbox;
let metadata: client.ServerMetadata;
beforeAll(async () => {
  sandbox = await createSandbox();
  const config = await client.discovery(new URL(sandbox.issuer), 'frontend', undefined, client.None(), { execute });
  metadata = config.serverMetadata();
});
afterAll(() => sandbox.stop());

/** The values of a member of the discovery document. */
function advertised(member: string): readonly string[] {
  const values: unknown = metadata[member];
  expect(values, member).toEqual(expect.arrayContaining([expect.any(String)]));
  return values as readonly string[];
}

/** A client that registers itself (OIDC Registration §3.1). */
function register(members: Partial<client.ClientMetadata>, authentication = client.None()) {
  const registration = {
    redirect_uris: [callback],
    scope: 'openid profile email',
    token_endpoint_auth_method: 'none',
    ...members,
  };
  return client.dynamicClientRegistration(new URL(sandbox.issuer), registration, authentication, { execute });
}

/** A login by alice, then UserInfo: the library checks every signature. */
async function logIn(config: client.Configuration): Promise<unknown[]> {
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: callback,
    scope: 'openid email',
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  });
  const agent = createAgent(new URL(sandbox.url).origin);
  const { url: answer } = await agent.submit(await agent.open(url), 'login-user-alice');
  const tokens = await client.authorizationCodeGrant(config, answer, { pkceCodeVerifier });
  const { email } = await client.fetchUserInfo(config, tokens.access_token, 'alice');
  return [tokens.claims()?.sub, email];
}

const alice = ['alice', 'alice@example.com'];
const jwksOf = (...keys: readonly ClientKey[]) => ({ keys: keys.map(({ publicJwk }) => ({ ...publicJwk })) });

describe('openid-client, registered for each algorithm the discovery document names', () => {
  it('believes ID tokens and UserInfo signed with it', async () => {
    const algs = advertised('id_token_signing_alg_values_supported');
    expect(algs).toContain('RS256');
    expect(advertised('userinfo_signing_alg_values_supported')).toEqual(algs);
    for (const alg of algs) {
      const config = await register({ id_token_signed_response_alg: alg, userinfo_signed_response_alg: alg });
      expect(await logIn(config), alg).toEqual(alice);
    }
  });

  it('reads ID tokens and UserInfo encrypted with it', async () => {
    const encs = advertised('id_token_encryption_enc_values_supported');
    expect(advertised('userinfo_encryption_enc_values_supported')).toEqual(encs);
    for (const alg of advertised('id_token_encryption_alg_values_supported')) {
      const key = await makeClientKey(alg, { kid: alg, use: 'enc' });
      const config = await register({
        jwks: jwksOf(key),
        id_token_encrypted_response_alg: alg,
        userinfo_signed_response_alg: 'RS256',
        userinfo_encrypted_response_alg: alg,
      });
      client.enableDecryptingResponses(config, undefined, { key: key.privateKey, alg, kid: alg });
      expect(await logIn(config), alg).toEqual(alice);
    }
  });

  it('reads ID tokens and UserInfo whose content is encrypted with it', async () => {
    const key = await makeClientKey('ECDH-ES', { use: 'enc' });
    for (const enc of advertised('id_token_encryption_enc_values_supported')) {
      const config = await register({
        jwks: jwksOf(key),
        id_token_encrypted_response_alg: 'ECDH-ES',
        id_token_encrypted_response_enc: enc,
        userinfo_signed_response_alg: 'RS256',
        userinfo_encrypted_response_alg: 'ECDH-ES',
        userinfo_encrypted_response_enc: enc,
      });
      client.enableDecryptingResponses(config, [enc], key.privateKey);
      expect(await logIn(config), enc).toEqual(alice);
    }
  });

  it('authenticates with assertions signed with it', async () => {
    const algs = advertised('token_endpoint_auth_signing_alg_values_supported');
    expect(algs).not.toContain('none');
    for (const alg of algs.filter(each => !each.startsWith('HS'))) {
      const { privateKey, publicJwk } = await makeClientKey(alg, { kid: alg });
      const config = await register(
        {
          grant_types: ['client_credentials'],
          redirect_uris: [],
          scope: 'products:read',
          token_endpoint_auth_method: 'private_key_jwt',
          token_endpoint_auth_signing_alg: alg,
          jwks: { keys: [{ ...publicJwk }] },
        },
        client.PrivateKeyJwt(
          { key: privateKey, kid: alg },
          // the library writes the name of RFC 9864
          { [client.modifyAssertion]: header => void (header.alg === 'Ed25519' && Object.assign(header, { alg })) },
        ),
      );
      expect(await client.clientCredentialsGrant(config), alg).toHaveProperty('access_token');
    }
  });

  it('authenticates with assertions made with the secret it was given', async () => {
    const config = await register(
      {
        grant_types: ['client_credentials'],
        redirect_uris: [],
        scope: 'products:read',
        token_endpoint_auth_method: 'client_secret_jwt',
      },
      client.ClientSecretJwt(),
    );
    expect(await client.clientCredentialsGrant(config)).toHaveProperty('access_token');
    const algs = advertised('token_endpoint_auth_signing_alg_values_supported').filter(alg => alg.startsWith('HS'));
    for (const alg of algs) {
      const { client_id, client_secret = '' } = config.clientMetadata();
      const hmac = { name: 'HMAC', hash: `SHA-${alg.slice(2)}` };
      const key = await webcrypto.subtle.importKey('raw', Buffer.from(client_secret), hmac, false, ['sign']);
      const now = Math.floor(Date.now() / 1000);
      const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
      const claims = { iss: client_id, sub: client_id, aud: sandbox.issuer, exp: now + 60, jti: alg };
      const input = `${encode({ alg })}.${encode(claims)}`;
      const signature = Buffer.from(await webcrypto.subtle.sign('HMAC', key, Buffer.from(input)));
      const response = await fetch(String(metadata.token_endpoint), {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_assertion: `${input}.${signature.toString('base64url')}`,
          client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        }),
      });
      expect(response.status, alg).toBe(200);
    }
  });
});
