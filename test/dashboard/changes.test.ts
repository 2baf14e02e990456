import { expect, it } from 'vitest';
import type { RunInTurn } from '../../src/sandbox/control/replica-turn.ts';
import { dashboardRoutes } from './dashboard-routes.ts';
import { runDashboard } from './running-dashboard.ts';

const itself = 'sends a request to this sandbox';
const looks = 'only shows what was typed';

/** Why these forms are handled in no turn of all replicas. */
const withoutTurn: Readonly<Record<string, string>> = {
  '/api/try': itself,
  '/requests/x/replay': itself,
  '/tokens/x/use/x': itself,
  '/tokens': 'adds a token to the store in one step, as the token endpoint does',
  '/decode': looks,
  '/decode/sign': looks,
  '/decode/like': looks,
  '/api/v1/users/x/preview': looks,
  '/settings/view': 'sets a cookie of this browser',
  '/settings/display': 'sets a cookie of this browser',
  '/sign-in': 'sets a cookie of this browser',
  '/sign-out': 'sets a cookie of this browser',
};

it.each(dashboardRoutes().filter(([method]) => method !== 'GET'))(
  '%s %s is handled in a turn of all replicas, or there is a reason why not',
  async (method, path) => {
    const effects: (string | undefined)[] = [];
    const inTurn: RunInTurn = (work, effect) => {
      effects.push(effect);
      return work();
    };
    await using dashboard = await runDashboard({ inTurn });
    await fetch(`${dashboard.url}/dashboard${path}`, { method, redirect: 'manual' });
    const effect = path === '/settings/reset' ? 'makes room' : undefined;
    expect(effects).toEqual(withoutTurn[path] === undefined ? [effect] : []);
  },
);
