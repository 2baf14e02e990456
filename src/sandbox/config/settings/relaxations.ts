import { oneOf, onOff, seconds } from '../formats.ts';
import { jsonMembers, publicKeys } from '../json-formats.ts';
import { setting } from '../setting.ts';

/** Drop-in relaxations, for a sandbox in place of a mock that checks less. `oauth/drop-ins.ts` says what each one relaxes. */
export const relaxationSettings = {
  /** Accepts a `client_id` that is not registered, with any secret or none, any redirect URI and any scope. Default: false. */
  anyClient: setting(
    onOff,
    false,
    'Accepts a client_id that is not registered, with any secret or none, any redirect URI and any scope; CLIENTS=any is the same',
    { isLive: true, anyOf: 'CLIENTS' },
  ),
  /** Makes each path an issuer, at the first request for its metadata. Default: false. */
  anyIssuer: setting(
    onOff,
    false,
    'Makes each path an issuer, at the first request for its metadata; ISSUERS=any is the same',
    { isWhole: true, anyOf: 'ISSUERS' },
  ),
  /**
   * Takes the origin of the issuer from the request: `host` from its `Host`, `forwarded` from `X-Forwarded-Host` and
   * `X-Forwarded-Proto`, too. Default `off`.
   */
  issuerFromHost: setting(
    oneOf(['off', 'host', 'forwarded']),
    'off',
    'Takes the origin of the issuer from the Host of each request, or also from X-Forwarded-Host',
  ),
  /** Seconds for which a used refresh token gets the same answer again from the same client. Default 0. */
  refreshTokenGrace: setting(seconds(0, 300), 0, 'Time for which a used refresh token gets the same answer again', {
    isLive: true,
  }),
  /** Members of the metadata to add or to replace; null removes one. Default: none. */
  metadataOverrides: setting(jsonMembers, {}, 'Members of the metadata to add or replace; null removes one', {
    defaultText: 'none',
    isLive: true,
  }),
  /** Adds `x5c`, `x5t` and `x5t#S256` to the keys of the JWK Set. Default: false. */
  keyCertificates: setting(onOff, false, 'Adds x5c, x5t and x5t#S256 to the keys of the JWK Set'),
  /** Public JWKs by audience, to which the access tokens for it are encrypted. Default: none. */
  accessTokenKeys: setting(publicKeys, {}, 'Public JWKs by audience, to which the access tokens for it are encrypted', {
    defaultText: 'none',
    isLive: true,
    isHidden: true,
  }),
  /** Accepts encrypted request objects, and publishes keys for them. Default: false. */
  requestEncryption: setting(onOff, false, 'Accepts encrypted request objects, and publishes keys for them'),
};
