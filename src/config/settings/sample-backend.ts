import { audiences, seconds } from '../formats.ts';
import { setting } from '../setting.ts';

/** The sample backend. */
export const sampleBackendSettings = {
  apiAudience: setting(
    'Sample backend',
    '--api-audience API_AUDIENCE',
    audiences,
    [],
    'Audiences the sample backend accepts; none means any',
  ),
  apiClockSkew: setting(
    'Sample backend',
    '--api-clock-skew API_CLOCK_SKEW',
    seconds(0, 3600),
    0,
    'How long an expired token still passes',
  ),
};
