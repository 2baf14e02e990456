import { expect, it } from 'vitest';
import { checkTable } from '../../../src/extensions/examine/check-table.ts';
import { planList } from '../../../src/extensions/examine/plan-list.ts';
import { provoked } from '../../../src/extensions/examine/provoked.ts';

it('names checks of the report and modules of the plans that exist', () => {
  const rows = checkTable();
  expect(Object.keys(provoked).filter(id => !rows.some(row => row.id === id))).toEqual([]);
  const modules = planList().flatMap(plan => plan.modules.map(({ id }) => id));
  const named = Object.values(provoked).flat();
  expect(named.filter(id => !modules.includes(id))).toEqual([]);
  expect(rows.find(({ id }) => id === 'state_compared')?.modules).toEqual([
    { plan: 'oauth-bcp', id: 'invalid-state' },
    { plan: 'oauth-bcp', id: 'missing-state' },
  ]);
});
