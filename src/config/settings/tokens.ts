import { filePath, oneOf, onOff, seconds, visibleText } from '../formats.ts';
import { setting } from '../setting.ts';
import { signingAlgs } from './signing-algs.ts';

/** What tokens look like, and how long they live. */
export const tokenSettings = {
  /** Signs access tokens, and ID Tokens of clients that ask for it. Default RS256. */
  signingAlg: setting(
    'Tokens',
    '--signing-alg SIGNING_ALG',
    oneOf(signingAlgs),
    'RS256',
    'Algorithm that signs access tokens',
  ),
  /** A JWK Set file with private keys, for signatures that survive a restart. Default: fresh keys on start. */
  keysFile: setting('Tokens', '--keys-file KEYS_FILE', filePath, undefined, 'JWK Set file with private keys', {
    defaultText: 'fresh keys on start',
  }),
  /**
   * Makes the same keys, codes, opaque tokens and ids on each start, for reproducible runs; with a frozen clock each JWT, too, byte for
   * byte, if it is signed by RS256 or its likes or by EdDSA (ES256 and PS256 signatures are random by nature). Whoever knows it has
   * them all. Default: fresh keys on start.
   */
  seed: setting(
    'Tokens',
    '--seed SEED',
    visibleText,
    undefined,
    'Makes the same keys, codes and ids on each start, with a frozen clock the same RS256 and EdDSA tokens, too; whoever knows it has the keys',
    { defaultText: 'all fresh on start', isHidden: true },
  ),
  /** `array` writes the `scope` claim as a JSON array, like Spring Authorization Server. Default `string` (RFC 9068). */
  scopeClaim: setting(
    'Tokens',
    '--scope-claim SCOPE_CLAIM',
    oneOf(['string', 'array']),
    'string',
    'Form of the scope claim in access tokens',
    { isLive: true },
  ),
  /** Lifetimes: seconds, or text such as `90s`, `5m`, `8h`, `1d`. Default 60. */
  codeLifetime: setting('Tokens', '--code-lifetime CODE_LIFETIME', seconds(1), 60, 'Lifetime of authorization codes', {
    isLive: true,
  }),
  /** Of clients that set no `access_token_lifetime` themselves. Default 300. */
  accessTokenLifetime: setting(
    'Tokens',
    '--access-token-lifetime ACCESS_TOKEN_LIFETIME',
    seconds(1),
    300,
    'Lifetime of access tokens, for clients that set none',
    { isLive: true },
  ),
  /** Default 300. */
  idTokenLifetime: setting(
    'Tokens',
    '--id-token-lifetime ID_TOKEN_LIFETIME',
    seconds(1),
    300,
    'Lifetime of ID Tokens',
    { isLive: true },
  ),
  /** Default 86400, a day. */
  refreshTokenLifetime: setting(
    'Tokens',
    '--refresh-token-lifetime REFRESH_TOKEN_LIFETIME',
    seconds(1),
    86_400,
    'Lifetime of refresh tokens',
    { isLive: true },
  ),
  /** Of device codes (RFC 8628), and of CIBA requests that ask for no other lifetime. Default 300. */
  deviceCodeLifetime: setting(
    'Tokens',
    '--device-code-lifetime DEVICE_CODE_LIFETIME',
    seconds(1),
    300,
    'Lifetime of device codes and CIBA requests',
    { isLive: true },
  ),
  /** How long devices and CIBA clients wait between two polls. Default 5. */
  pollInterval: setting(
    'Tokens',
    '--poll-interval POLL_INTERVAL',
    seconds(1),
    5,
    'How long a device or CIBA client waits between polls',
    { isLive: true },
  ),
  /** Of pushed authorization requests, until the browser comes with one. Default 60. */
  pushedRequestLifetime: setting(
    'Tokens',
    '--pushed-request-lifetime PUSHED_REQUEST_LIFETIME',
    seconds(5, 600),
    60,
    'Lifetime of pushed authorization requests, until the browser comes with one',
    { isLive: true },
  ),
  /** Demands PKCE of confidential clients too. Public ones always need it. Default false. */
  requirePkce: setting(
    'Tokens',
    '--require-pkce REQUIRE_PKCE',
    onOff,
    false,
    'Demands PKCE of confidential clients too',
    { isLive: true },
  ),
};
