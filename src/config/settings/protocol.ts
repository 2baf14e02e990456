import { featureSwitches } from '../feature-switches.ts';
import { oneOf, visibleText } from '../formats.ts';
import { setting, variable } from '../setting.ts';

/** What of the protocol is offered. */
export const protocolSettings = {
  features: setting(
    'Protocol',
    '--features FEATURES',
    featureSwitches,
    {},
    'Switches single features: device=off,ciba=off',
    'all on',
  ),
  profile: setting(
    'Protocol',
    '--profile PROFILE',
    oneOf(['none', 'fapi2']),
    'none',
    'Demands all that a security profile demands',
  ),
  registration: setting(
    'Protocol',
    '--registration REGISTRATION',
    oneOf(['open', 'token', 'off']),
    'open',
    'Who may register clients: anybody, whoever has REGISTRATION_TOKEN, nobody',
  ),
  registrationToken: variable<string>({
    env: 'REGISTRATION_TOKEN',
    format: visibleText,
    secret: true,
    defaultText: 'none',
    help: 'Initial access token that REGISTRATION=token asks for',
  }),
};
