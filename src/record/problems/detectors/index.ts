import { audienceIgnored } from './audience-ignored.ts';
import { codeNotRedeemed } from './code-not-redeemed.ts';
import { cookieDropped } from './cookie-dropped.ts';
import type { Detector } from './detector.ts';
import { expiredTokenRepeated } from './expired-token-repeated.ts';
import { foreignHost } from './foreign-host.ts';
import { loginUnprotected } from './login-unprotected.ts';
import { preflightWithoutRequest } from './preflight-without-request.ts';
import { redirectLoop } from './redirect-loop.ts';
import { refreshAtEveryLoad } from './refresh-at-every-load.ts';
import { silentRenewBlocked } from './silent-renew-blocked.ts';
import { stateReused } from './state-reused.ts';
import { tokenNeverUsed } from './token-never-used.ts';
import { tokenTooLarge } from './token-too-large.ts';

export type { Detector, RealTime } from './detector.ts';

/** All detectors, one file each. A code or refresh token that is used twice is a refusal and needs no detector. */
export const detectors: readonly Detector[] = [
  codeNotRedeemed,
  redirectLoop,
  preflightWithoutRequest,
  foreignHost,
  tokenNeverUsed,
  expiredTokenRepeated,
  refreshAtEveryLoad,
  stateReused,
  loginUnprotected,
  silentRenewBlocked,
  cookieDropped,
  audienceIgnored,
  tokenTooLarge,
];
