import { beforeEach, describe, expect, it } from 'vitest';
import { authenticateClient } from '../../../src/protocol/clients/client-authentication.ts';
import type { OAuthError } from '../../../src/protocol/errors.ts';
import {
  basic,
  createTestServer,
  frontend,
  type Parameters,
  sensor,
  type TestServer,
  web,
} from '../../support/server.ts';

const odd = { ...web, client_id: 'odd client+%', client_secret: 'p%40ss+wörd%2' };
const plus = { ...web, client_id: 'a+b', client_secret: 'x+y' };

let it_: TestServer;
beforeEach(() => {
  it_ = createTestServer({ clients: [odd, plus] });
});

async function authenticate(parameters: Parameters, authorization?: string): Promise<string> {
  const request = it_.request(parameters, authorization === undefined ? {} : { authorization });
  const { client, method } = await authenticateClient(it_.server, request);
  return `${client.client_id} by ${method}`;
}

async function refused(parameters: Parameters, authorization?: string): Promise<OAuthError> {
  try {
    throw new Error(`not refused: ${await authenticate(parameters, authorization)}`);
  } catch (error) {
    return error as OAuthError;
  }
}

const encodeForm = (text: string) => encodeURIComponent(text).replaceAll('%20', '+');

describe('a confidential client', () => {
  it('is known by Basic (RFC 6749 §2.3.1)', async () => {
    expect(await authenticate({}, basic('sensor', 'sensor-secret'))).toBe('sensor by client_secret_basic');
  });

  it('is known by the body where it is registered for that', async () => {
    expect(await authenticate({ client_id: 'web', client_secret: 'web-secret' })).toBe('web by client_secret_post');
  });

  it('may repeat its client_id beside Basic', async () => {
    expect(await authenticate({ client_id: 'sensor' }, basic('sensor', 'sensor-secret'))).toMatch('sensor');
  });

  it('may send an empty secret beside Basic, because empty means absent', async () => {
    expect(await authenticate({ client_secret: '' }, basic('web', 'web-secret'))).toBe('web by client_secret_basic');
  });

  it.each([
    ['form-encoded', basic(encodeForm(odd.client_id), encodeForm(odd.client_secret))],
    ['with a raw id and secret', basic(odd.client_id, odd.client_secret)],
    ['with a form-encoded id and a raw secret', basic(encodeForm(odd.client_id), odd.client_secret)],
  ])('is known by Basic %s', async (_how, header) => {
    expect(await authenticate({}, header)).toBe(`${odd.client_id} by client_secret_basic`);
  });

  it('is known by Basic with a raw plus in id and secret', async () => {
    expect(await authenticate({ client_id: 'a+b' }, basic('a+b', 'x+y'))).toBe('a+b by client_secret_basic');
  });

  it.each([['basic'], ['BASIC'], ['Basic ']])('may write the scheme %j', async scheme => {
    const [, value] = basic('sensor', 'sensor-secret').split(' ');
    expect(await authenticate({}, `${scheme} ${value}`)).toMatch('sensor');
  });

  it('may have colons in its secret', async () => {
    it_ = createTestServer({ clients: [{ ...sensor, client_secret: 'a:b:' }] });
    expect(await authenticate({}, basic('sensor', 'a:b:'))).toMatch('sensor');
  });
});

describe('a public client', () => {
  it.each([
    ['its client_id', { client_id: 'frontend' }, undefined],
    ['an empty client_secret', { client_id: 'frontend', client_secret: '' }, undefined],
    ['Basic with an empty secret', {}, basic('frontend', '')],
    ['Basic with an empty secret beside its client_id', { client_id: 'frontend' }, basic('frontend', '')],
  ])('is known by %s', async (_what, parameters, header) => {
    expect(await authenticate(parameters, header)).toBe('frontend by none');
  });

  it.each([
    ['in the body', { client_id: 'frontend', client_secret: 'anything' }, undefined],
    ['by Basic', {}, basic('frontend', 'anything')],
  ])('is refused with a secret %s: nothing replaces PKCE', async (_where, parameters, header) => {
    expect(await refused(parameters, header)).toMatchObject({ code: 'invalid_client', reason: 'client_is_public' });
  });
});

describe('invalid_client (RFC 6749 §5.2)', () => {
  const noRefusals: [string, Parameters, string | undefined, string][] = [
    ['nothing at all', {}, undefined, 'client_unidentified'],
    ['a secret without an id', { client_secret: 'web-secret' }, undefined, 'client_unidentified'],
    ['an unknown client', { client_id: 'nobody' }, undefined, 'client_unknown'],
    ['an unknown client by Basic', {}, basic('nobody', 'x'), 'client_unknown'],
    ['another case', { client_id: 'Frontend' }, undefined, 'client_unknown'],
    ['__proto__', { client_id: '__proto__' }, undefined, 'client_unknown'],
    ['constructor by Basic', {}, basic('constructor', 'x'), 'client_unknown'],
    ['a wrong secret', {}, basic('sensor', 'wrong'), 'client_secret_wrong'],
    ['a secret with white space', {}, basic('sensor', 'sensor-secret '), 'client_secret_wrong'],
    ['a wrong secret in the body', { client_id: 'web', client_secret: 'x' }, undefined, 'client_secret_wrong'],
    ['no secret', { client_id: 'web' }, undefined, 'client_secret_missing'],
    ['an empty secret', { client_id: 'web', client_secret: '' }, undefined, 'client_secret_missing'],
    ['an empty secret by Basic', {}, basic('web', ''), 'client_secret_missing'],
    [
      'a method it is not registered for',
      { client_id: 'sensor', client_secret: 'sensor-secret' },
      undefined,
      'authentication_method_not_registered',
    ],
  ];

  it.each(noRefusals)('answers %s', async (_what, parameters, header, reason) => {
    expect(await refused(parameters, header)).toMatchObject({ code: 'invalid_client', reason, status: 401 });
  });

  it('says of a secret with white space around it that this is all that is wrong', async () => {
    expect(await refused({}, basic('sensor', ' sensor-secret'))).toMatchObject({
      description: 'the client_secret differs from the registered secret (it has white space around it)',
    });
    expect(await refused({}, basic('sensor', ' wrong'))).toMatchObject({
      description: 'the client_secret differs from the registered secret',
    });
  });

  it.each([
    'Basic',
    'Basic ',
    'Basic !!!',
    'Basic c2Vuc29y',
    `Basic ${Buffer.from(':secret').toString('base64')}`,
    `Basic ${Buffer.from('sensor').toString('base64')}`,
    `Basic ${Buffer.from('sen\0sor:sensor-secret').toString('base64')}`,
    `Basic ${Buffer.from('sensor:sensor\r\n-secret').toString('base64')}`,
    `Basic ${Buffer.from([0xff, 0xfe, 0x3a, 0x41]).toString('base64')}`,
    'Basic c2Vuc29yOnNlbnNvci1zZWNyZXQ= extra',
    'Basic c2Vuc29y OnNlbnNvci1zZWNyZXQ=',
    'Basic c2Vuc29yOnNlbnNvci1zZWNyZXQ===',
    'Basic =c2Vuc29y',
    'Basicc2Vuc29yOnNlbnNvci1zZWNyZXQ=',
    'c2Vuc29yOnNlbnNvci1zZWNyZXQ=',
    'sensor:sensor-secret',
    'Bearer abc',
    'Digest username="sensor"',
    '',
    'Basic sensor:sensor-secret',
  ])('answers the broken header %j with a Basic challenge', async header => {
    const error = await refused({ client_id: 'sensor' }, header);
    expect(error).toMatchObject({ code: 'invalid_client', reason: 'basic_header_malformed', status: 401 });
    expect(error.details.headers).toEqual({
      'WWW-Authenticate': 'Basic realm="http://localhost:9000", charset="UTF-8"',
    });
  });

  it('has a challenge only if Basic was used', async () => {
    expect((await refused({}, basic('sensor', 'wrong'))).details.headers).toHaveProperty('WWW-Authenticate');
    expect((await refused({ client_id: 'web', client_secret: 'x' })).details.headers).toBeUndefined();
  });

  it('says which client may have been meant', async () => {
    expect((await refused({ client_id: 'fronted' })).details.expected).toBe('frontend');
  });

  it('never tells a secret', async () => {
    const { description, details } = await refused({}, basic('sensor', 'a-wrong-secret'));
    expect(JSON.stringify({ description, details })).not.toMatch(/sensor-secret|a-wrong-secret/);
  });
});

describe('two methods at once (RFC 6749 §2.3)', () => {
  it.each([
    ['the same secret twice', { client_id: 'web', client_secret: 'web-secret' }],
    ['a secret without an id', { client_secret: 'web-secret' }],
    ['another client_id', { client_id: 'sensor' }],
  ])('are invalid_request: %s beside Basic', async (_what, parameters) => {
    const error = await refused(parameters, basic('web', 'web-secret'));
    expect(error).toMatchObject({ code: 'invalid_request', reason: 'authentication_methods_combined', status: 400 });
  });
});

it('a client registered for several methods may use each', async () => {
  it_ = createTestServer({
    clients: [
      {
        ...frontend,
        client_id: 'both',
        client_secret: 's',
        token_endpoint_auth_methods: ['none', 'client_secret_post'],
      },
    ],
  });
  expect(await authenticate({ client_id: 'both' })).toBe('both by none');
  expect(await authenticate({ client_id: 'both', client_secret: 's' })).toBe('both by client_secret_post');
});
