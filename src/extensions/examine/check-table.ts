import { checks } from '../report/checks/index.ts';
import { planList } from './plan-list.ts';
import { provoked } from './provoked.ts';

/** A check with what is seen and what is provoked. */
export interface CheckRow {
  /** The id in the client report: `state_compared`. */
  readonly id: string;
  /** The expectation. */
  readonly title: string;
  /** The modules that provoke it; empty where waiting for it is all that can be done. */
  readonly modules: readonly { readonly plan: string; readonly id: string }[];
}

/** All checks of the client report, in its order. */
export function checkTable(): readonly CheckRow[] {
  const modules = planList().flatMap(plan => plan.modules.map(({ id }) => ({ plan: plan.id, id })));
  return checks.map(({ id, title }) => ({
    id,
    title,
    modules: modules.filter(module => provoked[id]?.includes(module.id)),
  }));
}
