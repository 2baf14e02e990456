import type { Response, Router } from 'express';
import type { FaultControl } from '../../sandbox/control/faults.ts';
import type { AskedFault, FaultOrder } from '../../server/faults/fault.ts';
import type { Desk } from '../desk.ts';
import { formOf } from '../form.ts';
import { orderOf, typedFault } from './fault-form.ts';
import { budgetWords } from './fault-words.ts';
import { type FaultsSaid, faultsPage } from './faults-page.ts';
import { presetBudgets, presets } from './presets.ts';

/** The initial values of the form. */
const first = typedFault(new URLSearchParams({ fault: 'unavailable' }));

/** `/faults`: requests that fail on purpose. A query fills in the form; a link never arms a fault. */
export function faultPages(router: Router, desk: Desk): void {
  async function show(res: Response, said: FaultsSaid, status = 200): Promise<void> {
    const model = faultsPage(desk, await desk.faults.control(), said);
    await desk.show(res, { template: 'faults', title: 'Faults', nav: 'faults', model, status });
  }

  router.get('/faults', async (req, res) => {
    const { searchParams } = new URL(req.url, desk.issuer);
    const isChecked = searchParams.has('fault');
    const done = desk.noticesFor(req).join(' ');
    await show(res, { typed: isChecked ? typedFault(searchParams) : first, isChecked, done });
  });

  router.post('/faults', async (req, res) => {
    const form = await formOf(req);
    const control = await desk.faults.control();
    const order = orderIn(form);
    const armed = order === undefined ? undefined : control.arm(order, 'dashboard');
    if (armed?.ok === false) {
      return show(res, { typed: typedFault(form), isChecked: true, done: '', refused: armed.faults }, 400);
    }
    const done = armed === undefined ? disarm(control, form) : armedWords(armed.fault);
    desk.leadTo(res, '/dashboard/faults', [done]);
  });
}

/** The order in the form; undefined if the form disarms a fault. */
function orderIn(form: URLSearchParams): AskedFault | undefined {
  const asked = form.get('preset');
  const preset = presets.find(({ id }) => id === asked);
  if (preset !== undefined) return { ...preset.order, times: presetTimes(form.get('times')) };
  return form.has('disarm') ? undefined : orderOf(typedFault(form));
}

function presetTimes(sent: string | null): number | 'always' {
  const [once] = presetBudgets;
  const { times } = presetBudgets.find(budget => budget.times === sent) ?? once;
  return times === 'always' ? times : Number(times);
}

function armedWords({ id, fault, times, probability, for: left }: FaultOrder & { readonly id: string }): string {
  return `Armed: ${fault}, ${budgetWords({ times: times ?? 1, probability: probability ?? 1, left })} (${id}).`;
}

function disarm(control: FaultControl, form: URLSearchParams): string {
  const id = form.get('disarm') ?? '';
  if (id !== 'all') return control.disarm(id) ? `${id} is disarmed.` : 'This fault was already used up or disarmed.';
  const count = control.disarmAll();
  return count === 1 ? '1 fault is disarmed.' : `${count} faults are disarmed.`;
}
