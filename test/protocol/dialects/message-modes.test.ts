import { describe, expect, it } from 'vitest';
import { createDialect } from '../../../src/protocol/dialects/create-dialect.ts';
import { responseModesSupported } from '../../../src/protocol/requests/authorization-response.ts';
import { callback, createTestServer, frontend, issuer } from '../../support/server.ts';

const dialect = createDialect({
  name: 'made-up',
  options: {},
  metadata: { add: {}, omit: [] },
  forms: {},
  accessTokenType: 'at+jwt',
  errors: {},
  messages: { web_message: { type: 'answer', response: '${response}' }, plain_message: '${response}' },
});
const native = { ...frontend, client_id: 'native', redirect_uris: ['com.example.app:/callback'] };
const sandbox = createTestServer({ clients: [frontend, native], dialect });
const { origin } = new URL(callback);

describe('a response mode by message', () => {
  it.each(['web_message', 'plain_message'])('%s is for the origin of the redirect URI', async response_mode => {
    const reply = await sandbox.authorize({ response_mode }, await sandbox.login());
    const parameters = { code: expect.any(String), state: 'a state', iss: issuer, session_state: expect.any(String) };
    expect(reply).toEqual({ kind: 'message', mode: response_mode, origin, parameters });
  });

  it('tells errors, too, such as that nobody is logged in', async () => {
    const reply = await sandbox.authorize({ response_mode: 'web_message', prompt: 'none' });
    expect(reply).toMatchObject({ kind: 'message', origin, parameters: { error: 'login_required', state: 'a state' } });
  });

  it('is not for an application without an origin, which gets the error at its redirect URI', async () => {
    const [redirect_uri = ''] = native.redirect_uris;
    const request = { client_id: 'native', redirect_uri, response_mode: 'web_message' };
    expect(await sandbox.authorize(request, await sandbox.login())).toMatchObject({
      kind: 'redirect',
      location: expect.stringMatching(/^com\.example\.app:\/callback\?error=invalid_request&.*http\+or\+https/),
    });
  });

  it('has the message that the dialect says', () => {
    const parameters = { code: 'c' };
    expect(dialect.message({ kind: 'message', mode: 'web_message', origin, parameters })).toEqual({
      type: 'answer',
      response: parameters,
    });
    expect(dialect.message({ kind: 'message', mode: 'plain_message', origin, parameters })).toEqual(parameters);
  });

  it('is offered by that dialect alone', () => {
    expect(responseModesSupported(sandbox.server)).toContain('plain_message');
    expect(responseModesSupported(createTestServer({ clients: [] }).server)).not.toContain('web_message');
  });
});
