import { hash } from 'node:crypto';
import { defined } from '../defined.ts';
import type { Change } from '../events/change.ts';
import type { Explanation, ProposedFix } from './problem.ts';

/** A way to repair it, as a form can ask for it. */
interface FixView extends ProposedFix {
  /** Says that the button still means what it said: the configuration may have changed meanwhile. */
  readonly mark?: string;
}

/** What the template of an explanation works with. */
export interface ExplanationView extends Omit<Explanation, 'fixes'> {
  readonly fixes: readonly FixView[];
  /** Where the buttons post to; absent where nothing may be changed. */
  readonly fixAction?: string;
  /** Of the request that is explained. */
  readonly requestId: string;
  /** Whether a button leads back into the app, which a policy with `form-action` would stop. */
  readonly leadsOn: boolean;
}

export function explanationView(
  explanation: Explanation,
  requestId: string,
  fixAction: string | undefined,
): ExplanationView {
  return {
    ...explanation,
    requestId,
    fixes: explanation.fixes.map(fix => (fix.apply === undefined ? fix : { ...fix, mark: markOf(fix.apply.change) })),
    ...defined({ fixAction }),
    leadsOn: fixAction !== undefined && explanation.fixes.some(({ apply }) => apply?.thenContinue === true),
  };
}

const length = 16;

/** A few letters that stand for a change; a secret in it is no part of them. */
export function markOf(change: Change): string {
  return hash('sha256', withoutSecrets(change), 'base64url').slice(0, length);
}

/** A change as JSON for whoever may read it. */
export function withoutSecrets(change: Change): string {
  return JSON.stringify(change, (name, value: unknown) => (/secret|password/.test(name) ? '[redacted]' : value));
}
