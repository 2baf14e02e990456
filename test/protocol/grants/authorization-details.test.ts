import { decodeJwt } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AuthorizationDetailsType } from '../../../src/protocol/authorization.ts';
import { introspect } from '../../../src/protocol/endpoints/introspect.ts';
import { oauthMetadata } from '../../../src/protocol/endpoints/metadata.ts';
import { featureNames } from '../../../src/protocol/feature.ts';
import { consentItems, putDecision } from '../../../src/protocol/users/consent.ts';
import { basic, createTestServer, redemption, type TestServer } from '../../support/server.ts';

const booking: AuthorizationDetailsType = {
  name: 'booking',
  description: 'book bikes',
  fields: { bikes: { type: 'array', required: true } },
};
const types = new Map([[booking.name, booking]]);
const granted = [{ type: 'booking', bikes: ['Swift', 'Wren'] }];
const fewer = [{ type: 'booking', bikes: ['Wren'] }];

let sandbox: TestServer;
beforeEach(() => {
  sandbox = createTestServer({ authorizationDetailsTypes: types });
});

/** A code with all of `granted`. */
async function codeWithDetails(): Promise<string> {
  const session = await sandbox.login();
  const changes = { authorization_details: JSON.stringify(granted) };
  const reply = await sandbox.authorize(changes, session);
  if (reply.kind !== 'page' || reply.page.name !== 'consent') throw new Error(`a ${reply.kind} and no consent page`);
  const { request } = reply.page;
  await putDecision(sandbox.server, session, request, consentItems(sandbox.server, request));
  return sandbox.code(changes, session);
}

describe('the authorization code grant', () => {
  it('gives the details in the token response and in the access token (RFC 9396 §7, §9.1)', async () => {
    const tokens = await sandbox.token({ ...redemption, code: await codeWithDetails() });
    expect(tokens.authorization_details).toEqual(granted);
    expect(decodeJwt(tokens.access_token).authorization_details).toEqual(granted);
  });

  it('narrows them for one token, and the refresh token keeps them all (§6)', async () => {
    const code = await codeWithDetails();
    const narrow = { authorization_details: JSON.stringify(fewer) };
    const tokens = await sandbox.token({ ...redemption, code, ...narrow });
    expect(tokens.authorization_details).toEqual(fewer);
    expect(decodeJwt(tokens.access_token).authorization_details).toEqual(fewer);
    const refresh = { grant_type: 'refresh_token', client_id: 'frontend', refresh_token: tokens.refresh_token ?? '' };
    const next = await sandbox.token(refresh);
    expect(next.authorization_details).toEqual(granted);
    const last = await sandbox.token({ ...refresh, refresh_token: next.refresh_token ?? '', ...narrow });
    expect(last.authorization_details).toEqual(fewer);
  });

  it('refuses more than was granted, and the code is still good', async () => {
    const code = await codeWithDetails();
    const more = JSON.stringify([{ type: 'booking', bikes: ['Swift', 'Heron'] }]);
    await expect(sandbox.token({ ...redemption, code, authorization_details: more })).rejects.toMatchObject({
      code: 'invalid_authorization_details',
      reason: 'authorization_details_widened',
    });
    expect(await sandbox.token({ ...redemption, code })).toMatchObject({ authorization_details: granted });
  });

  it('has none to give where none were asked for', async () => {
    const code = await sandbox.code();
    const asked = { authorization_details: JSON.stringify(fewer) };
    await expect(sandbox.token({ ...redemption, code, ...asked })).rejects.toMatchObject({
      reason: 'authorization_details_widened',
    });
  });
});

describe('introspection', () => {
  it('tells the details of the token (RFC 9396 §9.2)', async () => {
    const narrow = { authorization_details: JSON.stringify(fewer) };
    const { access_token } = await sandbox.token({ ...redemption, code: await codeWithDetails(), ...narrow });
    const asking = sandbox.request({ token: access_token }, { authorization: basic('web', 'web-secret') });
    expect(await introspect(sandbox.server, asking)).toMatchObject({
      body: { active: true, authorization_details: fewer },
    });
  });
});

describe('the client credentials grant', () => {
  const ask = (authorization_details: string) =>
    sandbox.token({ grant_type: 'client_credentials', authorization_details }, basic('sensor', 'sensor-secret'));

  it('may ask for details', async () => {
    const tokens = await ask(JSON.stringify(granted));
    expect(tokens.authorization_details).toEqual(granted);
    expect(decodeJwt(tokens.access_token).authorization_details).toEqual(granted);
  });

  it.each([
    ['malformed', '{', 'authorization_details_malformed'],
    ['of an unknown type', '[{"type": "x"}]', 'authorization_details_type_unknown'],
  ])('is refused %s ones', async (_what, text, reason) => {
    await expect(ask(text)).rejects.toMatchObject({ code: 'invalid_authorization_details', reason, status: 400 });
  });

  it('does not know the parameter where the feature is off', async () => {
    const features = new Set(featureNames.filter(name => name !== 'rar'));
    sandbox = createTestServer({ authorizationDetailsTypes: types, features });
    expect(await ask('{')).not.toHaveProperty('authorization_details');
  });
});

describe('metadata (RFC 9396 §10)', () => {
  it('lists the configured types', () => {
    expect(oauthMetadata(sandbox.server)).toMatchObject({ authorization_details_types_supported: ['booking'] });
  });

  it.each([
    ['no type is configured', { authorizationDetailsTypes: new Map() }],
    ['the feature is off', { features: new Set(featureNames.filter(name => name !== 'rar')) }],
  ])('says nothing where %s', (_what, changes) => {
    const { server } = createTestServer({ authorizationDetailsTypes: types, ...changes });
    expect(oauthMetadata(server)).not.toHaveProperty('authorization_details_types_supported');
  });
});
