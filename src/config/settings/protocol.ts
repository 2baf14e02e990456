import { featureSwitches } from '../feature-switches.ts';
import { oneOf, onOff, visibleText } from '../formats.ts';
import { setting, variable } from '../setting.ts';

/** What of the protocol is offered. */
export const protocolSettings = {
  features: setting(
    'Protocol',
    '--features FEATURES',
    featureSwitches,
    {},
    'Switches single features: device=off,ciba=off',
    'all on, but password and implicit',
  ),
  profile: setting(
    'Protocol',
    '--profile PROFILE',
    oneOf(['none', 'fapi2']),
    'none',
    'Demands all that a security profile demands',
  ),
  requireSignedRequests: setting(
    'Protocol',
    '--require-signed-requests REQUIRE_SIGNED_REQUESTS',
    onOff,
    false,
    'Demands signed request objects of every client',
  ),
  dpopNonce: setting(
    'Protocol',
    '--dpop-nonce DPOP_NONCE',
    onOff,
    false,
    'Demands a nonce of this server in each DPoP proof',
  ),
  registration: setting(
    'Protocol',
    '--registration REGISTRATION',
    oneOf(['open', 'token', 'off']),
    'open',
    'Who may register clients: anybody, whoever has REGISTRATION_TOKEN, nobody',
  ),
  registrationToken: {
    ...variable<string>({
      env: 'REGISTRATION_TOKEN',
      format: visibleText,
      secret: true,
      defaultText: 'none',
      help: 'Initial access token that REGISTRATION=token asks for',
    }),
    inFile: true, // tests have no environment
  },
};
