import { CompactEncrypt, decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { readHint } from '../../../src/protocol/tokens/hint.ts';
import { forgeries, signed } from '../../support/forgeries.ts';
import { createTestServer, refusal } from '../../support/server.ts';

const sandbox = createTestServer();
const session = await sandbox.login('bob');
const { access_token, id_token = '' } = await sandbox.tokens({}, session);
const forged = await forgeries(id_token, await sandbox.server.keys.forAlg('ES256'));

describe('an id_token_hint', () => {
  it('says whom it is about and which client it was for, expired or not', async () => {
    sandbox.pass(1_000_000);
    expect(await readHint(sandbox.server, id_token)).toEqual({
      sub: 'bob',
      user: 'bob',
      client_id: 'frontend',
      sid: session.sid,
    });
  });

  it.each(forged)('is invalid_request when forged: %s', async (_what, token) => {
    expect(await refusal(readHint(sandbox.server, token))).toMatchObject({
      code: 'invalid_request',
      reason: 'hint_invalid',
    });
  });

  it('is no access token', async () => {
    expect(await refusal(readHint(sandbox.server, access_token))).toMatchObject({ reason: 'hint_invalid' });
  });

  it('that is encrypted is refused with what to do about it, because only its client can decrypt it', async () => {
    const { kid, publicKey } = await sandbox.server.keys.forAlg('ES256');
    const jwe = await new CompactEncrypt(new TextEncoder().encode(id_token))
      .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A256GCM', kid, cty: 'JWT' })
      .encrypt(publicKey);
    expect(await refusal(readHint(sandbox.server, jwe))).toMatchObject({
      code: 'invalid_request',
      reason: 'hint_invalid',
      description: 'id_token_hint is encrypted: send the signed ID token inside it',
    });
  });

  it.each([
    ['of another issuer', { iss: 'http://localhost:9001' }],
    ['without sub', { sub: undefined }],
    ['without aud', { aud: undefined }],
    ['with a jti, which a JWT of a token exchange has', { jti: 'x' }],
  ])('is refused %s', async (_what, changes) => {
    const token = await signed(sandbox.server, { ...decodeJwt(id_token), ...changes }, { typ: 'JWT' });
    expect(await refusal(readHint(sandbox.server, token))).toMatchObject({ reason: 'hint_invalid' });
  });
});
