import { createDashboard } from '../../src/dashboard/dashboard.ts';
import { createLog, optionsFor } from './running-dashboard.ts';

interface Layer {
  readonly route?: { readonly path: string; readonly methods: Readonly<Record<string, boolean>> };
  readonly handle: { readonly stack?: readonly Layer[] };
}

/** Every route of the dashboard as a request of it: its method, and its path below `/dashboard` with `x` for each name. */
export function dashboardRoutes(): [method: string, path: string][] {
  const [[, router] = []] = createDashboard(optionsFor(createLog()), []).routers;
  return routesIn((router as unknown as { readonly stack: readonly Layer[] }).stack, '');
}

/** The only router within is the one of the JSON: express does not tell where it is mounted. */
function routesIn(stack: readonly Layer[], at: string): [string, string][] {
  return stack.flatMap(({ route, handle }): [string, string][] => {
    if (route === undefined) return routesIn(handle.stack ?? [], '/api/v1');
    const methods = Object.keys(route.methods).filter(each => route.methods[each]);
    return methods.map(method => [method.toUpperCase(), at + route.path.replaceAll(/[:*]\w+/g, 'x')]);
  });
}
