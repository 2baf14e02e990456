import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { post } from '../support/wire.ts';
import { startReplicas } from './deployment.ts';
import { startEngine, type TestEngine } from './engine.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine?.[Symbol.asyncDispose]());

/** How the management API of a provider creates a user, with a credential that one replica gave out. */
interface Provider {
  readonly credential: (url: string, issuer: string) => Promise<string>;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly user: (name: string) => object;
  readonly answers: readonly [created: number, taken: number];
  readonly env?: Readonly<Record<string, string>>;
}

const machine = { client_id: 'machine', client_secret: 'machine-secret', grant_types: ['client_credentials'] };

const providers: Readonly<Record<string, Provider>> = {
  keycloak: {
    credential: async url => {
      const form = { grant_type: 'password', client_id: 'admin-cli', username: 'admin', password: 'admin' };
      const answered = await post(`${url}/realms/master/protocol/openid-connect/token`, form);
      return `Bearer ${(await answered.json()).access_token}`;
    },
    path: '/admin/realms/demo/users',
    user: username => ({ username, enabled: true }),
    answers: [201, 409],
  },
  auth0: {
    credential: async (url, issuer) => {
      const form = { grant_type: 'client_credentials', client_id: 'machine', client_secret: 'machine-secret' };
      const answered = await post(`${url}/oauth/token`, { ...form, audience: `${issuer}/api/v2/` });
      return `Bearer ${(await answered.json()).access_token}`;
    },
    path: '/api/v2/users',
    user: name => ({
      connection: 'Username-Password-Authentication',
      email: `${name}@example.com`,
      password: 'Passw0rd!x',
    }),
    answers: [201, 409],
    env: { CLIENTS: JSON.stringify([machine]) },
  },
  okta: {
    credential: async () => 'SSWS a-token',
    path: '/api/v1/users?activate=true',
    user: name => ({
      profile: { firstName: 'A', lastName: 'B', email: `${name}@example.com`, login: `${name}@example.com` },
    }),
    answers: [200, 400],
  },
  cognito: {
    credential: async () => 'AWS4-HMAC-SHA256 Credential=A/20260101/us-east-1/cognito-idp/aws4_request, Signature=0',
    path: '/',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': 'AWSCognitoIdentityProviderService.AdminCreateUser',
    },
    user: name => ({ UserPoolId: 'us-east-1_Grantbox1', Username: name, MessageAction: 'SUPPRESS' }),
    answers: [200, 400],
  },
};

describe.each(Object.keys(providers))('the management API of %s at two replicas', name => {
  it('creates a user once when both are asked at once, with a credential that one of them gave out', async () => {
    const { credential, path, headers, user, answers, env } = providers[name] as Provider;
    await using deployment = await startReplicas({ store: engine.url, count: 2, env: { PRESET: name, ...env } });
    const [one, other] = deployment.replicas;
    const authorization = await credential(one.url, deployment.url);
    const create = async (url: string, username: string) => {
      const sent = { 'content-type': 'application/json', ...headers, authorization };
      return (await post(url + path, JSON.stringify(user(username)), sent)).status;
    };
    for (let round = 0; round < 10; round++) {
      const both = await Promise.all([one, other].map(({ url }) => create(url, `user${round}`)));
      expect(both.toSorted()).toEqual(answers);
    }
  });
});
