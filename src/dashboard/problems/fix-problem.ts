import type { Response } from 'express';
import type { Change, ChangeFault } from '../../base/events/change.ts';
import type { Explained } from '../../record/problems/explained-request.ts';
import { markOf } from '../../record/problems/explanation-view.ts';
import { openAgain } from '../../record/problems/remedies.ts';
import type { Desk } from '../desk.ts';
import { integerOf } from '../query.ts';

/** The result of a pressed fix. */
type Fixed = { readonly location: string } | { readonly faults: readonly ChangeFault[] };

/** Applies the chosen fix: its number, and a mark that identifies the fix that the page showed. */
export async function fixProblem(desk: Desk, explained: Explained, form: URLSearchParams): Promise<Fixed> {
  const { explanation, request, requestId } = explained;
  const apply = explanation.fixes[integerOf(form.get('fix')) ?? -1]?.apply;
  if (apply === undefined || markOf(apply.change) !== form.get('mark')) return { faults: [changedMeanwhile] };
  const changed = await desk.control.apply(apply.change, 'dashboard');
  if (!changed.ok) return { faults: changed.faults.length === 0 ? [notChanged] : changed.faults };
  const again = apply.thenContinue ? openAgain({ request }) : undefined;
  return {
    location: again ?? `${desk.base}/dashboard/problems/${requestId}?done=${encodeURIComponent(doneOf(apply.change))}`,
  };
}

const changedMeanwhile: ChangeFault = {
  member: 'fix',
  expected: 'a fix that the page offers now: the configuration has changed since the page was opened, so reload it',
};

const notChanged: ChangeFault = {
  member: 'configuration',
  expected: 'a change that is possible at run time',
};

function doneOf(change: Change): string {
  if (change.kind === 'client.create') return `client:${String(change.members.client_id)}`;
  if (change.kind === 'user.create') return `user:${String(change.members.sub)}`;
  if ('client_id' in change) return `client:${change.client_id}`;
  return 'sub' in change ? `user:${change.sub}` : '';
}

/** The redirect back into the app. It must have no `form-action`, and no opener policy that would cut off a popup. */
export function letLeadOn(res: Response): void {
  const policy = String(res.getHeader('Content-Security-Policy') ?? '');
  res.set('Content-Security-Policy', policy.replace(/form-action [^;]*;? ?/, ''));
  res.removeHeader('Cross-Origin-Opener-Policy');
}
