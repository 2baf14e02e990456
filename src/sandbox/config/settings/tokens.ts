import { filePath, oneOf, onOff, seconds, visibleText } from '../formats.ts';
import { setting } from '../setting.ts';
import { signingAlgs } from './signing-algs.ts';

/** Contents and lifetimes of tokens. */
export const tokenSettings = {
  /** Algorithm that signs access tokens, and ID Tokens of clients that register it. Default RS256. */
  signingAlg: setting(oneOf(signingAlgs), 'RS256', 'Algorithm that signs access tokens'),
  /** JWK Set file with private keys, so that signatures stay valid after a restart. Default: new keys at each start. */
  keysFile: setting(filePath, undefined, 'JWK Set file with private keys', {
    defaultText: 'new keys at each start',
  }),
  /**
   * Creates the same keys, codes, opaque tokens and ids at each start, for reproducible runs. With a frozen clock, JWTs
   * signed with RS256, RS384, RS512 or EdDSA are also equal byte for byte (signatures of ES256 and PS256 are random).
   * Keep it secret: the seed reveals all keys and tokens. Default: new keys at each start.
   */
  seed: setting(
    visibleText,
    undefined,
    'Creates the same keys, codes and IDs at each start, and with a frozen clock the same RS256 and EdDSA tokens. Keep it secret: the keys can be computed from it',
    { defaultText: 'all new at each start', isHidden: true },
  ),
  /** `array` writes the `scope` claim as a JSON array, like Spring Authorization Server. Default `string` (RFC 9068). */
  scopeClaim: setting(oneOf(['string', 'array']), 'string', 'Form of the scope claim in access tokens', {
    isLive: true,
  }),
  /** Lifetime of authorization codes: seconds, or text such as `90s`, `5m`, `8h`, `1d`. Default 60. */
  codeLifetime: setting(seconds(1), 60, 'Lifetime of authorization codes', {
    isLive: true,
  }),
  /** Lifetime of access tokens in seconds, for clients without their own `access_token_lifetime`. Default 300. */
  accessTokenLifetime: setting(seconds(1), 300, 'Lifetime of access tokens, unless the client sets its own', {
    isLive: true,
  }),
  /** Seconds that `onToken` may take for one token, or text such as `5s`. Default 2. */
  onTokenTimeout: setting(seconds(1), 2, 'Time that onToken of the configuration may take for one token', {
    isLive: true,
  }),
  /** Default 300. */
  idTokenLifetime: setting(seconds(1), 300, 'Lifetime of ID Tokens', { isLive: true }),
  /** Default 86400, a day. */
  refreshTokenLifetime: setting(seconds(1), 86_400, 'Lifetime of refresh tokens', { isLive: true }),
  /** Lifetime in seconds of device codes (RFC 8628) and of CIBA requests without `requested_expiry`. Default 300. */
  deviceCodeLifetime: setting(seconds(1), 300, 'Lifetime of device codes and CIBA requests', { isLive: true }),
  /** Seconds that devices and CIBA clients must wait between two polls. Default 5. */
  pollInterval: setting(seconds(1), 5, 'Time that a device or CIBA client must wait between polls', { isLive: true }),
  /** Lifetime in seconds of a pushed authorization request until the browser uses it. Default 60. */
  pushedRequestLifetime: setting(
    seconds(5, 600),
    60,
    'Lifetime of pushed authorization requests until the browser uses them',
    { isLive: true },
  ),
  /** Requires PKCE from confidential clients too. Public clients always need it. Default: false. */
  requirePkce: setting(onOff, false, 'Requires PKCE from confidential clients too', { isLive: true }),
};
