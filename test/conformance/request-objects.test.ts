import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRelyingParty, type RelyingParty } from '../support/relying-party.ts';
import { staticClients } from './modules.ts';
import {
  callback,
  configured,
  errorPage,
  type Op,
  type Party,
  registerWithKey,
  signed,
  startOp,
  unsigned,
} from './party.ts';

let op: Op;
let rp: RelyingParty;
beforeAll(async () => {
  rp = await openRelyingParty();
  const clients =
    staticClients.clients?.map(client => ({ ...client, request_uris: [rp.publish('/object', '')] })) ?? [];
  op = await startOp({ ...staticClients, clients });
});
afterAll(async () => {
  await op[Symbol.asyncDispose]();
  await rp.close();
});

const address = () => rp.publish('/object', '');
const publish = (object: string) => rp.publish('/object', object, 'application/oauth-authz-req+jwt');
const register = () => registerWithKey(op, { request_uris: [address()] });

/** The request as it goes out: what stands beside the object, for OAuth's sake. */
function beside({ client }: Party, parameters: Readonly<Record<string, string>>): URL {
  const { client_id } = client;
  const query = new URLSearchParams({ client_id, response_type: 'code', scope: 'openid', ...parameters });
  return new URL(`${op.metadata.authorization_endpoint}?${query}`);
}

describe('oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported', () => {
  const party = () => configured(op, staticClients, 'client_secret_basic');

  it('is refused by a code of its own, and never ignored', async () => {
    const { query } = party().request();
    const request_uri = publish(unsigned(Object.fromEntries(query)));
    const { parameters } = await party().authorize({ state: query.get('state') ?? '', request_uri });
    expect(parameters.get('error')).toBe('request_uri_not_supported');
  });

  it('shows an error page where no redirect URI stands beside it', async () => {
    const { query } = party().request();
    const request_uri = publish(unsigned(Object.fromEntries(query)));
    expect(await errorPage(op.agent(), beside(party(), { request_uri }))).toBe('request_uri_not_supported');
  });

  it('is request_uri_not_supported where request objects are off', async () => {
    await using plain = await startOp({ ...staticClients, features: { jar: false } });
    const own = configured(plain, staticClients, 'client_secret_basic');
    const byReference = await own.authorize({ request_uri: 'https://rp.example/object' });
    expect(byReference.parameters.get('error')).toBe('request_uri_not_supported');
    const byValue = await own.authorize({ request: unsigned({}) });
    expect(byValue.parameters.get('error')).toBe('request_not_supported');
    const { request_parameter_supported, request_uri_parameter_supported } = plain.metadata;
    expect([request_parameter_supported, request_uri_parameter_supported]).toEqual([false, false]);
  });
});

describe('oidcc-request-uri-unsigned', () => {
  it('is not there to be asked, since discovery does not list none', async () => {
    expect(op.metadata).toMatchObject({ request_parameter_supported: true, request_uri_parameter_supported: true });
    expect(op.metadata.request_object_signing_alg_values_supported).not.toContain('none');
    const party = await register();
    const request_uri = publish(unsigned(Object.fromEntries(party.request().query)));
    const { parameters } = await party.authorize({ request_uri });
    expect(parameters.get('error')).toBe('request_uri_not_supported');
  });
});

describe('oidcc-request-uri-signed-rs256', () => {
  it('is fetched, verified, and processed in place of what stands beside it', async () => {
    const party = await register();
    const { query } = party.request({ scope: 'openid email' });
    const request_uri = publish(await signed(party.key, Object.fromEntries(query)));
    const tokens = await party.redeem(await party.follow(beside(party, { request_uri }), query));
    expect(tokens).toMatchObject({ scope: 'openid email' });
    expect(op.metadata.request_object_signing_alg_values_supported).toContain('RS256');
  });
});

describe('oidcc-ensure-request-object-with-redirect-uri', () => {
  it('lets the redirect_uri of the object win', async () => {
    const party = await register();
    const { query } = party.request();
    const object = { ...Object.fromEntries(query), iss: party.client.client_id, aud: op.metadata.issuer };
    const request = await signed(party.key, object);
    const url = beside(party, { request, redirect_uri: `${callback}/invalid` });
    const { to } = await party.follow(url, query);
    expect(to).toBe(callback);
  });

  it('shows an error page where the object is unsigned, and so not read', async () => {
    const party = configured(op, staticClients, 'client_secret_basic');
    const request = unsigned(Object.fromEntries(party.request().query));
    const url = beside(party, { request, redirect_uri: `${callback}/invalid` });
    expect(await errorPage(op.agent(), url)).toBe('request_not_supported');
  });
});
