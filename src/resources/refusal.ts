import type { Compared } from './compared.ts';
import type { Problem, ProblemStatus } from './problem.ts';
import type { ResourceReason } from './reason.ts';
import type { Claims } from './token-claims.ts';

/** What a log is told of a refusal. */
export interface Refusal extends Compared {
  readonly status: ProblemStatus;
  readonly detail: string;
  /** The code of the challenge (RFC 6750 §3.1); absent for what concerns the resource, and where no token was sent. */
  readonly error?: string;
  readonly reason: ResourceReason;
  /** Of the token, where the issuer stands behind them; the token may be refused all the same. */
  readonly claims?: Claims;
}

/** A problem as a log is told of it. */
export function refusalOf({ status, reason, detail, extras }: Problem): Refusal {
  const { sent, expected, challenge, claims } = extras;
  return {
    status,
    detail,
    reason,
    ...(challenge?.error === undefined ? {} : { error: challenge.error }),
    ...(sent === undefined ? {} : { sent }),
    ...(expected === undefined ? {} : { expected }),
    ...(claims === undefined ? {} : { claims }),
  };
}
