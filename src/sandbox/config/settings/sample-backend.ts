import { audiences, oneOf, seconds } from '../formats.ts';
import { setting } from '../setting.ts';

/** The sample backend. */
export const sampleBackendSettings = {
  /** Audiences that the sample backend accepts. Default: any. */
  apiAudience: setting(
    audiences,
    [],
    'Audiences that the sample backend accepts; an empty list accepts any, except tokens requested for a different resource',
    { isLive: true },
  ),
  /** Seconds for which the sample backend still accepts an expired token. Default 0. */
  apiClockSkew: setting(seconds(0, 3600), 0, 'Time for which the sample backend still accepts an expired token', {
    isLive: true,
  }),
  /**
   * How the sample backend checks tokens: `local` verifies JWTs, `introspection` also refuses revoked tokens and
   * accepts opaque ones. Default `local`.
   */
  apiTokenCheck: setting(
    oneOf(['local', 'introspection']),
    'local',
    'How the sample backend checks tokens: `local` verifies JWTs, `introspection` also refuses revoked tokens and accepts opaque ones',
    { isLive: true },
  ),
};
