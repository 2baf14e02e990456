import {
  filePath,
  hostName,
  hostNames,
  issuerUrl,
  oneOf,
  origins,
  originUrl,
  requestLimit,
  seconds,
  text,
  visibleText,
  wholeNumber,
} from '../formats.ts';
import { proxies } from '../proxy-format.ts';
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
    'Failed sign-ins, and visits to the device and approvals pages, per minute and address; `off` or 0 means no limit',
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
    'Addresses that the sandbox may call for keys, metadata, logout notices and pings',
    { defaultText: 'private; loopback for clients that registered themselves', isWhole: true },
  ),
};

/** HTTPS, and the certificates of clients. */
export const tlsSettings = {
  /**
   * `self-signed` serves HTTPS with a certificate created at the start. Its CA can be downloaded at `/tls/ca.pem`.
   * Default `off`.
   */
  tls: setting(
    oneOf(['off', 'self-signed']),
    'off',
    '`self-signed` serves HTTPS with a certificate and a CA that are created at the start',
    { isWhole: true },
  ),
  /** PEM file with your HTTPS certificate, followed by the certificates up to its CA. */
  tlsCert: setting(
    filePath,
    undefined,
    'PEM file with the HTTPS certificate, followed by the certificates up to its CA',
    { defaultText: 'none', isWhole: true },
  ),
  /** PEM file with the private key of `tlsCert`. */
  tlsKey: setting(filePath, undefined, 'PEM file with the private key of the HTTPS certificate', {
    defaultText: 'none',
    isWhole: true,
  }),
  /** PEM file with the CAs whose client certificates `tls_client_auth` accepts. Default: a CA created at the start. */
  tlsClientCa: setting(
    filePath,
    undefined,
    'PEM file with the CAs whose client certificates are trusted (tls_client_auth)',
    { defaultText: 'a CA created at the start', isWhole: true },
  ),
};

/** For a sandbox that is shared, watched and stopped by others. */
export const operationsSettings = {
  /**
   * Time between the moment `/ready` answers 503 and the moment the server closes its port, so that a balancer notices in time.
   * Default 0.
   */
  drainDelay: setting(
    seconds(0, 3600),
    0,
    'Time for which a stopping server still answers after `/ready` says no, so that a balancer notices',
    { isWhole: true },
  ),
  /**
   * Proxies whose `X-Forwarded-For` and `X-Forwarded-Prefix` are believed: `loopback`, `private`, addresses, networks. Forwarded
   * headers of everybody else are ignored. Default: none.
   */
  trustProxy: setting(
    proxies,
    [],
    'Proxies whose X-Forwarded-For and X-Forwarded-Prefix are believed: loopback, private, addresses, networks',
    { isWhole: true },
  ),
  /** Entries of each kind that the memory of the protocol keeps: sessions, codes, refresh tokens. Default 10,000. */
  storeSize: setting(
    wholeNumber(100, 1_000_000),
    10_000,
    'Number of sessions, of codes, of refresh tokens and of each other kind of entry that are kept; the oldest go first',
  ),
  /** Users that can be added to those of the configuration while the sandbox runs. Default 1,000. */
  userLimit: setting(
    wholeNumber(0, 100_000),
    1000,
    'Number of users that can be added to the configured ones while the sandbox runs',
  ),
};

/** The log. */
export const logSettings = {
  /** Default info. */
  logLevel: setting(
    oneOf(['silent', 'error', 'warn', 'info', 'debug']),
    'info',
    'Lowest level of the messages in the log',
    { isWhole: true },
  ),
  /** `auto`, the default, is pretty on a terminal and JSON lines otherwise. */
  logFormat: setting(
    oneOf(['auto', 'pretty', 'json']),
    'auto',
    'Format of the log: `auto` is pretty on a terminal and JSON lines elsewhere',
    { isWhole: true },
  ),
};

/** Address, issuer and name of the server. */
export const serverSettings = {
  /** Port to listen on; 0 takes a free one. Default 9000. */
  port: setting(wholeNumber(0, 65_535), 9000, 'Port to listen on; 0 takes a free one', { isWhole: true }),
  /**
   * Second port, which answers health, readiness and metrics alone, as the management port 9000 of Keycloak does. The first port
   * answers them, too. Default: none.
   */
  managementPort: setting(
    wholeNumber(1, 65_535),
    undefined,
    'Second port for health, readiness and metrics alone, such as 9000 of Keycloak',
    { defaultText: 'none', isWhole: true },
  ),
  /** Address to listen on. `localhost`, the default, is 127.0.0.1 and ::1; `0.0.0.0` is every address. */
  host: setting(hostName, 'localhost', 'Address to listen on; localhost is 127.0.0.1 and ::1', { isWhole: true }),
  /** The issuer identifier (RFC 8414 §2): absolute. A slash at the end stays in `iss` and the metadata. Default `http[s]://localhost:<port>`. */
  issuer: setting(issuerUrl, undefined, 'Issuer identifier: the URL that clients use for this server', {
    defaultText: 'http://localhost:<port>, or https with HTTPS on',
    isWhole: true,
  }),
  /**
   * Origin at which back ends reach this server, such as `http://idp:9000` in Docker Compose, if they cannot reach the
   * issuer. Metadata requested at this origin lists the back-channel endpoints at this origin; `issuer` and `iss` do
   * not change.
   */
  backchannelUrl: setting(
    originUrl,
    undefined,
    'Origin at which back ends reach this server, such as http://idp:9000; the issuer does not change',
    { defaultText: 'none', isWhole: true },
  ),
  /** Name of this sandbox, shown on its pages. */
  label: setting(text, '', 'Name of this sandbox, shown on its pages', { env: 'SANDBOX_LABEL', defaultText: 'none' }),
};
