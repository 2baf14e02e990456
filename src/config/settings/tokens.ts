import { filePath, oneOf, onOff, seconds, visibleText } from '../formats.ts';
import { setting } from '../setting.ts';
import { signingAlgs } from './signing-algs.ts';

/** Contents and lifetimes of tokens. */
export const tokenSettings = {
  /** Algorithm that signs access tokens, and ID Tokens of clients that register it. Default RS256. */
  signingAlg: setting(
    'Tokens',
    '--signing-alg SIGNING_ALG',
    oneOf(signingAlgs),
    'RS256',
    'Algorithm that signs access tokens',
  ),
  /** JWK Set file with private keys, so that signatures stay valid after a restart. Default: new keys at each start. */
  keysFile: setting('Tokens', '--keys-file KEYS_FILE', filePath, undefined, 'JWK Set file with private keys', {
    defaultText: 'new keys at each start',
  }),
  /**
   * Creates the same keys, codes, opaque tokens and ids at each start, for reproducible runs. With a frozen clock, JWTs
   * signed with RS256, RS384, RS512 or EdDSA are also equal byte for byte (signatures of ES256 and PS256 are random).
   * Keep it secret: the seed reveals all keys and tokens. Default: new keys at each start.
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
  /** Lifetime of authorization codes: seconds, or text such as `90s`, `5m`, `8h`, `1d`. Default 60. */
  codeLifetime: setting('Tokens', '--code-lifetime CODE_LIFETIME', seconds(1), 60, 'Lifetime of authorization codes', {
    isLive: true,
  }),
  /** Lifetime of access tokens in seconds, for clients without their own `access_token_lifetime`. Default 300. */
  accessTokenLifetime: setting(
    'Tokens',
    '--access-token-lifetime ACCESS_TOKEN_LIFETIME',
    seconds(1),
    300,
    'Lifetime of access tokens, unless the client sets its own',
    { isLive: true },
  ),
  /** Seconds that `onToken` may take for one token, or text such as `5s`. Default 2. */
  onTokenTimeout: setting(
    'Tokens',
    '--on-token-timeout ON_TOKEN_TIMEOUT',
    seconds(1),
    2,
    'Time that onToken of the configuration may take for one token',
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
  /** Lifetime in seconds of device codes (RFC 8628) and of CIBA requests without `requested_expiry`. Default 300. */
  deviceCodeLifetime: setting(
    'Tokens',
    '--device-code-lifetime DEVICE_CODE_LIFETIME',
    seconds(1),
    300,
    'Lifetime of device codes and CIBA requests',
    { isLive: true },
  ),
  /** Seconds that devices and CIBA clients must wait between two polls. Default 5. */
  pollInterval: setting(
    'Tokens',
    '--poll-interval POLL_INTERVAL',
    seconds(1),
    5,
    'Time that a device or CIBA client must wait between polls',
    { isLive: true },
  ),
  /** Lifetime in seconds of a pushed authorization request until the browser uses it. Default 60. */
  pushedRequestLifetime: setting(
    'Tokens',
    '--pushed-request-lifetime PUSHED_REQUEST_LIFETIME',
    seconds(5, 600),
    60,
    'Lifetime of pushed authorization requests until the browser uses them',
    { isLive: true },
  ),
  /** Requires PKCE from confidential clients too. Public clients always need it. Default: false. */
  requirePkce: setting(
    'Tokens',
    '--require-pkce REQUIRE_PKCE',
    onOff,
    false,
    'Requires PKCE from confidential clients too',
    { isLive: true },
  ),
};
