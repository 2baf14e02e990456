import { featureSwitches } from '../feature-switches.ts';
import { oneOf, onOff, visibleText } from '../formats.ts';
import { presetChoice } from '../preset-choice.ts';
import { setting, variable } from '../setting.ts';

/** Parts of the protocol that are offered. */
export const protocolSettings = {
  /**
   * The provider whose wire the issuer speaks, so that an application keeps the SDK of that provider: `'keycloak'`, or
   * `{ name: 'keycloak', realm: 'shop' }`. Absent: the standards as they are.
   */
  preset: setting(
    'Protocol',
    '--preset PRESET',
    presetChoice,
    undefined,
    'Speaks like this provider, so that its SDKs work: keycloak, or keycloak,realm=shop',
    { defaultText: 'none' },
  ),
  /**
   * Turns single features of the protocol on or off: `{ device: false }`. All are on except those that OAuth 2.1
   * removed.
   */
  features: setting(
    'Protocol',
    '--features FEATURES',
    featureSwitches,
    {},
    'Turns single features on or off: device=off,ciba=off',
    { defaultText: 'all on except password and implicit' },
  ),
  /** `fapi2` enforces the FAPI 2.0 Security Profile. Default `none`. */
  profile: setting(
    'Protocol',
    '--profile PROFILE',
    oneOf(['none', 'fapi2']),
    'none',
    'Security profile that every client and request must meet',
  ),
  /** Requires signed request objects (RFC 9101) from every client. Default: false. */
  requireSignedRequests: setting(
    'Protocol',
    '--require-signed-requests REQUIRE_SIGNED_REQUESTS',
    onOff,
    false,
    'Requires signed request objects from every client',
    { isLive: true },
  ),
  /** Requires a nonce from this server in each DPoP proof (RFC 9449 §8). Default: false. */
  dpopNonce: setting(
    'Protocol',
    '--dpop-nonce DPOP_NONCE',
    onOff,
    false,
    'Requires a nonce from this server in each DPoP proof',
    { isLive: true },
  ),
  /**
   * Who may register clients: everyone (`open`), callers with the `registrationToken` (`token`), or no one (`off`).
   * Default `open`.
   */
  registration: setting(
    'Protocol',
    '--registration REGISTRATION',
    oneOf(['open', 'token', 'off']),
    'open',
    'Who may register clients: everyone (open), callers with REGISTRATION_TOKEN (token), or no one (off)',
  ),
  /** The initial access token that `registration: 'token'` requires (RFC 7591 §3). */
  registrationToken: {
    ...variable({
      env: 'REGISTRATION_TOKEN',
      format: visibleText,
      secret: true,
      defaultText: 'none',
      help: 'Initial access token that REGISTRATION=token requires',
    }),
    inFile: true as const, // tests have no environment
    isLive: true as const,
  },
};
