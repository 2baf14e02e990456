import type { Detector } from './detector.ts';
import {
  codeNotRedeemed,
  cookieDropped,
  loginUnprotected,
  redirectLoop,
  silentRenewBlocked,
  stateReused,
} from './logins.ts';
import { foreignHost, preflightWithoutRequest } from './requests.ts';
import { audienceIgnored, expiredTokenRepeated, refreshAtEveryLoad, tokenNeverUsed, tokenTooLarge } from './tokens.ts';

export type { Detector, RealTime } from './detector.ts';

/** All detectors. A code or refresh token that is used twice is a refusal and needs no detector. */
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
