import { hostName, issuerUrl, originUrl, text, wholeNumber } from '../formats.ts';
import { setting } from '../setting.ts';

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
