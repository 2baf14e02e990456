import { filePath, oneOf, onOff, seconds, visibleText } from '../formats.ts';
import { setting } from '../setting.ts';
import { signingAlgs } from './signing-algs.ts';

/** Contents and lifetimes of tokens. */
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
    defaultText: 'new keys at each start',
  }),
  /**
   * Makes the same keys, codes, opaque tokens and ids on each start, for reproducible runs. With a frozen clock each
   * JWT is the same byte for byte, too, if it is signed with RS256 and its variants or EdDSA (ES256 and PS256
   * signatures are random by nature). The seed reveals all keys and tokens. Default: fresh keys on start.
   */
  seed: setting(
    'Tokens',
    '--seed SEED',
    visibleText,
    undefined,
    'Creates the same keys, codes and IDs at each start, and with a frozen clock the same RS256 and EdDSA tokens. Keep it secret: the keys can be computed from it',
    { defaultText: 'all new at each start', isHidden: true },
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
  /** Seconds, for clients without their own `access_token_lifetime`. Default 300. */
  accessTokenLifetime: setting(
    'Tokens',
    '--access-token-lifetime ACCESS_TOKEN_LIFETIME',
    seconds(1),
    300,
    'Lifetime of access tokens, unless the client sets its own',
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
  /** Seconds, for device codes (RFC 8628) and for CIBA requests without `requested_expiry`. Default 300. */
  deviceCodeLifetime: setting(
    'Tokens',
    '--device-code-lifetime DEVICE_CODE_LIFETIME',
    seconds(1),
    300,
    'Lifetime of device codes and CIBA requests',
    { isLive: true },
  ),
  /** Seconds that devices and CIBA clients wait between two polls. Default 5. */
  pollInterval: setting(
    'Tokens',
    '--poll-interval POLL_INTERVAL',
    seconds(1),
    5,
    'Time that a device or CIBA client must wait between polls',
    { isLive: true },
  ),
  /** Seconds a pushed authorization request waits for its browser. Default 60. */
  pushedRequestLifetime: setting(
    'Tokens',
    '--pushed-request-lifetime PUSHED_REQUEST_LIFETIME',
    seconds(5, 600),
    60,
    'Lifetime of pushed authorization requests until the browser uses them',
    { isLive: true },
  ),
  /** Demands PKCE of confidential clients too. Public ones always need it. Default false. */
  requirePkce: setting(
    'Tokens',
    '--require-pkce REQUIRE_PKCE',
    onOff,
    false,
    'Requires PKCE from confidential clients too',
    { isLive: true },
  ),
};
