import { featureSwitches } from '../feature-switches.ts';
import { oneOf, onOff } from '../formats.ts';
import { presetChoice, presetHelp } from '../preset-choice.ts';
import { setting } from '../setting.ts';

/** Parts of the protocol that are offered. */
export const protocolSettings = {
  /**
   * The provider whose wire the issuer speaks, so that an application keeps the SDK of that provider: `'keycloak'`, or
   * `{ name: 'keycloak', realm: 'shop' }`. Absent: the standards as they are.
   */
  preset: setting(
    presetChoice([]), // `settingsWith` puts the providers in
    undefined,
    presetHelp([]),
    { defaultText: 'none' },
  ),
  /**
   * Turns single features of the protocol on or off: `{ device: false }`. All are on except those that OAuth 2.1
   * removed.
   */
  features: setting(featureSwitches, {}, 'Turns single features on or off: device=off,ciba=off', {
    defaultText: 'all on except password and implicit',
  }),
  /** `fapi2` enforces the FAPI 2.0 Security Profile. Default `none`. */
  profile: setting(oneOf(['none', 'fapi2']), 'none', 'Security profile that every client and request must meet'),
  /** Requires signed request objects (RFC 9101) from every client. Default: false. */
  requireSignedRequests: setting(onOff, false, 'Requires signed request objects from every client', { isLive: true }),
  /**
   * Whether a request for a `resource` that nobody configured is accepted. The configuration names the APIs in the audience of clients.
   * The profile `fapi2` refuses it anyway. Default `accept`.
   */
  unknownResources: setting(
    oneOf(['accept', 'refuse']),
    'accept',
    'Accepts or refuses a resource (RFC 8707) that is not in the audience of a client and not one of the sandbox',
    { isLive: true },
  ),
  /**
   * The `aud` that client assertions may have: `any` of the issuer, the token endpoint and the called endpoint (RFC 7523 §3), or the
   * `issuer` alone, as the draft that updates RFC 7523 and FAPI 2.0 demand. Default `any`.
   */
  assertionAudience: setting(
    oneOf(['any', 'issuer']),
    'any',
    'The aud of client assertions: any address of this server, or the issuer alone (draft-ietf-oauth-rfc7523bis)',
    { isLive: true },
  ),
  /** Requires a nonce from this server in each DPoP proof (RFC 9449 §8). Default: false. */
  dpopNonce: setting(onOff, false, 'Requires a nonce from this server in each DPoP proof', { isLive: true }),
  /**
   * Who may register clients: everyone (`open`), callers with the `registrationToken` (`token`), or no one (`off`).
   * Default `open`.
   */
  registration: setting(
    oneOf(['open', 'token', 'off']),
    'open',
    'Who may register clients: everyone (open), callers with REGISTRATION_TOKEN (token), or no one (off)',
  ),
};
