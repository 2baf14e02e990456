import type { Reason } from '../../protocol/errors.ts';
import type { ResourceReason } from '../resource-reason.ts';

/** Why the sample backend refused, as events have it. */
export type ApiReason = `api_${ResourceReason}`;

/** Every reason an `error.returned` of this sandbox can have. */
export type RefusalReason = Reason | ApiReason;
