import { filePath, oneOf, onOff, seconds, visibleText } from '../formats.ts';
import { setting } from '../setting.ts';
import { signingAlgs } from './signing-algs.ts';

/** What tokens look like, and how long they live. */
export const tokenSettings = {
  signingAlg: setting(
    'Tokens',
    '--signing-alg SIGNING_ALG',
    oneOf(signingAlgs),
    'RS256',
    'Algorithm that signs access tokens',
  ),
  keysFile: setting<string | undefined>(
    'Tokens',
    '--keys-file KEYS_FILE',
    filePath,
    undefined,
    'JWK Set file with private keys',
    'fresh keys on start',
  ),
  seed: setting<string | undefined>(
    'Tokens',
    '--seed SEED',
    visibleText,
    undefined,
    'Makes the same keys, codes and ids on each start, with a frozen clock the same RS256 and EdDSA tokens, too; whoever knows it has the keys',
    'all fresh on start',
  ),
  scopeClaim: setting(
    'Tokens',
    '--scope-claim SCOPE_CLAIM',
    oneOf(['string', 'array']),
    'string',
    'Form of the scope claim in access tokens',
  ),
  codeLifetime: setting('Tokens', '--code-lifetime CODE_LIFETIME', seconds(1), 60, 'Lifetime of authorization codes'),
  accessTokenLifetime: setting(
    'Tokens',
    '--access-token-lifetime ACCESS_TOKEN_LIFETIME',
    seconds(1),
    300,
    'Lifetime of access tokens, for clients that set none',
  ),
  idTokenLifetime: setting('Tokens', '--id-token-lifetime ID_TOKEN_LIFETIME', seconds(1), 300, 'Lifetime of ID Tokens'),
  refreshTokenLifetime: setting(
    'Tokens',
    '--refresh-token-lifetime REFRESH_TOKEN_LIFETIME',
    seconds(1),
    86_400,
    'Lifetime of refresh tokens',
  ),
  deviceCodeLifetime: setting(
    'Tokens',
    '--device-code-lifetime DEVICE_CODE_LIFETIME',
    seconds(1),
    300,
    'Lifetime of device codes and CIBA requests',
  ),
  pollInterval: setting(
    'Tokens',
    '--poll-interval POLL_INTERVAL',
    seconds(1),
    5,
    'How long a device or CIBA client waits between polls',
  ),
  pushedRequestLifetime: setting(
    'Tokens',
    '--pushed-request-lifetime PUSHED_REQUEST_LIFETIME',
    seconds(5, 600),
    60,
    'Lifetime of pushed authorization requests, until the browser comes with one',
  ),
  requirePkce: setting(
    'Tokens',
    '--require-pkce REQUIRE_PKCE',
    onOff,
    false,
    'Demands PKCE of confidential clients too',
  ),
};
