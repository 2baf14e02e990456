import { hash } from 'node:crypto';
import { defined } from '../../base/defined.ts';
import type { Change } from '../../base/events/change.ts';
import type { Explanation, ProposedFix } from './problem.ts';

/** A proposed fix that a form can submit. */
interface FixView extends ProposedFix {
  /** Identifies the change of the button, because the configuration may have changed meanwhile. */
  readonly mark?: string;
}

/** The data of the template of an explanation. */
export interface ExplanationView extends Omit<Explanation, 'fixes'> {
  readonly fixes: readonly FixView[];
  /** The address that the buttons post to; absent if nothing may be changed. */
  readonly fixAction?: string;
  readonly requestId: string;
  /** Whether a button returns to the app, which a policy with `form-action` would block. */
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

/** Returns a short hash of a change, computed without its secrets. */
export function markOf(change: Change): string {
  return hash('sha256', withoutSecrets(change), 'base64url').slice(0, length);
}

/** Writes a change as JSON with its secrets redacted. */
export function withoutSecrets(change: Change): string {
  return JSON.stringify(change, (name, value: unknown) => (/secret|password/.test(name) ? '[redacted]' : value));
}
