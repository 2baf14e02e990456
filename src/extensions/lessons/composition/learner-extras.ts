import type { Outbound } from '../../../protocol/outbound.ts';
import type { Issuer, IssuerExtras } from '../../../sandbox/composition/issuer.ts';

/** More parts of an issuer for a learner. */
export type LearnerExtras = Pick<IssuerExtras, 'guard' | 'lab' | 'lessons' | 'playground' | 'shown'> & {
  /** Nothing that is set for the first issuer is in effect. */
  readonly isAlone?: boolean;
  /** The issuer whose keys it has, in place of the first one. */
  readonly keysOf?: () => Issuer;
  /** The way to other servers, in place of that of the sandbox. */
  readonly outbound?: Outbound;
};
