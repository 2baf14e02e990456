import { hostNames, oneOf, origins, requestLimit, seconds, visibleText, wholeNumber } from '../formats.ts';
import { setting } from '../setting.ts';

/** Limits on callers and on the rate of their requests. */
export const protectionSettings = {
  /**
   * More origins whose pages may call this server (CORS). Loopback origins, origins of redirect URIs and `web_origins`
   * are always allowed. `*` allows any. Default: none.
   */
  corsOrigins: setting(
    origins,
    [],
    'More origins whose pages may call (CORS); loopback, redirect URI and `web_origins` origins are always allowed',
  ),
  /** More host names that requests may use. Loopback names and the host of the issuer are always allowed. */
  allowedHosts: setting(
    hostNames,
    [],
    'More host names that requests may use; loopback names and the host of the issuer are always allowed',
    { isWhole: true },
  ),
  /**
   * Token that calls of the control API must send as `Authorization: Bearer`. Default: none, so everybody who reaches
   * the API may use it.
   */
  controlToken: setting(
    visibleText,
    undefined,
    'Token that protects the control API and the dashboard: browsers show a form, scripts send Authorization: Bearer',
    { secret: true, defaultText: 'none', isWhole: true },
  ),
  /** Login attempts per minute and address; 0 means no limit. Default 300. */
  loginRateLimit: setting(
    requestLimit(1_000_000),
    300,
    'Failed logins, and visits to the device and approvals pages, per minute and address; `off` or 0 means no limit',
  ),
  /** Protocol requests per minute and address; 0, the default, means no limit. */
  rateLimit: setting(requestLimit(1_000_000), 0, 'Protocol requests per minute and address; `off` or 0 means no limit'),
  /** The most bytes of address and headers of a request, of which a token is a part. Default 16384, as Node has it. */
  maxHeaderSize: setting(
    wholeNumber(1024, 1_048_576),
    16_384,
    'Bytes of address and headers that a request may have; a request with more, such as a long token, gets 431',
    { isWhole: true },
  ),
  /** Seconds that clients may keep metadata and keys; 0, the default, is `no-store`. */
  metadataMaxAge: setting(seconds(0, 86_400), 0, 'Time for which clients may cache metadata and keys; 0 means never'),
  /**
   * Addresses that the sandbox may call for keys, metadata, logout notices and pings of clients. `loopback` is this
   * machine; `private` adds private networks. Default: `private` for configured clients, `loopback` for clients that
   * registered or described themselves.
   */
  outbound: setting(
    oneOf(['loopback', 'private', 'any']),
    undefined,
    'Addresses that the sandbox may call for client keys, client metadata, logout notices and pings',
    { defaultText: 'private; loopback for clients that registered themselves', isWhole: true },
  ),
};
