import { audiences, oneOf, seconds } from '../formats.ts';
import { setting } from '../setting.ts';

/** The sample backend. */
export const sampleBackendSettings = {
  apiAudience: setting(
    'Sample backend',
    '--api-audience API_AUDIENCE',
    audiences,
    [],
    'Audiences the sample backend accepts; none means any, but for tokens asked for another resource',
  ),
  apiClockSkew: setting(
    'Sample backend',
    '--api-clock-skew API_CLOCK_SKEW',
    seconds(0, 3600),
    0,
    'How long an expired token still passes',
  ),
  apiTokenCheck: setting(
    'Sample backend',
    '--api-token-check API_TOKEN_CHECK',
    oneOf(['local', 'introspection']),
    'local',
    'Whether the sample backend only verifies tokens, or also refuses revoked ones and takes opaque ones',
  ),
};
